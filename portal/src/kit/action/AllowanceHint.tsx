import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { Allowance } from '@tillside/contract/wire/allowance'
import { Notice } from '../../ui/page/Notice.tsx'
import { formatPoints } from '../text/format.ts'

/** An answer that may carry the clerk's count of the day. */
export type Giving = { allowance?: Allowance | undefined }

/**
 * How much the clerk has given away today, near the company's limit. It is information: the act has
 * succeeded, and the next one can be done.
 */
export function AllowanceHint({ allowance }: Giving) {
  const text = useText()
  return allowance === undefined ? null : <Notice tone="info">{text(allowance)}</Notice>
}

function useText(): (allowance: Allowance) => string {
  const { t } = useLingui()
  return ({ kind, used, limit: most }) => {
    const limit = formatPoints(most)
    switch (kind) {
      case 'couponsRedeemed':
        return t({
          id: 'given.coupons',
          message: plural(used, {
            one: `You have redeemed # coupon today. The limit is ${limit}.`,
            other: `You have redeemed # coupons today. The limit is ${limit}.`,
          }),
        })
      case 'couponsIssued':
        return t({
          id: 'given.issued',
          message: plural(used, {
            one: `You have issued # coupon today. The limit is ${limit}.`,
            other: `You have issued # coupons today. The limit is ${limit}.`,
          }),
        })
      case 'pointRedemptions':
        return t({
          id: 'given.times',
          message: plural(used, {
            one: `You have redeemed points once today. The limit is ${limit}.`,
            other: `You have redeemed points # times today. The limit is ${limit}.`,
          }),
        })
      case 'pointsSpent': {
        const spent = formatPoints(used)
        return t({
          id: 'given.points',
          message: `You have redeemed ${spent} points today. The limit is ${limit}.`,
        })
      }
      case 'undone':
        return t({
          id: 'given.undone',
          message: plural(used, {
            one: `You have undone # redemption today. The limit is ${limit}.`,
            other: `You have undone # redemptions today. The limit is ${limit}.`,
          }),
        })
    }
  }
}
