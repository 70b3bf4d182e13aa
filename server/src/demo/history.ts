import type { Definition } from '../company/definition.ts'
import type { NewMember } from '../member/create.ts'
import { addDays } from '@tillside/contract/rules/day'
import type { Clock } from '../practice/clock.ts'
import type { Shop } from './goods.ts'
import { randomOf } from '../practice/random.ts'
import { basket, type Receipt, returnOf } from './receipts.ts'

// Histories are shorter than eleven months, so that no tier or lot has expired before the jobs
// first run.
const longest = 330

export type DemoContext = { definition: Definition; shop: Shop; clock: Clock }

/**
 * The receipts of one member, oldest first; none for one member in eight. Random numbers are seeded
 * for each member, so a change to one history leaves the others unchanged.
 */
export function historyOf(context: DemoContext, member: NewMember, index: number): Receipt[] {
  const { definition, shop, clock } = context
  const random = randomOf(`${definition.identifier} history ${index}`)
  const stores = definition.stores.filter((store) => store.active).map((store) => store.code)
  const count = countOf(index, random.between(0, 99))
  const times = index % 83 === 17 ? 12 : index % 29 === 8 ? 4 : 1
  const from = [member.registrationDate, clock.daysAgo(longest)].sort()[1] ?? clock.today
  const span = Math.max(0, daysBetween(from, clock.today) - 1)
  const days = Array.from({ length: count }, () => addDays(from, random.between(0, span)))
  const receipts = days.sort().flatMap((day, visit): Receipt[] => {
    if (day >= clock.today) return []
    const storeCode = random.chance(15) ? null : random.pick(stores)
    const sale = basket(
      shop,
      {
        invoiceNumber: numberOf(storeCode, index, visit),
        memberCode: member.memberCode,
        storeCode,
        occurredAt: clock.at(day, random.between(9 * 60, 21 * 60)),
        status: random.chance(3) ? 'cancelled' : random.chance(2) ? 'deposit' : 'completed',
      },
      random,
      times,
    )
    if (sale.status !== 'completed' || !random.chance(4)) return [sale]
    const back = clock.at(day, 21 * 60 + 30)
    return [sale, returnOf(sale, `${sale.invoiceNumber}R`, back)]
  })
  return receipts
}

/**
 * The number of visits: usually a few, for some members one every two weeks, for one in eight none.
 */
function countOf(index: number, luck: number): number {
  if (index % 8 === 3) return 0
  if (luck < 55) return 1 + (luck % 3)
  return luck < 90 ? 4 + (luck % 5) : 10 + (luck % 9)
}

/** Such as `NY001-10042-03`; invoice numbers of the web shop begin with WEB. */
export function numberOf(storeCode: string | null, index: number, visit: number): string {
  return `${storeCode ?? 'WEB'}-${10_001 + index}-${String(visit + 1).padStart(2, '0')}`
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
}
