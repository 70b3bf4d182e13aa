import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '../coupon.ts'
import { integrationEndpoint } from './endpoint.ts'
import { paged, pagedInput } from './page.ts'

export const readCoupons = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/coupons',
  scope: 'coupons:read',
  tag: 'Coupons',
  summary: 'List coupons',
  description: 'The coupons of the member, and whether the store may redeem each.',
  input: pagedInput(getCustomerCoupons.input),
  data: paged(getCustomerCoupons.data),
  refusals: getCustomerCoupons.refusals,
  counter: { endpoint: getCustomerCoupons, shape: 'page' },
})

export const readIssuableCoupons = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/coupons/issuable',
  scope: 'coupons:read',
  tag: 'Coupons',
  summary: 'List issuable coupons',
  description: 'The coupons that the store may issue to the member today.',
  input: getStoreAssignedCoupons.input,
  data: getStoreAssignedCoupons.data,
  refusals: getStoreAssignedCoupons.refusals,
  counter: { endpoint: getStoreAssignedCoupons, shape: 'same' },
})

export const checkCoupon = integrationEndpoint({
  method: 'GET',
  path: '/coupons/{couponCode}',
  scope: 'coupons:read',
  tag: 'Coupons',
  summary: 'Check a coupon',
  description: 'The coupon with its owner, and whether the store may redeem it.',
  input: couponCodeDetail.input,
  data: couponCodeDetail.data,
  refusals: couponCodeDetail.refusals,
  counter: { endpoint: couponCodeDetail, shape: 'same' },
})

export const redeemOneCoupon = integrationEndpoint({
  method: 'POST',
  path: '/coupons/{couponCode}/redeem',
  scope: 'coupons:redeem',
  tag: 'Coupons',
  summary: 'Redeem a coupon',
  description: 'Uses up one coupon of the member.',
  input: redeemCoupon.input,
  data: redeemCoupon.data,
  refusals: redeemCoupon.refusals,
  counter: { endpoint: redeemCoupon, shape: 'same' },
})

export const undoRedemption = integrationEndpoint({
  method: 'POST',
  path: '/coupons/{couponCode}/undo',
  scope: 'coupons:redeem',
  tag: 'Coupons',
  summary: 'Undo a redemption',
  description:
    'Makes a redeemed coupon usable again, within the undo time of the company. Only the store ' +
    'that redeemed it may do so.',
  input: cancelCouponRedeem.input,
  data: cancelCouponRedeem.data,
  refusals: cancelCouponRedeem.refusals,
  counter: { endpoint: cancelCouponRedeem, shape: 'same' },
})

export const redeemCoupons = integrationEndpoint({
  method: 'POST',
  path: '/coupons/redeem',
  scope: 'coupons:redeem',
  tag: 'Coupons',
  summary: 'Redeem several coupons',
  description:
    'Uses up all the coupons or none of them. The refusal names each coupon that is in the way.',
  input: batchRedeemCoupons.input,
  data: batchRedeemCoupons.data,
  refusals: batchRedeemCoupons.refusals,
  counter: { endpoint: batchRedeemCoupons, shape: 'same' },
})

export const issueCoupons = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/coupons',
  scope: 'coupons:issue',
  tag: 'Coupons',
  summary: 'Issue coupons',
  description: 'Gives coupons to the member, free of charge.',
  input: issueCoupon.input,
  data: issueCoupon.data,
  refusals: issueCoupon.refusals,
  counter: { endpoint: issueCoupon, shape: 'same' },
})

export const buyCoupons = integrationEndpoint({
  method: 'POST',
  path: '/members/{memberCode}/coupons/by-points',
  scope: 'coupons:issue',
  tag: 'Coupons',
  summary: 'Sell coupons for points',
  description: 'Gives coupons to the member and takes the points for them.',
  input: issueCouponByPoints.input,
  data: issueCouponByPoints.data,
  refusals: issueCouponByPoints.refusals,
  counter: { endpoint: issueCouponByPoints, shape: 'same' },
})
