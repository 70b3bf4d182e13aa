import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { serve, serveReading } from '../kit/serve.ts'
import { listCoupons } from './list.ts'
import { readMembership } from './membership.ts'
import { redeem } from './redeem.ts'

export const couponRoutes = [
  // Here because it is the left-most feature that knows tier, points and coupons.
  serveReading(membershipInfo, readMembership),
  serveReading(getCustomerCoupons, listCoupons),
  serve(redeemCoupon, redeem),
]
