import { addDays } from '@tillside/contract/rules/day'
import { decimal, decimalText, plus, zero } from '@tillside/contract/rules/decimal'
import type { Settings } from '../company/definition.ts'
import type { LadderTier } from '../company/ladder.ts'
import { tierEnd } from './qualify.ts'
import { reaches } from '../company/ladder.ts'
import { decideReview } from './review.ts'
import { firstDay, type Spend } from './window.ts'

type Rules = Settings['tierRules']
export type TierPeriod = { code: string; startDate: string; expiryDate: string | null }

/**
 * Replays a member's tier from its spend, day by day: each day with spend may move the member up,
 * and each period that has ended before is reviewed first.
 * @param ladder the live tiers, lowest first
 * @param since the first day of the lowest tier
 * @param asOf the last day
 */
export function tierLife(
  spends: readonly Spend[],
  ladder: readonly LadderTier[],
  rules: Rules,
  since: string,
  asOf: string,
): TierPeriod {
  const [lowest] = ladder
  if (lowest === undefined) throw new Error('a company without tiers')
  let held = lowest
  let startDate = since
  let end: string | null = null
  const spentBy = (day: string) => sumOf(spends, firstDay(day, rules.window), day)
  const review = (today: string) => {
    while (end !== null && end < today) {
      const { rung } = decideReview(held, ladder, spentBy(end), rules.atEnd)
      startDate = addDays(end, 1)
      end = rung === lowest ? null : tierEnd(end, rules)
      held = rung
    }
  }
  for (const day of [...new Set(spends.map((spend) => spend.day))].sort()) {
    if (day > asOf) break
    review(day)
    const spent = spentBy(day)
    const reached = ladder.findLast(({ threshold }) => reaches(spent, threshold))
    if (reached === undefined || reached.level <= held.level) continue
    held = reached
    startDate = day
    end = tierEnd(day, rules)
  }
  review(asOf)
  return { code: held.code, startDate, expiryDate: end }
}

function sumOf(spends: readonly Spend[], from: string, to: string): string {
  const counted = spends.filter(({ day }) => day >= from && day <= to)
  return decimalText(counted.reduce((sum, { amount }) => plus(sum, decimal(amount)), zero))
}
