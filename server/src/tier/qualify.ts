import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { addMonths, endOfMonth } from '@tillside/contract/rules/day'
import { decimal, decimalText, minus, plus, zero } from '@tillside/contract/rules/decimal'
import { enqueueEvent } from '../member/events.ts'
import { moveToTier } from '../member/tier.ts'
import { ladderOf, type LadderTier, reaches } from '../company/ladder.ts'
import { firstDay, type Spend } from './window.ts'

const readProgress = statement(
  `select day, as_of, expiry_date, tier_code, level, multiplier, spent
   from tier_progress($1, $2, $3, $4, $5)`,
  z.object({
    day: z.string(),
    as_of: z.string(),
    expiry_date: z.nullable(z.string()),
    tier_code: z.string(),
    level: z.int(),
    multiplier: z.string(),
    spent: z.string(),
  }),
)
const insertSpend = statement('select add_spend($1, $2, $3, $4, $5)', z.unknown())

/** A member's progress towards the next tier when a sale arrives. */
export type Progress = {
  /** The sale's day in the company's calendar. */
  day: string
  /** The day on which the tier is judged: the sale's day, or that of later spend. */
  asOf: string
  /** Qualifying spend in the window that ends on that day, a decimal string. */
  spent: string
  /** The last day of the tier before the sale; null: never. */
  expiryDate: string | null
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
  const { as_of: asOf, tier_code: code, expiry_date: expiryDate, ...rest } = row
  return { ...rest, asOf, code, expiryDate, ladder }
}

/** The progress with the tier of a review that is not stored yet. */
export function progressAfter(
  progress: Progress,
  changes: readonly { to: string; expiryDate: string | null }[],
): Progress {
  const last = changes.at(-1)
  const rung = progress.ladder.find(({ code }) => code === last?.to)
  if (last === undefined || rung === undefined) return progress
  const { code, level, multiplier } = rung
  return { ...progress, code, level, multiplier, expiryDate: last.expiryDate }
}

/** The tiers that a member of a tier can reach by spend, lowest first. */
export function tiersAbove({ level, ladder }: Pick<Progress, 'level' | 'ladder'>): LadderTier[] {
  return ladder.filter((tier) => tier.level > level)
}

/** Money that a receipt adds to the spend of its day, and takes off the days of returned sales. */
export type ReceiptSpend = { transactionId: string; amount: string; returned: readonly Spend[] }

/**
 * Adds the spend of a receipt and moves the member up to the highest tier whose threshold is
 * reached in the window. The spend of returned goods is taken off the days of their sales; for a
 * tier that was reached by it see `reevaluateTier`.
 * @returns the tier that was reached, or null
 */
export async function qualify(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  progress: Progress,
  spend: ReceiptSpend,
  rules: Settings['tierRules'],
): Promise<LadderTier | null> {
  const amount = decimal(spend.amount)
  const rows = rowsOf(progress.day, spend)
  if (rows.length === 0) return null
  const first = firstDay(progress.asOf, rules.window)
  const spent = rows
    .filter(({ day }) => day >= first && day <= progress.asOf)
    .reduce((sum, row) => plus(sum, decimal(row.amount)), decimal(progress.spent))
  const reached = tiersAbove(progress).findLast(({ threshold }) =>
    reaches(decimalText(spent), threshold),
  )
  const up = amount.units > 0n && reached !== undefined ? reached : null
  const expiryDate = tierEnd(progress.asOf, rules)
  await Promise.all([
    tx.run(insertSpend, [
      company.id,
      memberId,
      spend.transactionId,
      rows.map((row) => row.day),
      rows.map((row) => row.amount),
    ]),
    up &&
      moveToTier(tx, company, memberId, { code: up.code, startDate: progress.asOf, expiryDate }),
  ])
  if (up !== null) {
    const [from, to, startDate] = [progress.code, up.code, progress.asOf]
    enqueueEvent(tx, company.id, 'tier.changed', memberId, { from, to, startDate, expiryDate })
  }
  return up
}

/** One row for each day: the receipt's amount, less the returned spend of that day. */
function rowsOf(day: string, { amount, returned }: ReceiptSpend): Spend[] {
  const rows = new Map([[day, decimal(amount)]])
  for (const one of returned) {
    rows.set(one.day, minus(rows.get(one.day) ?? zero, decimal(one.amount)))
  }
  return [...rows].flatMap(([on, sum]) =>
    sum.units === 0n ? [] : [{ day: on, amount: decimalText(sum) }],
  )
}

/**
 * The last day of a tier reached on `day`: the end of the month, `validityMonths` months later;
 * null: never.
 */
export function tierEnd(day: string, rules: Settings['tierRules']): string | null {
  return rules.validityMonths === null ? null : endOfMonth(addMonths(day, rules.validityMonths))
}
