import type { AssignedCoupon, Coupon } from '@tillside/contract/coupon'
import { daysBetween } from '../kit/text/format.ts'

/** What a coupon's ticket shows, decided before anything is drawn (ux.md 3.6). */
export type TicketLook = {
  state: 'valid' | 'future' | 'used' | 'expired'
  /** Days until it ends, when that is worth a tag; 0 is today. */
  endsIn: number | null
  /** What stands in the stub; null: the ticket is whole. */
  stub: 'redeem' | 'starts' | 'otherStore' | null
}

const soonDays = 3

/** @param today the company's day, `YYYY-MM-DD` */
export function ticketLook(coupon: Coupon, today: string): TicketLook {
  if (coupon.status === 'USED') return { state: 'used', endsIn: null, stub: null }
  if (coupon.status === 'EXPIRED') return { state: 'expired', endsIn: null, stub: null }
  if (coupon.notRedeemableReason === 'couponNotStarted' || coupon.startDate > today) {
    return { state: 'future', endsIn: null, stub: 'starts' }
  }
  const days = daysBetween(today, coupon.expiryDate)
  const endsIn = days >= 0 && days <= soonDays ? days : null
  return { state: 'valid', endsIn, stub: stubOf(coupon) }
}

function stubOf({ redeemable, notRedeemableReason }: Coupon): TicketLook['stub'] {
  if (redeemable) return 'redeem'
  return notRedeemableReason === 'couponOtherStore' ? 'otherStore' : null
}

/**
 * Whether the store that redeemed it may still take that back. The server decides; this only
 * keeps a button away that could not work.
 * @param now in ms
 */
export function canUndoRedeem(
  { status, redeemDate, redeemStore }: Coupon,
  storeCode: string,
  undoMinutes: number,
  now: number,
): boolean {
  if (status !== 'USED' || redeemDate === null || redeemStore?.code !== storeCode) return false
  return now - Date.parse(redeemDate) < undoMinutes * 60_000
}

/** Why a coupon cannot be issued to this member now, as far as can be seen from here. */
export type IssueBlocker =
  | { kind: 'soldOut' }
  | { kind: 'limit'; limit: number }
  | { kind: 'short'; points: number }

const maxPerIssue = 10

/** @param usablePoints what the member can spend today; null where the clerk may not see it */
export function issueBlockerOf(
  { remaining, perMemberLimit, memberHas, pointsCost }: AssignedCoupon,
  usablePoints: number | null,
): IssueBlocker | null {
  if (remaining !== null && remaining <= 0) return { kind: 'soldOut' }
  if (perMemberLimit !== null && memberHas >= perMemberLimit) {
    return { kind: 'limit', limit: perMemberLimit }
  }
  if (pointsCost !== null && usablePoints !== null && pointsCost > usablePoints) {
    return { kind: 'short', points: pointsCost - usablePoints }
  }
  return null
}

/** How many of it this member can be given at once; at least one, which the server may refuse. */
export function maxQuantity(assigned: AssignedCoupon, usablePoints: number | null): number {
  const { remaining, perMemberLimit, memberHas, pointsCost } = assigned
  const paid =
    pointsCost === null || usablePoints === null ? maxPerIssue : usablePoints / pointsCost
  const allowed = perMemberLimit === null ? maxPerIssue : perMemberLimit - memberHas
  return Math.max(1, Math.min(maxPerIssue, remaining ?? maxPerIssue, allowed, Math.floor(paid)))
}

/** First what this member can have, each group in the server's order. */
export function availableFirst(
  items: readonly AssignedCoupon[],
  usablePoints: number | null,
): AssignedCoupon[] {
  const rank = (item: AssignedCoupon) => (issueBlockerOf(item, usablePoints) === null ? 0 : 1)
  return items.toSorted((a, b) => rank(a) - rank(b))
}

/** Those whose name has all that was typed, in any order. */
export function filterByName(items: readonly AssignedCoupon[], typed: string): AssignedCoupon[] {
  const words = typed.normalize('NFKC').toLocaleLowerCase().split(/\s+/)
  return items.filter(({ name }) => {
    const within = name.normalize('NFKC').toLocaleLowerCase()
    return words.every((word) => within.includes(word))
  })
}
