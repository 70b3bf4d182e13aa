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
import { atOnceOr } from '../http/at-once/at-once.ts'
import { serve } from '../http/serve.ts'
import { namedMember, ofNamedMember } from '../member/look-up.ts'
import { askToIssueByPoints } from './at-once/by-points.ts'
import { listAssigned } from './assigned.ts'
import { readDetail } from './detail.ts'
import { issueByPoints } from './issue-by-points.ts'
import { askToIssue, issue } from './issue.ts'
import { listCoupons } from './list.ts'
import { readMembership } from './membership.ts'
import { askToRedeem, redeem, redeemBatch } from './redeem.ts'
import { askToUndo, cancelRedeem } from './undo.ts'

export const couponRoutes = [
  // Here because it reads tier, points and coupons, and coupon is the left-most feature that may
  // import all three.
  serve(membershipInfo, readMembership, ofNamedMember),
  serve(getCustomerCoupons, listCoupons, ofNamedMember),
  serve(getStoreAssignedCoupons, listAssigned, ofNamedMember),
  serve(couponCodeDetail, readDetail, { readOnly: true }),
  atOnceOr(issueCoupon, serve(issueCoupon, issue), namedMember, askToIssue),
  atOnceOr(
    issueCouponByPoints,
    serve(issueCouponByPoints, issueByPoints),
    namedMember,
    askToIssueByPoints,
  ),
  atOnceOr(redeemCoupon, serve(redeemCoupon, redeem), namedMember, askToRedeem),
  atOnceOr(cancelCouponRedeem, serve(cancelCouponRedeem, cancelRedeem), namedMember, askToUndo),
  atOnceOr(batchRedeemCoupons, serve(batchRedeemCoupons, redeemBatch), namedMember, askToRedeem),
]
