import {
  listShiftNotes,
  readShiftNote,
  searchHistoryKey,
  staffActivity,
  storeActivity,
  writeShiftNote,
} from './activity.ts'
import { changePassword, confirmPassword, login, logout, noPasswordLogin } from './auth.ts'
import {
  getByCodes,
  getCustomRegisterConfig,
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getPermission,
  getSupportedLanguages,
  listStores,
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
import {
  createCustomer,
  getOneCustomer,
  listConsents,
  membershipInfo,
  resignTnc,
  revealContact,
  updateCustomer,
} from './member.ts'
import { operationStatus } from './wire/operation.ts'
import {
  cancelPoints,
  explainPoints,
  listGifts,
  pointHistory,
  previewPoints,
  redeemPoints,
} from './points.ts'
import { getRuleBook } from './rule-book.ts'
import { explainTier, listTiers } from './tier.ts'
import { listTransactions, transactionDetail } from './transaction.ts'
import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from './verification.ts'

/** All endpoints. Only these are served, documented and in the authorisation matrix. */
export const endpoints = {
  login,
  logout,
  noPasswordLogin,
  changePassword,
  confirmPassword,
  getCustomTheme,
  getSupportedLanguages,
  setLanguage,
  getPermission,
  getDictionary,
  getOtherConfig,
  getByCodes,
  getCustomRegisterConfig,
  listStores,
  getRuleBook,
  sendMobileCaptcha,
  validateMobileCaptcha,
  sendEmailCaptcha,
  validateEmailCaptcha,
  getOneCustomer,
  createCustomer,
  updateCustomer,
  resignTnc,
  listConsents,
  revealContact,
  membershipInfo,
  listTiers,
  explainTier,
  pointHistory,
  explainPoints,
  listGifts,
  previewPoints,
  redeemPoints,
  cancelPoints,
  getCustomerCoupons,
  getStoreAssignedCoupons,
  couponCodeDetail,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
  cancelCouponRedeem,
  batchRedeemCoupons,
  listTransactions,
  transactionDetail,
  operationStatus,
  staffActivity,
  storeActivity,
  listShiftNotes,
  writeShiftNote,
  readShiftNote,
  searchHistoryKey,
}
export type EndpointName = keyof typeof endpoints
