import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { cancelPoints, previewPoints } from '@tillside/contract/points'
import { serve, serveAhead, serveReading } from '../http/serve.ts'
import { memberAhead } from '../member/look-up.ts'
import { listAssigned } from './assigned.ts'
import { readDetail } from './detail.ts'
import { exchange } from './exchange.ts'
import { issue } from './issue.ts'
import { listCoupons } from './list.ts'
import { readMembership } from './membership.ts'
import { preview } from './preview.ts'
import { redeem, redeemBatch } from './redeem.ts'
import { cancelRedeem, cancelSpending } from './undo.ts'

export const couponRoutes = [
  // Here because it is the left-most feature that knows tier, points and coupons.
  serveAhead(membershipInfo, memberAhead, readMembership),
  serveReading(previewPoints, preview),
  serve(cancelPoints, cancelSpending),
  serveAhead(getCustomerCoupons, memberAhead, listCoupons),
  serveAhead(getStoreAssignedCoupons, memberAhead, listAssigned),
  serveReading(couponCodeDetail, readDetail),
  serve(issueCoupon, issue),
  serve(issueCouponByPoints, exchange),
  serve(redeemCoupon, redeem),
  serve(cancelCouponRedeem, cancelRedeem),
  serve(batchRedeemCoupons, redeemBatch),
]
