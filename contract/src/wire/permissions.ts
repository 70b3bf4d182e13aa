import * as z from 'zod/mini'

/**
 * The permissions of the specification, section 6, and two more. `storeShift`: the acts of all
 * clerks of the own store. `homeMemberSearchByName`: the search by the beginning of a name.
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
  'homeMemberSearchByName',
] as const
export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>
