import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { addMonths, endOfMonth } from '@tillside/contract/rules/day'
import { decimal, minus, plus, zero } from '@tillside/contract/rules/decimal'
import { enqueueEvent } from '../member/events.ts'
import { moveToTier } from '../member/tier.ts'
import { ladderOf, type LadderTier } from './ladder.ts'
import { windowStart } from './standing.ts'

// A late sale counts on its own day, but the tier is judged on the latest day with spend: a till
// that was offline must not move a member back in time.
const readProgress = statement(
  `select day, as_of, day >= ${windowStart('as_of', '$5::text')} as counts, mt.tier_code, t.level,
     t.multiplier, (
     select coalesce(sum(amount), 0.00) from qualifying_spend
     where company_id = $1 and member_id = $2
       and spent_on between ${windowStart('as_of', '$5::text')} and as_of
   ) as spent
   from member_tier mt join tier t using (company_id, tier_code), lateral (
     select ($3::timestamptz at time zone $4)::date as day
   ) d, lateral (
     select greatest(day, (
       select max(spent_on) from qualifying_spend where company_id = $1 and member_id = $2
     )) as as_of
   ) l
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({
    day: z.string(),
    as_of: z.string(),
    counts: z.boolean(),
    tier_code: z.string(),
    level: z.int(),
    multiplier: z.string(),
    spent: z.string(),
  }),
)
const insertSpend = statement(
  `insert into qualifying_spend (company_id, member_id, transaction_id, spent_on, amount)
   values ($1, $2, $3, $4, $5)`,
  z.unknown(),
)

/** A member's progress towards the next tier when a sale arrives. */
export type Progress = {
  /** The sale's day in the company's calendar. */
  day: string
  /** The day on which the tier is judged: the sale's day, or that of later spend. */
  asOf: string
  /** Qualifying spend in the window that ends on that day, a decimal string. */
  spent: string
  /** Whether the sale's day is within that window. */
  counts: boolean
  /** The tier before the sale; it may have been stopped since. */
  code: string
  level: number
  multiplier: string
  ladder: readonly LadderTier[]
}

/**
 * Reads a member's progress. The caller must hold the points account's lock.
 * @param occurredAt RFC 3339
 * @throws Error when the member has no tier; `createMember` gives it one
 */
export async function progressOf(
  tx: Transaction,
  company: { id: string; revision: number; timeZone: string },
  memberId: string,
  occurredAt: string,
  settings: Settings,
): Promise<Progress> {
  const of = [company.id, memberId, occurredAt, company.timeZone, settings.tierRules.window]
  const [row, ladder] = await Promise.all([tx.one(readProgress, of), ladderOf(tx, company)])
  const { as_of: asOf, tier_code: code, ...rest } = row
  return { ...rest, asOf, code, ladder }
}

/**
 * Adds the spend of a sale, or of a return as a negative amount, and moves the member up to the
 * highest tier whose threshold is reached in the window. A return never moves a member down at
 * once; the review at the end of the period does.
 * @param amount money, a decimal string
 * @returns the tier that was reached, or null
 */
export async function qualify(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  progress: Progress,
  spend: { transactionId: string; amount: string },
  rules: Settings['tierRules'],
): Promise<LadderTier | null> {
  const amount = decimal(spend.amount)
  if (amount.units === 0n) return null
  const spent = plus(decimal(progress.spent), progress.counts ? amount : zero)
  const reached = progress.ladder.findLast(
    ({ level, threshold }) =>
      level > progress.level && minus(spent, decimal(threshold)).units >= 0n,
  )
  const up = amount.units > 0n && reached !== undefined ? reached : null
  const expiryDate = tierEnd(progress.asOf, rules)
  await Promise.all([
    tx.run(insertSpend, [company.id, memberId, spend.transactionId, progress.day, spend.amount]),
    up &&
      moveToTier(tx, company, memberId, { code: up.code, startDate: progress.asOf, expiryDate }),
  ])
  if (up !== null) {
    const [from, to, startDate] = [progress.code, up.code, progress.asOf]
    enqueueEvent(tx, company.id, 'tier.changed', memberId, { from, to, startDate, expiryDate })
  }
  return up
}

/**
 * The last day of a tier reached on `day`: the end of the month, `validityMonths` months later;
 * null: never.
 */
export function tierEnd(day: string, rules: Settings['tierRules']): string | null {
  return rules.validityMonths === null ? null : endOfMonth(addMonths(day, rules.validityMonths))
}
