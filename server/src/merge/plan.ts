import type { Settings } from '../company/definition.ts'
import type { LadderTier } from '../company/ladder.ts'
import { tierLife, type TierPeriod } from '../tier/life.ts'
import type { Spend } from '../tier/window.ts'

/** What one of two members brings into a merge. */
export type Side = {
  memberId: string
  memberCode: string
  /** Without points that have expired. */
  balance: number
  receipts: number
  coupons: number
  consents: number
  keys: number
  /** Days are YYYY-MM-DD; a null expiry never ends. */
  tier: TierPeriod
}

/** The spend of a member that counts towards a tier, and the day on which the member joined. */
export type Spent = { since: string; spends: readonly Spend[] }

/** The result of a merge of two members. */
export type MergePlan = {
  balance: number
  /** Points of one member that repay the debt of the other; 0 without a debt. */
  repaid: number
  tier: TierPeriod
}

/** The rules of the company's tiers; `ladder` has the live ones, lowest first. */
export type TierTerms = {
  ladder: readonly LadderTier[]
  today: string
  rules: Settings['tierRules']
}

/** The tier that follows from a member's spend alone. */
export function tierBySpend({ since, spends }: Spent, terms: TierTerms): TierPeriod {
  return tierLife(spends, terms.ladder, terms.rules, since, terms.today)
}

const endOf = ({ expiryDate }: TierPeriod) => expiryDate ?? 'never'

/**
 * Plans a merge. The tier is the highest of three: the two that they have, and the one that the
 * spend of both gives; among equal ones the one that ends last.
 */
export function planMerge(
  survivor: Side,
  merged: Side,
  spent: { survivor: Spent; merged: Spent },
  terms: TierTerms,
): MergePlan {
  const both = {
    since: spent.survivor.since < spent.merged.since ? spent.survivor.since : spent.merged.since,
    spends: [...spent.survivor.spends, ...spent.merged.spends],
  }
  const levelOf = ({ code }: TierPeriod) =>
    terms.ladder.find((rung) => rung.code === code)?.level ?? 0
  const [tier = survivor.tier] = [survivor.tier, merged.tier, tierBySpend(both, terms)].toSorted(
    (a, b) => levelOf(b) - levelOf(a) || (endOf(a) < endOf(b) ? 1 : endOf(a) > endOf(b) ? -1 : 0),
  )
  const [a, b] = [survivor.balance, merged.balance]
  const hasDebt = Math.min(a, b) < 0 && Math.max(a, b) > 0
  return { balance: a + b, repaid: hasDebt ? Math.min(Math.abs(a), Math.abs(b)) : 0, tier }
}
