import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { serve } from '../kit/serve.ts'
import { listCoupons } from './list.ts'
import { readMembership } from './membership.ts'
import { redeem } from './redeem.ts'

export const couponRoutes = [
  // Here because it is the left-most feature that knows tier, points and coupons.
  serve(membershipInfo, readMembership),
  serve(getCustomerCoupons, listCoupons),
  serve(redeemCoupon, redeem),
]
