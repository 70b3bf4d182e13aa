import type { Coupon } from '@tillside/contract/coupon'
import { daysBetween } from '../kit/format.ts'

/** What a coupon's ticket shows, decided before anything is drawn (ux.md 3.6). */
export type TicketLook = {
  state: 'valid' | 'future' | 'used' | 'expired'
  /** Days until it ends, when that is worth a tag; 0 is today. */
  endsIn: number | null
  /** What stands in the stub; null: the ticket is whole. */
  stub: 'redeem' | 'starts' | 'otherStore' | null
}

const soon = 3

/** @param today the company's day, `YYYY-MM-DD` */
export function ticketLook(coupon: Coupon, today: string): TicketLook {
  if (coupon.status === 'USED') return { state: 'used', endsIn: null, stub: null }
  if (coupon.status === 'EXPIRED') return { state: 'expired', endsIn: null, stub: null }
  if (coupon.notRedeemableReason === 'couponNotStarted' || coupon.startDate > today) {
    return { state: 'future', endsIn: null, stub: 'starts' }
  }
  const days = daysBetween(today, coupon.expiryDate)
  const endsIn = days >= 0 && days <= soon ? days : null
  return { state: 'valid', endsIn, stub: stubOf(coupon) }
}

function stubOf({ redeemable, notRedeemableReason }: Coupon): TicketLook['stub'] {
  if (redeemable) return 'redeem'
  return notRedeemableReason === 'couponOtherStore' ? 'otherStore' : null
}
