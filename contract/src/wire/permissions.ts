import * as z from 'zod/mini'

/**
 * The permissions of the specification, section 6, and `storeShift`: the acts of all clerks of the
 * own store.
 */
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
  'storeShift',
] as const
export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>
