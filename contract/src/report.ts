import * as z from 'zod/mini'
import { pointTypes } from './wire/codes.ts'
import { CalendarDay, Money, Points } from './wire/shapes.ts'

// The books of a company's points: the balance at the beginning of a period, the movements, and the
// balance at its end.

const Month = z.string().check(z.regex(/^\d{4}-\d{2}$/))

export const reportKeys = ['type', 'store', 'month'] as const

/** Days of the company's calendar, both included, and the meaning of the rows. */
export const ReportInput = z.strictObject({
  from: CalendarDay,
  to: CalendarDay,
  by: z._default(z.enum(reportKeys), 'type'),
})
export type ReportInput = z.infer<typeof ReportInput>

/** The four lines of the books. Each of the sixteen types of entries belongs to one of them. */
export const bookLines = ['issued', 'takenBack', 'redeemed', 'expired'] as const
export type BookLine = (typeof bookLines)[number]

/**
 * Points and their money in major units: at the company's `pointValue`, and at the part of it that
 * the company expects to be redeemed. Null where the company has not set the rate. Each amount is
 * rounded by itself.
 */
export const Amount = z.object({
  points: Points,
  worth: z.nullable(Money),
  expected: z.nullable(Money),
})
export type Amount = z.infer<typeof Amount>

const typeNames = z.enum(Object.keys(pointTypes))

/** Signed: `opening` plus all types is `closing`, and so is `opening` plus the four lines. */
export const Books = z.object({
  opening: Amount,
  /** All sixteen types, in the order of their codes. */
  types: z.array(z.extend(Amount, { type: typeNames, code: z.int(), entries: z.int() })),
  lines: z.object({ issued: Amount, takenBack: Amount, redeemed: Amount, expired: Amount }),
  closing: Amount,
  /** Points that returns did not take back under the policy `clamp`; not a part of the sum. */
  forgiven: Amount,
})
export type Books = z.infer<typeof Books>

export const PointReport = z.object({
  from: CalendarDay,
  to: CalendarDay,
  by: z.enum(reportKeys),
  /** Money for one point; null: the company has no rule for it. */
  pointValue: z.nullable(z.string()),
  /** The part of all points that the company expects to be redeemed, 0 to 1. */
  expectedRedemption: z.nullable(z.string()),
  total: Books,
  /**
   * The same for each month of the period, or for each store; the key null is for entries without a
   * store. Empty for `type`.
   */
  rows: z.array(z.extend(Books, { key: z.nullable(z.string()) })),
  /** Points that members held at the end of `to`, by month of expiry; null: they never expire. */
  outstanding: z.array(z.extend(Amount, { month: z.nullable(Month) })),
  /** Points that members owed then. `outstanding` minus `inDebt` is `closing`. */
  inDebt: Amount,
  /**
   * `accounts`: `closing` minus the points in accounts at that time. `lots`: by how many points the
   * lots differ from `closing`, or those of all months of expiry from the entries that filled and
   * emptied them, if that is more. Both are 0 in sound books.
   */
  difference: z.object({ accounts: z.int(), lots: z.int() }),
})
export type PointReport = z.infer<typeof PointReport>
