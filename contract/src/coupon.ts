import * as z from 'zod/mini'
import { couponStatuses } from './codes.ts'
import { endpoint } from './endpoint.ts'
import { Day, Instant, list, MemberCode, page, Place, text } from './shapes.ts'

export const CouponStatus = z.enum(couponStatuses)
export type CouponStatus = z.infer<typeof CouponStatus>

/** Why a coupon cannot be redeemed here and now; the same names as the refusals of `redeem`. */
export const notRedeemableReasons = [
  'couponUsed',
  'couponExpired',
  'couponNotStarted',
  'couponOtherStore',
  'noPermission',
] as const

export const Coupon = z.object({
  code: z.string(),
  couponId: z.string(),
  name: z.string(),
  unionCode: z.nullable(z.string()),
  description: z.nullable(z.string()),
  kind: z.enum(['amount', 'percent', 'gift']),
  /** Money for `amount`, `15` for 15 percent, null for a gift. */
  value: z.nullable(z.string()),
  /**
   * EXPIRED from the end of `expiryDate` on, in the company's time zone, with no job in between.
   */
  status: CouponStatus,
  issueDate: Day,
  startDate: Day,
  expiryDate: Day,
  redeemDate: z.nullable(Instant),
  redeemStore: z.nullable(Place),
  /** Here and now, by this staff member at this store. */
  redeemable: z.boolean(),
  notRedeemableReason: z.nullable(z.enum(notRedeemableReasons)),
})
export type Coupon = z.infer<typeof Coupon>

/** ISSUED: ending soonest first. USED and EXPIRED: latest first. */
export const getCustomerCoupons = endpoint({
  method: 'GET',
  path: '/connector/coupon/getCustomerCoupons',
  access: ['coupon', 'couponView'],
  idempotent: false,
  input: z.strictObject({ memberCode: MemberCode, status: z.optional(CouponStatus), ...page }),
  data: z.object({ ...list(Coupon), counts: z.record(CouponStatus, z.int()) }),
  refusals: ['memberUnknown'],
})

/**
 * A coupon's code as somebody typed it; the server reads look-alikes, spaces, hyphens and full
 * width.
 */
export const CouponCode = text(64)

export const InvoiceNumber = text(64)

export const redeemCoupon = endpoint({
  method: 'POST',
  path: '/connector/coupon/redeem',
  access: ['couponRedeem'],
  idempotent: true,
  input: z.strictObject({
    couponCode: CouponCode,
    memberCode: MemberCode,
    invoiceNumber: z.optional(InvoiceNumber),
  }),
  data: Coupon,
  refusals: [
    'memberUnknown',
    'couponUnknown',
    'couponOtherMember',
    'couponUsed',
    'couponExpired',
    'couponNotStarted',
    'couponOtherStore',
  ],
})
