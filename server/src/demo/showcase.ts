import * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import type { FoundCompany } from '../company/find.ts'
import { statement, type Transaction } from '../database/database.ts'
import { addDays, addMonths, endOfMonth } from '@tillside/contract/rules/day'
import { decimal, decimalText, rounded, times } from '@tillside/contract/rules/decimal'
import { addDebit, lockAccount } from '../points/ledger.ts'
import { lotsToSpend } from '../points/lots.ts'
import { reviewTier } from '../tier/review.ts'
import { record } from '../transaction/record.ts'
import { type DemoContext } from './history.ts'
import { randomOf } from '../practice/random.ts'
import { receiptOfAmount, type Receipt, returnOf } from './receipts.ts'

// The member that the documentation and tests name: gold, 12,480 points of which 1,200 expire
// within 60 days, and at least 30 receipts.

const balance = 12_480
const soonDays = 60
/**
 * The first points earned. 500 of them are spent later, which leaves the 1,200 that expire soon.
 */
const early = [700, 560, 440]
const spentOfEarly = 500
const later = [
  410, 385, 520, 295, 460, 610, 350, 275, 540, 430, 390, 465, 505, 320, 480, 415, 370, 555, 345,
  450, 495, 400, 425, 360, 450,
]

const readMultiplier = statement(
  `select multiplier from member_tier join tier using (company_id, tier_code)
   where company_id = $1 and member_id = $2`,
  z.object({ multiplier: z.string() }),
)

type Visit = { day: string; points: number; status: Receipt['status'] }

/** Records the showcase member's receipts, oldest first, so that the figures above are exact. */
export async function recordShowcase(
  tx: Transaction,
  company: FoundCompany,
  memberId: string,
  context: DemoContext,
): Promise<void> {
  const { clock } = context
  const visits = visitsOf(context)
  const spending = { day: visits[early.length]?.day ?? clock.today, done: false }
  const sold: Receipt[] = []
  for (const [index, visit] of visits.entries()) {
    if (visit.day >= spending.day && !spending.done) {
      await spend(tx, company, memberId, spending.day, context)
      spending.done = true
    }
    sold.push(await buy(tx, company, memberId, context, visit, index))
  }
  const returned = sold.findLast((receipt) => receipt.status === 'completed')
  if (returned === undefined) throw new Error('the showcase bought nothing')
  const day = clock.daysAgo(2)
  const back = returnOf(returned, `${returned.invoiceNumber}R`, clock.at(day, 18 * 60))
  await requireCreated(record(tx, company, memberId, back))
  // The points of the last purchase make the balance exactly 12,480, independent of the return.
  const { balance: now } = await lockAccount(tx, company.id, memberId)
  const last: Visit = { day: clock.daysAgo(1), points: balance - now, status: 'completed' }
  await buy(tx, company, memberId, context, last, visits.length)
}

/** The days of the showcase member's visits, and the points that each visit earns. */
export function visitsOf({ definition, clock }: DemoContext): Visit[] {
  const { expiry } = definition.points
  if (expiry.kind !== 'months') throw new Error('points of a demo company must expire after months')
  const month = earningMonth(clock.today, expiry.months)
  const begin = [addDays(endOfMonth(month), 1), clock.daysAgo(320)].sort()[1] ?? month
  const length = Math.round((Date.parse(clock.daysAgo(4)) - Date.parse(begin)) / 86_400_000)
  const spread = (index: number) =>
    addDays(begin, Math.floor((length * index) / (later.length - 1)))
  const done = 'completed' as const
  return [
    ...early.map((points, index) => ({ day: addDays(month, 4 + 9 * index), points, status: done })),
    ...later.map((points, index) => ({ day: spread(index), points, status: done })),
    { day: clock.daysAgo(40), points: 300, status: 'cancelled' as const },
    { day: clock.daysAgo(6), points: 900, status: 'deposit' as const },
  ].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

/** The first day of the earning month whose points expire latest within the 60 days. */
function earningMonth(today: string, months: number): string {
  const next = endOfMonth(addMonths(`${today.slice(0, 8)}01`, 1))
  const afterNext = endOfMonth(addMonths(`${today.slice(0, 8)}01`, 2))
  const limit = addDays(today, soonDays)
  const ending = [afterNext, next, endOfMonth(today)].find((day) => day <= limit) ?? today
  return addMonths(`${ending.slice(0, 8)}01`, -months)
}

async function buy(
  tx: Transaction,
  company: FoundCompany,
  memberId: string,
  { definition, shop, clock }: DemoContext,
  visit: Visit,
  index: number,
): Promise<Receipt> {
  if (visit.status === 'completed') {
    // A sale after the end of a period earns at the tier that follows it.
    await lockAccount(tx, company.id, memberId)
    await reviewTier(tx, company, memberId, visit.day, definition.tierRules)
  }
  const { multiplier } = await tx.one(readMultiplier, [company.id, memberId])
  const cents = centsFor(visit.points, definition.points.perUnit, multiplier)
  const random = randomOf(`${definition.identifier} showcase ${index}`)
  const storeCode = definition.stores[index % 2]?.code ?? null
  const sale = {
    invoiceNumber: `${storeCode}-88${String(index + 1).padStart(3, '0')}`,
    memberCode: shop.showcase.memberCode,
    storeCode,
    occurredAt: clock.at(visit.day, 10 * 60 + random.between(0, 8 * 60)),
    status: visit.status,
  }
  const receipt = receiptOfAmount(shop, sale, random, cents)
  const { points } = await requireCreated(record(tx, company, memberId, receipt))
  if (visit.status === 'completed' && points !== visit.points) {
    throw new Error(`the showcase earned ${points} points instead of ${visit.points}`)
  }
  return receipt
}

/**
 * The smallest spend that earns this many points: points ÷ (perUnit × multiplier), rounded up to
 * the cent.
 */
function centsFor(points: number, perUnit: string, multiplier: string): number {
  const rate = times(decimal(perUnit), decimal(multiplier))
  const scaled = BigInt(points) * 100n * 10n ** BigInt(rate.scale)
  return Number((scaled + rate.units - 1n) / rate.units)
}

async function spend(
  tx: Transaction,
  company: FoundCompany,
  memberId: string,
  day: string,
  { definition, clock }: DemoContext,
): Promise<void> {
  const account = await lockAccount(tx, company.id, memberId)
  const takes = await lotsToSpend(account, spentOfEarly, day)
  if (takes === null) throw new Error('the showcase has nothing to spend')
  const storeCode = definition.stores[0]?.code ?? null
  await addDebit(
    account,
    {
      type: 'redeemTransaction',
      points: spentOfEarly,
      at: clock.at(day, 9 * 60),
      amount: worthOf(spentOfEarly, definition),
      earnDate: null,
      expiryDate: null,
      reverses: null,
      invoiceNumber: `${storeCode}-88900`,
      storeCode,
      staffId: null,
      transactionId: null,
      description: null,
    },
    takes,
  )
}

/** The value of points as money, by the company's exchange rule. */
function worthOf(points: number, { points: { exchange } }: Definition): string | null {
  if (exchange === null) return null
  return decimalText(rounded(times(decimal(String(points)), decimal(exchange.pointValue)), 2))
}

/** @throws Error if the receipt was refused: the demo data would be incomplete */
async function requireCreated(recorded: ReturnType<typeof record>): Promise<{ points: number }> {
  const result = await recorded
  if (result.outcome !== 'created')
    throw new Error(`a demo receipt was not recorded: ${JSON.stringify(result)}`)
  return result
}
