import type { Definition } from '../company/definition.ts'
import { NewMember } from '../member/create.ts'
import type { Clock } from '../practice/clock.ts'
import type { Shop } from './goods.ts'
import { detailsOf } from './details.ts'
import { nameFor } from './people.ts'
import { type Random, randomOf } from '../practice/random.ts'

/** The members of each demo company, unless a test needs fewer. */
export const memberCount = 500

/** The terms version that a tenth of the members accepted; they must accept the current one. */
const formerTerms = '2024-01'

/** The members of a demo company. The first is the member that the documentation shows. */
export function membersOf(
  definition: Definition,
  shop: Shop,
  clock: Clock,
  random: Random,
  count = memberCount,
): NewMember[] {
  // A separate random sequence: a new form field does not change names or receipts.
  const details = randomOf(`${definition.identifier} details`)
  const stores = definition.stores.filter((store) => store.active).map((store) => store.code)
  return Array.from({ length: count }, (_, index) => {
    const registered = clock.daysAgo(index === 0 ? 800 : random.between(1, 1000))
    const storeCode = stores[index % stores.length] ?? null
    const who = index === 0 ? showcaseOf(shop) : personOf(definition, shop, index, random)
    return NewMember.parse({
      ...who,
      ...detailsOf(definition, details),
      registrationDate: registered,
      registrationStore: index % 9 === 4 ? null : storeCode,
      marketingOptIn: index === 0 || random.chance(60),
      consent: {
        version: index % 10 === 7 ? formerTerms : definition.terms.version,
        language: definition.languages[index % definition.languages.length],
        at: clock.at(registered, random.between(10 * 60, 20 * 60)),
        storeCode,
      },
    })
  })
}

function showcaseOf({ showcase }: Shop) {
  return { ...showcase, gender: 'F', birthday: '1990-05-17' }
}

function personOf({ identifier }: Definition, shop: Shop, index: number, random: Random) {
  const name = nameFor(identifier, index, random)
  const number = 10_001 + index
  const branch = shop.showcase.cardNumber.slice(0, 8)
  const code = `${shop.showcase.memberCode.slice(0, 3)}${number}`
  const [month, day] = [random.between(1, 12), random.between(1, 28)]
  const birthday = `${random.between(1948, 2008)}-${two(month)}-${two(day)}`
  return {
    memberCode: code,
    cardNumber: `${branch}${number}`,
    uniCustomerNo: `U${code}`,
    ...name,
    birthday: random.chance(20) ? null : birthday,
    // Every member has a mobile number or an e-mail address, so that staff can find them.
    ...(index % 12 === 5 ? {} : shop.mobile(index)),
    email: index % 7 === 3 && index % 12 !== 5 ? null : addressOf(name, code, random),
  }
}

function addressOf(name: { firstName: string; lastName: string }, code: string, random: Random) {
  const plain = `${name.firstName}.${name.lastName}`.toLowerCase().replaceAll(/[^a-z.]/g, '')
  const isName = /^[a-z]+\.[a-z]+$/.test(plain) && plain.length < 40
  return isName
    ? `${plain}.${random.between(1, 99)}${code.slice(-3)}@example.com`
    : `${code}@example.com`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
