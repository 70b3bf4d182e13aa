import type { BookLine } from '@tillside/contract/report'
import type { PointType } from '@tillside/contract/wire/codes'

/**
 * The line of the books to which each type of entry belongs. An undone redemption lowers
 * `redeemed`. Points that a return or a correction takes have a line of their own.
 */
export const lineOf: Record<PointType, BookLine> = {
  earned: 'issued',
  promotionEarned: 'issued',
  adjustmentUp: 'issued',
  specialAdd: 'issued',
  transferIn: 'issued',
  adjustmentDown: 'takenBack',
  specialDeduct: 'takenBack',
  returned: 'takenBack',
  transferOut: 'takenBack',
  redeemGift: 'redeemed',
  redeemCoupon: 'redeemed',
  redeemTransaction: 'redeemed',
  refund: 'redeemed',
  cancelGift: 'redeemed',
  cancelCoupon: 'redeemed',
  expired: 'expired',
}
