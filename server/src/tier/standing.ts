import type { Language } from '@tillside/contract/wire/language'
import type { TierStanding } from '@tillside/contract/tier'
import * as z from 'zod/mini'
import { type Settings, textIn } from '../company/definition.ts'
import { type LadderTier, tierIn, tiersOf } from '../company/ladder.ts'
import { decimalsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { decimal, larger, minus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { Outdated } from '../values/outdated.ts'
import { hasEnded } from '../member/member.ts'
import { readReview } from './review.ts'
import { windowStart } from './window.ts'

// Renewal is decided by the window that ends with the period, so spend that will be outside of it
// by then does not count.
const [now, atEnd] = ['$3::date', 'mt.expiry_date'].map((day) => windowStart(day, '$4::text'))
export const SpendRow = z.object({
  tier_code: z.string(),
  start_date: z.string(),
  expiry_date: z.nullable(z.string()),
  spent: z.string(),
  spent_to_renew: z.string(),
})
type SpendRow = z.infer<typeof SpendRow>

/** SQL of a member's tier and spend; `$3` is the company's day, `$4` the kind of window. */
export function spendSql(member: string): string {
  return `select mt.tier_code, mt.start_date, mt.expiry_date, s.spent, s.spent_to_renew
   from member_tier mt cross join lateral (
     select coalesce(sum(q.amount) filter (where q.spent_on >= ${now}), 0.00) as spent,
       coalesce(sum(q.amount) filter (where q.spent_on between ${atEnd} and mt.expiry_date), 0.00)
         as spent_to_renew
     from qualifying_spend q where q.company_id = $1 and q.member_id = ${member}
       and q.spent_on <= $3 and q.spent_on >= least(${now}, ${atEnd})
   ) s
   where mt.company_id = $1 and mt.member_id = ${member}`
}
const readSpend = statement(spendSql('$2'), SpendRow)

const readToRenew = statement(
  `select coalesce(sum(amount), 0.00) as spent from qualifying_spend
   where company_id = $1 and member_id = $2
     and spent_on between ${windowStart('$3::date', '$4::text')} and $5`,
  z.object({ spent: z.string() }),
)

type Held = Pick<LadderTier, 'code' | 'names' | 'level' | 'renewThreshold'> & {
  startDate: string
  expiryDate: string | null
  /** The spend that counts for the renewal, a decimal string. */
  toRenew: string
}

type Asking = { tx: Transaction; company: Company; today: string; language: Language }
type Company = { id: string; revision: number }

/**
 * Reads a member's tier, the spend in the window that ends today, and the gaps to the next tier and
 * to renewal. Both gaps are money, never below zero. If the period has ended and the job has not
 * reviewed it yet, the tier is as the review will decide it.
 * @param today the company's day
 * @throws Outdated if the job reviewed the tier while this read it; `reading` tries again
 */
export async function readStanding(
  tx: Transaction,
  company: Company,
  member: string,
  today: string,
  settings: Settings,
  language: Language,
): Promise<TierStanding> {
  const asking = tx.one(readSpend, [company.id, member, today, settings.tierRules.window])
  const of = { tx, company, today, language }
  return standingOf(of, member, await asking, settings)
}

/** Explains the tier and spend that `spendSql` has read, as `readStanding` does. */
export async function standingOf(
  { tx, company, today, language }: Asking,
  member: string,
  row: SpendRow,
  settings: Settings,
): Promise<TierStanding> {
  const tiers = await tiersOf(tx, company)
  const { ladder } = tiers
  const isPending = hasEnded(row.expiry_date, today)
  const held = isPending
    ? await readReviewed(tx, company, member, today, settings.tierRules, ladder)
    : heldOf(row, tierIn(tiers, row.tier_code))
  const next = ladder.find((rung) => rung.level > held.level)
  return {
    code: held.code,
    name: textIn(held.names, language, settings),
    level: held.level,
    gradeSpend: moneyText(decimal(row.spent), decimalsOf(settings)),
    startDate: held.startDate,
    expiryDate: held.expiryDate,
    endedOn: isPending ? row.expiry_date : null,
    nextTier:
      next === undefined
        ? null
        : {
            code: next.code,
            name: textIn(next.names, language, settings),
            threshold: next.threshold,
          },
    gapToNextTier: next === undefined ? null : missing(next.threshold, row.spent),
    gapToRenew: held.expiryDate === null ? null : missing(held.renewThreshold, held.toRenew),
  }
}

function heldOf(row: SpendRow, { code, names, level, renewThreshold }: LadderTier): Held {
  const { start_date: startDate, expiry_date: expiryDate, spent_to_renew: toRenew } = row
  return { code, names, level, renewThreshold, startDate, expiryDate, toRenew }
}

/** The tier after the review of a period that has ended; nothing is stored. */
async function readReviewed(
  tx: Transaction,
  company: Company,
  member: string,
  today: string,
  rules: Settings['tierRules'],
  ladder: readonly LadderTier[],
): Promise<Held> {
  const last = (await readReview(tx, company, member, today, rules)).at(-1)
  const rung = ladder.find(({ code }) => code === last?.to)
  // The statements of a page do not see the same moment: the job may have reviewed the tier.
  if (last === undefined) throw new Outdated('the tier was reviewed meanwhile')
  if (rung === undefined) throw new Error('a review without a result')
  const { startDate, expiryDate } = last
  if (expiryDate === null) return { ...rung, startDate, expiryDate, toRenew: '0' }
  const values = [company.id, member, expiryDate, rules.window, today]
  const { spent: toRenew } = await tx.one(readToRenew, values)
  return { ...rung, startDate, expiryDate, toRenew }
}

/** The difference, or `0.00` when the threshold is reached. */
function missing(threshold: string, spent: string): string {
  return moneyText(
    larger(minus(decimal(threshold), decimal(spent)), zero),
    decimal(threshold).scale,
  )
}
