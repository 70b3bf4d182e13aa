import { useLingui } from '@lingui/react/macro'
import type { Activity, ActivityKind } from '@tillside/contract/activity'

type KindTexts = {
  /** The name of a kind in the totals. */
  kinds: Record<ActivityKind, string>
  /** The name of one action. */
  nameOf: (item: Activity) => string
}

/** Names the actions of a shift and their kinds. */
export function useKindTexts(): KindTexts {
  const { t } = useLingui()
  const kinds = {
    couponRedeemed: t({ id: 'shift.coupons', message: 'Coupons redeemed' }),
    gift: t({ id: 'shift.gifts', message: 'Rewards' }),
    sale: t({ id: 'shift.sales', message: 'Points against sales' }),
    couponBought: t({ id: 'shift.purchases', message: 'Coupons for points' }),
    couponIssued: t({ id: 'shift.issues', message: 'Coupons issued' }),
    registered: t({ id: 'shift.members', message: 'Members registered' }),
    profile: t({ id: 'shift.profiles', message: 'Profiles changed' }),
    other: t({ id: 'shift.others', message: 'Other' }),
  }
  const ones: Record<ActivityKind, string> = {
    couponRedeemed: t({ id: 'shift.coupon', message: 'Coupon redeemed' }),
    gift: t({ id: 'shift.gift', message: 'Reward redeemed' }),
    sale: t({ id: 'shift.sale', message: 'Points used for a sale' }),
    couponBought: t({ id: 'shift.bought', message: 'Coupon issued for points' }),
    couponIssued: t({ id: 'shift.issued', message: 'Coupon issued' }),
    registered: t({ id: 'shift.joined', message: 'Member registered' }),
    profile: t({ id: 'shift.profile', message: 'Profile changed' }),
    other: '',
  }
  const acts = new Map([
    ['member.resign', t({ id: 'shift.resigned', message: 'Terms agreed to again' })],
    ['member.reveal', t({ id: 'shift.revealed', message: 'Contact details shown' })],
  ])
  return {
    kinds,
    nameOf: (item) => {
      // A newer server may have actions without a text here; these are shown by their name.
      const name = acts.get(item.action) ?? (ones[item.kind] || item.action)
      return isUndo(item) ? t({ id: 'shift.undone', message: `${name}: undone` }) : name
    },
  }
}

/** Whether the action undoes another one. */
export function isUndo({ action }: Activity): boolean {
  return action === 'points.cancel' || action === 'coupon.cancelRedeem'
}
