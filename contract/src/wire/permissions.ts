import * as z from 'zod/mini'

/** The permissions of the specification, section 6. */
export const permissions = [
  'homeMembertier',
  'coupon',
  'point',
  'transaction',
  'userInfo',
  'homeIssuecoupon',
  'couponRedeem',
  'couponView',
  'register',
  'pointRedeem',
  'pointExchange',
  'scanQrCode',
] as const
export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>
