import { maxPerRequest } from './rules/supply.ts'
import * as z from 'zod/mini'
import { couponStatuses } from './wire/codes.ts'
import { endpoint } from './wire/endpoint.ts'
import {
  Day,
  Instant,
  list,
  MemberCode,
  page,
  Place,
  Points,
  text,
  wholeNumber,
} from './wire/shapes.ts'

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

const InvoiceNumber = text(64)

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

export const AssignedCoupon = z.object({
  couponId: z.string(),
  name: z.string(),
  unionCode: z.nullable(z.string()),
  description: z.nullable(z.string()),
  kind: Coupon.shape.kind,
  value: z.nullable(z.string()),
  /** If issued today. */
  validity: z.object({ startDate: Day, expiryDate: Day }),
  /** Null: free to issue; a number: `issueByPoints` only. */
  pointsCost: z.nullable(z.int()),
  /** Null: unlimited. */
  remaining: z.nullable(z.int()),
  perMemberLimit: z.nullable(z.int()),
  memberHas: z.int(),
})
export type AssignedCoupon = z.infer<typeof AssignedCoupon>

/** What this store may issue to this member today. */
export const getStoreAssignedCoupons = endpoint({
  method: 'GET',
  path: '/connector/coupon/getStoreAssignedCoupons',
  access: ['homeIssuecoupon', 'pointExchange'],
  idempotent: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({ items: z.array(AssignedCoupon) }),
  refusals: ['memberUnknown'],
})

/** The coupon with its owner, so that a scanned code opens the right member. */
export const couponCodeDetail = endpoint({
  method: 'GET',
  path: '/connector/coupon/couponCodeDetail',
  access: ['couponView', 'couponRedeem'],
  idempotent: false,
  input: z.strictObject({ couponCode: CouponCode }),
  data: z.extend(Coupon, {
    member: z.object({ memberCode: z.string(), firstName: z.string(), lastName: z.string() }),
  }),
  refusals: ['couponUnknown'],
})

const order = {
  memberCode: MemberCode,
  couponId: text(32),
  quantity: wholeNumber(1, maxPerRequest),
}
const issueRefusals = [
  'memberUnknown',
  'couponUnknown',
  'couponOtherStore',
  'couponCost',
  'couponExpired',
  'couponOutOfStock',
  'couponLimit',
] as const

export const issueCoupon = endpoint({
  method: 'POST',
  path: '/connector/coupon/issue',
  access: ['homeIssuecoupon'],
  idempotent: true,
  input: z.strictObject(order),
  data: z.object({ coupons: z.array(Coupon) }),
  refusals: issueRefusals,
})

/** The coupons and the debit that pays for them, in one transaction. */
export const issueCouponByPoints = endpoint({
  method: 'POST',
  path: '/connector/coupon/issueByPoints',
  access: ['pointExchange'],
  idempotent: true,
  input: z.strictObject({ ...order, expectedBalance: z.optional(Points) }),
  data: z.object({ coupons: z.array(Coupon), pointsSpent: Points, balance: Points }),
  refusals: [...issueRefusals, 'pointsAboveBalance', 'balanceChanged'],
})

/**
 * Why a coupon of a batch was refused: the refusals of `redeem`, and `couponTwice` where the batch
 * names it a second time.
 */
export const batchReasons = [
  'couponUnknown',
  'couponOtherMember',
  'couponUsed',
  'couponExpired',
  'couponNotStarted',
  'couponOtherStore',
  'couponTwice',
] as const

/** All or none; the refusal names each coupon that stood in the way. */
export const batchRedeemCoupons = endpoint({
  method: 'POST',
  path: '/connector/coupon/batchRedeem',
  access: ['couponRedeem'],
  idempotent: true,
  input: z.strictObject({
    couponCodes: z.array(CouponCode).check(z.minLength(1), z.maxLength(20)),
    memberCode: MemberCode,
    invoiceNumber: z.optional(InvoiceNumber),
  }),
  data: z.object({ coupons: z.array(Coupon) }),
  refusals: ['memberUnknown', 'couponsRefused'],
})

/** ISSUED again, within its validity: by the store that redeemed, within the company's window. */
export const cancelCouponRedeem = endpoint({
  method: 'POST',
  path: '/connector/coupon/cancelRedeem',
  access: ['couponRedeem'],
  idempotent: true,
  input: z.strictObject({ couponCode: CouponCode, memberCode: MemberCode, reason: text(200) }),
  data: Coupon,
  refusals: ['memberUnknown', 'couponUnknown', 'couponOtherMember', 'notCancellable'],
})
