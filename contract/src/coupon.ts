import { maxPerRequest } from './rules/supply.ts'
import * as z from 'zod/mini'
import { givingAnswer } from './wire/allowance.ts'
import { couponStatuses } from './wire/codes.ts'
import { endpoint } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
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

/**
 * The reasons why this staff member cannot redeem a coupon at this store now; the same names as the
 * refusals of `redeem`.
 */
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
  unionCode: fact('couponDetail', z.nullable(z.string())),
  description: fact('couponDetail', z.nullable(z.string())),
  kind: z.enum(['amount', 'percent', 'gift']),
  /** Money for `amount`, `15` for 15 percent, null for a gift. */
  value: z.nullable(z.string()),
  /**
   * A coupon is EXPIRED from the end of `expiryDate` in the company's time zone, without any job.
   */
  status: CouponStatus,
  issueDate: fact('couponDetail', Day),
  startDate: Day,
  expiryDate: Day,
  redeemDate: z.nullable(Instant),
  redeemStore: z.nullable(Place),
  /** By this staff member, at this store, now. */
  redeemable: z.boolean(),
  notRedeemableReason: z.nullable(z.enum(notRedeemableReasons)),
})
export type Coupon = z.infer<typeof Coupon>

/** ISSUED coupons: soonest expiry first. USED and EXPIRED ones: latest first. */
export const getCustomerCoupons = endpoint({
  method: 'GET',
  path: '/connector/coupon/getCustomerCoupons',
  access: ['coupon'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode, status: z.optional(CouponStatus), ...page }),
  data: z.object({ ...list(Coupon), counts: z.record(CouponStatus, z.int()) }),
  refusals: ['memberUnknown'],
})

/**
 * A coupon code as typed or scanned; the server accepts look-alikes, spaces, hyphens and full-width
 * characters.
 */
export const CouponCode = text(64)

const InvoiceNumber = text(64)

export const redeemCoupon = endpoint({
  method: 'POST',
  path: '/connector/coupon/redeem',
  access: ['couponRedeem'],
  needsKey: true,
  input: z.strictObject({
    couponCode: CouponCode,
    memberCode: MemberCode,
    invoiceNumber: z.optional(InvoiceNumber),
  }),
  data: z.extend(Coupon, givingAnswer),
  refusals: [
    'memberUnknown',
    'couponUnknown',
    'couponOtherMember',
    'couponUsed',
    'couponExpired',
    'couponNotStarted',
    'couponOtherStore',
    'allowanceUsedUp',
  ],
})

export const AssignedCoupon = z.object({
  couponId: z.string(),
  name: z.string(),
  unionCode: fact('couponDetail', z.nullable(z.string())),
  description: fact('couponDetail', z.nullable(z.string())),
  kind: Coupon.shape.kind,
  value: z.nullable(z.string()),
  /** For a coupon issued today. */
  validity: z.object({ startDate: Day, expiryDate: Day }),
  /** Null: issued free of charge; a number: issued only by `issueByPoints`. */
  pointsCost: z.nullable(z.int()),
  /** Null: unlimited. */
  remaining: z.nullable(z.int()),
  perMemberLimit: z.nullable(z.int()),
  memberHas: fact('coupons', z.int()),
})
export type AssignedCoupon = z.infer<typeof AssignedCoupon>

/** The coupons that this store may issue to this member today. */
export const getStoreAssignedCoupons = endpoint({
  method: 'GET',
  path: '/connector/coupon/getStoreAssignedCoupons',
  access: ['homeIssuecoupon', 'pointExchange'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode }),
  data: z.object({ items: z.array(AssignedCoupon) }),
  refusals: ['memberUnknown'],
})

/** The coupon with its owner, so that a scanned code opens the correct member. */
export const couponCodeDetail = endpoint({
  method: 'GET',
  path: '/connector/coupon/couponCodeDetail',
  access: ['couponView', 'couponRedeem'],
  needsKey: false,
  input: z.strictObject({ couponCode: CouponCode }),
  data: z.extend(Coupon, {
    member: z.object({ memberCode: z.string(), firstName: z.string(), lastName: z.string() }),
  }),
  refusals: ['couponUnknown', 'lookUpChallenge'],
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
  'allowanceUsedUp',
] as const

export const issueCoupon = endpoint({
  method: 'POST',
  path: '/connector/coupon/issue',
  access: ['homeIssuecoupon'],
  needsKey: true,
  input: z.strictObject(order),
  data: z.object({ coupons: z.array(Coupon), ...givingAnswer }),
  refusals: issueRefusals,
})

/** Issues the coupons and debits the points in one transaction. */
export const issueCouponByPoints = endpoint({
  method: 'POST',
  path: '/connector/coupon/issueByPoints',
  access: ['pointExchange'],
  needsKey: true,
  input: z.strictObject({ ...order, expectedBalance: z.optional(Points) }),
  data: z.object({
    coupons: z.array(Coupon),
    pointsSpent: Points,
    balance: fact('points', Points),
    ...givingAnswer,
  }),
  refusals: [...issueRefusals, 'pointsAboveBalance', 'balanceChanged'],
})

/**
 * The reasons why a coupon of a batch is refused: the refusals of `redeem`, and `couponTwice` for a
 * coupon that occurs twice in the batch.
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

/** Redeems all coupons or none; the refusal lists each coupon that cannot be redeemed. */
export const batchRedeemCoupons = endpoint({
  method: 'POST',
  path: '/connector/coupon/batchRedeem',
  access: ['couponRedeem'],
  needsKey: true,
  input: z.strictObject({
    couponCodes: z.array(CouponCode).check(z.minLength(1), z.maxLength(20)),
    memberCode: MemberCode,
    invoiceNumber: z.optional(InvoiceNumber),
  }),
  data: z.object({ coupons: z.array(Coupon), ...givingAnswer }),
  refusals: ['memberUnknown', 'couponsRefused', 'allowanceUsedUp'],
})

/**
 * Makes a redeemed coupon ISSUED again, if it is still valid. Only the store that redeemed it may
 * do so, within the company's undo time.
 */
export const cancelCouponRedeem = endpoint({
  method: 'POST',
  path: '/connector/coupon/cancelRedeem',
  access: ['couponRedeem'],
  needsKey: true,
  input: z.strictObject({ couponCode: CouponCode, memberCode: MemberCode, reason: text(200) }),
  data: z.extend(Coupon, givingAnswer),
  refusals: [
    'memberUnknown',
    'couponUnknown',
    'couponOtherMember',
    'notCancellable',
    'allowanceUsedUp',
  ],
})
