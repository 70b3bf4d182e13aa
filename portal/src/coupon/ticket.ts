import { supplyProblem } from '@tillside/contract/rules/supply'
import type { AssignedCoupon, Coupon } from '@tillside/contract/coupon'
import { daysBetween } from '@tillside/contract/rules/day'

/**
 * The appearance of a coupon's ticket, computed apart from the drawing so that it can be tested.
 */
export type TicketLook = {
  state: 'valid' | 'future' | 'used' | 'expired'
  /** Days until the coupon expires, if that is soon enough for a tag; 0 is today. */
  endsIn: number | null
  /** The content of the stub; null: the ticket has no stub. */
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
 * Whether this store may still undo the redemption. The server decides; this only hides a button
 * that would fail.
 * @param now in ms since 1970
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

/** Why a coupon cannot be issued to this member now, as far as the portal can know. */
export type IssueBlocker =
  | { kind: 'soldOut' }
  | { kind: 'limit'; limit: number }
  | { kind: 'short'; points: number }

/**
 * @param usablePoints the points that the member can spend today; null if the clerk may not see
 * them
 */
export function issueBlockerOf(
  assigned: AssignedCoupon,
  usablePoints: number | null,
): IssueBlocker | null {
  const { perMemberLimit, pointsCost } = assigned
  const problem = supplyProblem(assigned, 1)
  if (problem === 'outOfStock') return { kind: 'soldOut' }
  if (problem === 'limit') return { kind: 'limit', limit: perMemberLimit ?? 0 }
  if (pointsCost !== null && usablePoints !== null && pointsCost > usablePoints) {
    return { kind: 'short', points: pointsCost - usablePoints }
  }
  return null
}

/** Coupons that this member can get first, otherwise in the server's order. */
export function availableFirst(
  items: readonly AssignedCoupon[],
  usablePoints: number | null,
): AssignedCoupon[] {
  const rank = (item: AssignedCoupon) => (issueBlockerOf(item, usablePoints) === null ? 0 : 1)
  return items.toSorted((a, b) => rank(a) - rank(b))
}

/** Coupons that differ in their codes only: one ticket, with the first to be used on top. */
export type Stack = { top: Coupon; count: number; isAll: boolean }

/**
 * Puts identical coupons together; a stack is at the place of its first coupon.
 * @param isAll whether the member has no other coupons, so that the counts are final
 */
export function stacksOf(coupons: readonly Coupon[], isAll: boolean): Stack[] {
  const stacks = new Map<string, Stack>()
  for (const coupon of coupons) {
    const { couponId, status, startDate, expiryDate, redeemable, notRedeemableReason } = coupon
    const isAlike = status === 'ISSUED'
    const name = isAlike
      ? [couponId, startDate, expiryDate, redeemable, notRedeemableReason].join(' ')
      : coupon.code
    const known = stacks.get(name)
    if (known === undefined) stacks.set(name, { top: coupon, count: 1, isAll })
    else known.count += 1
  }
  return [...stacks.values()]
}

/** The coupons whose name contains every typed word, in any order. */
export function filterByName<T extends { name: string }>(items: readonly T[], typed: string): T[] {
  const words = typed.normalize('NFKC').toLocaleLowerCase().split(/\s+/)
  return items.filter(({ name }) => {
    const within = name.normalize('NFKC').toLocaleLowerCase()
    return words.every((word) => within.includes(word))
  })
}
