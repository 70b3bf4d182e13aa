import { decimal, minus, negated, plus, zero } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { TooManyPoints } from '../points/earn.ts'
import type { TransactionInput } from './input.ts'
import {
  type Recorded,
  contentHash,
  record,
  type RecordingCompany,
  type RecordRefusal,
} from './record.ts'
import { findReceipt } from './receipt-key.ts'

// Checks receipts of tills and files before they are recorded: a receipt that makes no sense would
// count for points and tiers, and no later receipt could correct it.

const readDay = statement(
  `select ($1::timestamptz at time zone $2)::date as day`,
  z.object({ day: z.string() }),
)

/** Why a receipt makes no sense, in order of precedence. */
export type ReceiptProblem =
  | 'dateImpossible'
  | 'dateAhead'
  | 'dateTooEarly'
  | 'amountTooLarge'
  | 'saleNegative'
  | 'spendAboveTotal'
  | 'linesNotTotal'

export type Accepted =
  | Extract<Recorded, { outcome: 'created' }>
  | { outcome: 'unchanged' }
  | { outcome: 'refused'; reason: RecordRefusal; path: null }
  | { outcome: 'refused'; reason: ReceiptProblem; path: string }

/**
 * Records a receipt from a till or a file, if it makes sense. An unchanged repeat of a recorded
 * receipt does nothing, also where today's rules would refuse it.
 * @param now the database's clock, RFC 3339
 */
export async function accept(
  tx: Transaction,
  company: RecordingCompany,
  memberId: string | null,
  input: TransactionInput,
  now: string,
): Promise<Accepted> {
  const { receipts } = await settingsOf(tx, company)
  const since = receipts.acceptSalesSince
  const { day } =
    since === null ? { day: '' } : await tx.one(readDay, [input.occurredAt, company.timeZone])
  const problem = problemOf(input, now, day, receipts)
  if (problem === null) {
    try {
      const recorded = await record(tx, company, memberId, input)
      return recorded.outcome === 'refused' ? { ...recorded, path: null } : recorded
    } catch (error) {
      // The points are calculated before anything is written.
      if (!(error instanceof TooManyPoints)) throw error
      return { outcome: 'refused', reason: 'amountTooLarge', path: 'netSpend' }
    }
  }
  const earlier = await findReceipt(tx, company.id, input)
  if (earlier === null) return { outcome: 'refused', ...problem }
  return earlier.hash.equals(contentHash(input))
    ? { outcome: 'unchanged' }
    : { outcome: 'refused', reason: 'changed', path: null }
}

type Problem = { reason: ReceiptProblem; path: string }

/**
 * Why a receipt makes no sense; null: it does.
 * @param now the database's clock, RFC 3339
 * @param day the receipt's day in the company's calendar
 */
export function problemOf(
  input: TransactionInput,
  now: string,
  day: string,
  { acceptSalesSince: since, lineTolerance }: Settings['receipts'],
): Problem | null {
  const isEarly = since !== null && day < since
  return (
    timeProblem(input.occurredAt, now) ??
    (isEarly ? { reason: 'dateTooEarly', path: 'occurredAt' } : null) ??
    amountProblem(input, lineTolerance)
  )
}

const dayMs = 86_400_000

/** A till's clock may be a day ahead: some tills write local time as if it were UTC. */
function timeProblem(occurredAt: string, now: string): Problem | null {
  const year = Number(occurredAt.slice(0, 4))
  if (year < 1970 || year > 9998) return { reason: 'dateImpossible', path: 'occurredAt' }
  return Date.parse(occurredAt) > Date.parse(now) + dayMs
    ? { reason: 'dateAhead', path: 'occurredAt' }
    : null
}

/**
 * The largest amount in a receipt, in whole units of the currency. A member's sums have 15 digits:
 * ten thousand of the largest receipts.
 */
const mostUnits = 99_999_999_999n

/**
 * The first rule about amounts that a receipt breaks. All of a sale is at least 0 and all of a
 * return at most 0; an exchange may have either sign.
 * @param tolerance money that the sum of the lines may differ from the total, a decimal string
 */
export function amountProblem(input: TransactionInput, tolerance: string): Problem | null {
  const { items, coupons, invoiceType } = input
  const amounts: [path: string, amount: string | null][] = [
    ['totalAmount', input.totalAmount],
    ['orderDiscount', input.orderDiscount],
    ['netSpend', input.netSpend],
    ...items.flatMap(({ total, discount, spend }, n): [string, string][] => [
      [`items.${n}.total`, total],
      [`items.${n}.discount`, discount],
      [`items.${n}.spend`, spend],
    ]),
    ...coupons.map(({ value }, n): [string, string | null] => [`coupons.${n}.value`, value]),
  ]
  const large = amounts.find(([, amount]) => amount !== null && isTooLarge(amount))
  if (large !== undefined) return { reason: 'amountTooLarge', path: large[0] }
  const [total, net] = [decimal(input.totalAmount), decimal(input.netSpend)]
  const negative = total.units < 0n ? 'totalAmount' : net.units < 0n ? 'netSpend' : null
  if (invoiceType === 'sale' && negative !== null) return { reason: 'saleNegative', path: negative }
  const above = minus(net, mostSpend(input))
  if ((invoiceType === 'return' ? -above.units : above.units) > 0n) {
    return { reason: 'spendAboveTotal', path: 'netSpend' }
  }
  const sums = [sumOf(items, 'total'), sumOf(items, 'spend')]
  const fits = sums.some((sum) => isNear(minus(sum, total), tolerance))
  return items.length === 0 || fits ? null : { reason: 'linesNotTotal', path: 'items' }
}

/**
 * The total, and in an exchange also what the returned goods had been reduced by. A customer
 * returns goods of 10.00 that cost 8.00, takes others of 10.00 and pays 2.00, for a total of
 * 0.00.
 */
function mostSpend({ invoiceType, totalAmount, items }: TransactionInput) {
  const total = decimal(totalAmount)
  if (invoiceType !== 'exchange') return total
  const back = items.filter(({ total: lineTotal }) => decimal(lineTotal).units < 0n)
  return plus(total, minus(sumOf(back, 'spend'), sumOf(back, 'total')))
}

function sumOf(items: TransactionInput['items'], field: 'total' | 'spend') {
  return items.map((item) => decimal(item[field])).reduce(plus, zero)
}

function isTooLarge(amount: string): boolean {
  const { units, scale } = decimal(amount)
  return (units < 0n ? -units : units) / 10n ** BigInt(scale) > mostUnits
}

function isNear(difference: ReturnType<typeof decimal>, tolerance: string): boolean {
  const distance = difference.units < 0n ? negated(difference) : difference
  return minus(distance, decimal(tolerance)).units <= 0n
}
