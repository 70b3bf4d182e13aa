import type { PerLanguage } from '@tillside/contract/wire/language'
import type { Definition } from '../../company/definition.ts'
import { refundPolicyOf } from '../../company/limits.ts'
import { standingTexts } from './standing-texts.ts'

/** The sentences about returns, by the company's choices. */
export function returnRules({ points, tierRules, couponRules }: Definition): PerLanguage<string>[] {
  const { returned, debt, clamp, tierFalls, tierKept, couponBack, couponKept } = standingTexts
  return [
    returned,
    refundPolicyOf(points) === 'debt' ? debt : clamp,
    ...paidPoints(points),
    tierRules.tierAfterReturn === 'reevaluate' ? tierFalls : tierKept,
    couponRules.returnGivesBack ? couponBack : couponKept,
  ]
}

/** About points that paid for returned goods; none where points do not pay. */
function paidPoints(points: Definition['points']): PerLanguage<string>[] {
  const { exchange, expiry, returnGivesBackPoints, returnGraceDays } = points
  const { paidBack, paidKept, grace, lapse } = standingTexts
  if (exchange === null) return []
  if (!returnGivesBackPoints) return [paidKept]
  if (expiry.kind === 'none') return [paidBack]
  return [paidBack, returnGraceDays === 0 ? lapse : grace]
}
