import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { enqueueEvent } from '../member/events.ts'
import { moveToTier } from '../member/tier.ts'
import { ladderOf, type LadderTier, reaches } from '../company/ladder.ts'
import { tierEnd } from './qualify.ts'
import { windowStart } from './window.ts'

const readHeld = statement(
  `select mt.tier_code, t.level, t.renew_threshold, mt.expiry_date
   from member_tier mt join tier t using (company_id, tier_code)
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({
    tier_code: z.string(),
    level: z.int(),
    renew_threshold: z.string(),
    expiry_date: z.nullable(z.string()),
  }),
)
const readSpent = statement(
  `select coalesce(sum(amount), 0.00) as spent from qualifying_spend
   where company_id = $1 and member_id = $2
     and spent_on between ${windowStart('$3::date', '$4::text')} and $3`,
  z.object({ spent: z.string() }),
)
const readNewest = statement(
  `select max(spent_on) as day from qualifying_spend
   where company_id = $1 and member_id = $2 and spent_on between $3 and $4`,
  z.object({ day: z.nullable(z.string()) }),
)

type Held = Pick<LadderTier, 'code' | 'level' | 'renewThreshold'>

/** A change of tier by a review, or by the spend after it. */
export type TierChange = {
  action: 'tier.renew' | 'tier.stepDown' | 'tier.recompute' | 'tier.upgrade'
  from: string
  to: string
  /** The first day of the new period. */
  startDate: string
  /** Its last day; null: never ends. */
  expiryDate: string | null
  /** The qualifying spend on which the decision is based, a decimal string. */
  spent: string
}

/**
 * Decides the tier after a period. If the renew threshold was met in the window that ends with the
 * period, the tier is renewed; a stopped tier is replaced by the live tier of its level or the next
 * one below. Otherwise the member moves one tier down (`stepDown`) or to the tier that the window's
 * spend reaches (`recompute`).
 * @param ladder the live tiers, lowest first
 * @param spent in the window that ends with the period, a decimal string
 */
export function decideReview(
  held: Held,
  ladder: readonly LadderTier[],
  spent: string,
  atEnd: Settings['tierRules']['atEnd'],
): { action: TierChange['action']; rung: LadderTier } {
  const upTo = (fits: (rung: LadderTier) => boolean): LadderTier => {
    const rung = ladder.findLast(fits) ?? ladder[0]
    if (rung === undefined) throw new Error('a company without tiers')
    return rung
  }
  if (reaches(spent, held.renewThreshold)) {
    const rung = upTo(({ level }) => level <= held.level)
    return { action: rung.code === held.code ? 'tier.renew' : 'tier.recompute', rung }
  }
  return atEnd === 'stepDown'
    ? { action: 'tier.stepDown', rung: upTo(({ level }) => level < held.level) }
    : { action: 'tier.recompute', rung: upTo(({ threshold }) => reaches(spent, threshold)) }
}

/**
 * Reviews a member's tier period by period until the current period includes `today`, and then
 * counts later spend. The caller must hold the points account's lock.
 * @param today the company's day
 * @returns every change, in order; empty when the period has not ended
 */
export async function reviewTier(
  tx: Transaction,
  company: { id: string; revision: number },
  memberId: string,
  today: string,
  rules: Settings['tierRules'],
): Promise<TierChange[]> {
  const changes = await readReview(tx, company, memberId, today, rules)
  await storeReview(tx, company, memberId, changes)
  return changes
}

/** Stores what `readReview` decided. The caller must have held the lock since then. */
export async function storeReview(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  changes: readonly TierChange[],
): Promise<void> {
  const [first, last] = [changes.at(0), changes.at(-1)]
  if (first === undefined || last === undefined) return
  const { to, startDate, expiryDate } = last
  await moveToTier(tx, company, memberId, { code: to, startDate, expiryDate })
  const { from } = first
  if (to !== from) {
    enqueueEvent(tx, company.id, 'tier.changed', memberId, { from, to, startDate, expiryDate })
  }
}

/**
 * Decides a review without storing it.
 * @param today the company's day
 * @returns every change, in order; empty when the period has not ended
 */
export async function readReview(
  tx: Transaction,
  company: { id: string; revision: number },
  member: string,
  today: string,
  rules: Settings['tierRules'],
): Promise<TierChange[]> {
  const [row, ladder] = await Promise.all([
    tx.one(readHeld, [company.id, member]),
    ladderOf(tx, company),
  ])
  const changes: TierChange[] = []
  let held: Held = { code: row.tier_code, level: row.level, renewThreshold: row.renew_threshold }
  let end = row.expiry_date
  const move = (
    action: TierChange['action'],
    rung: LadderTier,
    startDate: string,
    spent: string,
  ) => {
    changes.push({ action, from: held.code, to: rung.code, startDate, expiryDate: end, spent })
    held = rung
  }
  while (end !== null && end < today) {
    const { spent } = await tx.one(readSpent, [company.id, member, end, rules.window])
    const { action, rung } = decideReview(held, ladder, spent, rules.atEnd)
    const startDate = addDays(end, 1)
    // Periods follow each other without a gap, and the lowest tier never ends.
    end = rung === ladder[0] ? null : tierEnd(end, rules)
    move(action, rung, startDate, spent)
  }
  const last = changes.at(-1)
  if (last === undefined) return changes
  // Sales before this late review were judged by the tier that had ended.
  const { day } = await tx.one(readNewest, [company.id, member, last.startDate, today])
  if (day !== null) {
    const { spent } = await tx.one(readSpent, [company.id, member, day, rules.window])
    const rung = ladder.findLast(({ threshold }) => reaches(spent, threshold))
    if (rung !== undefined && rung.level > held.level) {
      end = tierEnd(day, rules)
      move('tier.upgrade', rung, day, spent)
    }
  }
  return changes
}

const readMultiplier = statement(
  `select t.multiplier, coalesce(mt.expiry_date < $3, false) as ended
   from member_tier mt join tier t using (company_id, tier_code)
   where mt.company_id = $1 and mt.member_id = $2`,
  z.object({ multiplier: z.string(), ended: z.boolean() }),
)

/**
 * Reads the multiplier of the points that a sale today earns, a decimal string. If the period has
 * ended and was not reviewed yet, it is that of the tier after the review.
 */
export async function currentMultiplier(
  tx: Transaction,
  company: { id: string; revision: number },
  member: string,
  today: string,
  rules: () => Promise<Settings['tierRules']>,
): Promise<string> {
  const { multiplier, ended } = await tx.one(readMultiplier, [company.id, member, today])
  if (!ended) return multiplier
  const last = (await readReview(tx, company, member, today, await rules())).at(-1)
  const rung = (await ladderOf(tx, company)).find(({ code }) => code === last?.to)
  return rung?.multiplier ?? multiplier
}
