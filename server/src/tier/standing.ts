import type { Language } from '@tillside/contract/wire/language'
import type { TierStanding } from '@tillside/contract/tier'
import * as z from 'zod/mini'
import { type Settings, Texts, textIn } from '../company/definition.ts'
import { decimalsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { decimal, larger, minus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { ladderOf } from './ladder.ts'

/**
 * An SQL expression for the first day of the window that ends on `day`: the first day of its
 * calendar year, or the day after the same day a year before.
 * @param day an expression of type date
 * @param window an expression of type text: `rolling12Months` or `calendarYear`
 */
export function windowStart(day: string, window: string): string {
  return `case ${window} when 'calendarYear' then date_trunc('year', ${day}::timestamp)::date
    else (${day} - interval '1 year')::date + 1 end`
}

// Renewal is decided by the window that ends with the period, so spend that will be outside of it
// by then does not count.
const [now, atEnd] = ['$3::date', 'mt.expiry_date'].map((day) => windowStart(day, '$4::text'))
const readSpend = statement(
  `select mt.tier_code, t.names, t.level, t.renew_threshold, mt.start_date, mt.expiry_date,
     coalesce(sum(q.amount) filter (where q.spent_on >= ${now}), 0.00)
       as spent,
     coalesce(sum(q.amount) filter (where q.spent_on between ${atEnd} and mt.expiry_date),
       0.00) as spent_to_renew
   from member_tier mt join tier t using (company_id, tier_code)
   left join qualifying_spend q on q.company_id = mt.company_id and q.member_id = mt.member_id
     and q.spent_on <= $3
     and q.spent_on >= least(${now},
       ${atEnd})
   where mt.company_id = $1 and mt.member_id = $2
   group by mt.tier_code, t.names, t.level, t.renew_threshold, mt.start_date, mt.expiry_date`,
  z.object({
    tier_code: z.string(),
    names: Texts,
    level: z.int(),
    renew_threshold: z.string(),
    start_date: z.string(),
    expiry_date: z.nullable(z.string()),
    spent: z.string(),
    spent_to_renew: z.string(),
  }),
)

/**
 * Reads a member's tier, the spend in the window that ends today, and the gaps to the next tier and
 * to renewal. Both gaps are money, never below zero.
 * @param today the company's day
 */
export async function readStanding(
  tx: Transaction,
  company: { id: string; revision: number },
  memberId: string,
  today: string,
  settings: Settings,
  language: Language,
): Promise<TierStanding> {
  const [row, ladder] = await Promise.all([
    tx.one(readSpend, [company.id, memberId, today, settings.tierRules.window]),
    ladderOf(tx, company),
  ])
  const next = ladder.find((rung) => rung.level > row.level)
  return {
    code: row.tier_code,
    name: textIn(row.names, language, settings),
    level: row.level,
    gradeSpend: moneyText(decimal(row.spent), decimalsOf(settings)),
    startDate: row.start_date,
    expiryDate: row.expiry_date,
    nextTier:
      next === undefined
        ? null
        : {
            code: next.code,
            name: textIn(next.names, language, settings),
            threshold: next.threshold,
          },
    gapToNextTier: next === undefined ? null : missing(next.threshold, row.spent),
    gapToRenew: row.expiry_date === null ? null : missing(row.renew_threshold, row.spent_to_renew),
  }
}

/** The difference, or `0.00` when the threshold is reached. */
function missing(threshold: string, spent: string): string {
  return moneyText(
    larger(minus(decimal(threshold), decimal(spent)), zero),
    decimal(threshold).scale,
  )
}
