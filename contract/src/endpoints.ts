import { login, logout } from './auth.ts'
import {
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getPermission,
  getSupportedLanguages,
  setLanguage,
} from './company.ts'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from './coupon.ts'
import { getOneCustomer, membershipInfo } from './member.ts'
import { operationStatus } from './operation.ts'
import { listTiers } from './tier.ts'
import { listTransactions } from './transaction.ts'

/**
 * The whole wire. What is not in here is not served, not documented and not in the authorisation
 * matrix.
 */
export const endpoints = {
  login,
  logout,
  getCustomTheme,
  getSupportedLanguages,
  setLanguage,
  getPermission,
  getDictionary,
  getOtherConfig,
  getOneCustomer,
  membershipInfo,
  listTiers,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  couponCodeDetail,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
  cancelCouponRedeem,
  batchRedeemCoupons,
  listTransactions,
  operationStatus,
}
export type EndpointName = keyof typeof endpoints
