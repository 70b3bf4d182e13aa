import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { serve, serveAhead } from '../kit/serve.ts'
import { memberAhead } from '../member/look-up.ts'
import { listCoupons } from './list.ts'
import { readMembership } from './membership.ts'
import { redeem } from './redeem.ts'

export const couponRoutes = [
  // Here because it is the left-most feature that knows tier, points and coupons.
  serveAhead(membershipInfo, memberAhead, readMembership),
  serveAhead(getCustomerCoupons, memberAhead, listCoupons),
  serve(redeemCoupon, redeem),
]
