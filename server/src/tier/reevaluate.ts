import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { enqueueEvent } from '../member/events.ts'
import { moveToTier } from '../member/tier.ts'
import { ladderOf } from '../company/ladder.ts'
import { tierLife, type TierPeriod } from './life.ts'
import type { Spend } from './window.ts'

const readHeld = statement(
  `select mt.tier_code, mt.start_date, mt.expiry_date, m.registration_date
   from member_tier mt join member m on m.company_id = $1 and m.member_id = $2
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({
    tier_code: z.string(),
    start_date: z.string(),
    expiry_date: z.nullable(z.string()),
    registration_date: z.string(),
  }),
)
const readSpends = statement(
  `select spent_on as day, sum(amount) as amount from qualifying_spend
   where company_id = $1 and member_id = $2 group by spent_on`,
  z.object({ day: z.string(), amount: z.string() }),
)

/** A tier that changed because a sale was returned. */
export type Reevaluated = { action: 'tier.reevaluate'; from: string } & TierPeriod

/**
 * Gives a member the tier as it would be without the returned spend, which is stored already. A
 * tier that does not follow from the spend, such as one that was set by an import, stays. The
 * caller must hold the point account's lock.
 * @param returned the spend that was returned, above 0, on the days of its sales
 * @param asOf the day on which the tier is judged
 * @returns the change, or null
 */
export async function reevaluateTier(
  tx: Transaction,
  company: { id: string; revision: number },
  memberId: string,
  returned: readonly Spend[],
  asOf: string,
  rules: Settings['tierRules'],
): Promise<Reevaluated | null> {
  const of = [company.id, memberId]
  const [row, spends, ladder] = await Promise.all([
    tx.one(readHeld, of),
    tx.all(readSpends, of),
    ladderOf(tx, company),
  ])
  const { tier_code: from, start_date: start, expiry_date: end, registration_date: since } = row
  const day = start > asOf ? start : asOf
  const life = (list: readonly Spend[]) => tierLife(list, ladder, rules, since, day)
  const [before, after] = [life([...spends, ...returned]), life(spends)]
  const same = before.code === after.code && before.startDate === after.startDate
  if (before.code !== from || (same && before.expiryDate === after.expiryDate)) return null
  const { code, startDate, expiryDate } = after
  if (code === from && startDate === start && expiryDate === end) return null
  await moveToTier(tx, company, memberId, after)
  enqueueEvent(tx, company.id, 'tier.changed', memberId, { from, to: code, startDate, expiryDate })
  return { action: 'tier.reevaluate', from, ...after }
}
