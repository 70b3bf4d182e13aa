import {
  buyCoupons,
  checkCoupon,
  issueCoupons,
  readCoupons,
  readIssuableCoupons,
  redeemCoupons,
  redeemOneCoupon,
  undoRedemption,
} from './coupons.ts'
import { readEvents } from './events.ts'
import {
  acceptTerms,
  findMember,
  listMembers,
  postMembers,
  readConsents,
  readMember,
  readTier,
  registerMember,
  updateMember,
} from './members.ts'
import {
  cancelSpending,
  postPoints,
  previewSpending,
  readGifts,
  readPointHistory,
  readPointReport,
  readPoints,
  spendPoints,
} from './points.ts'
import { advanceTestClock } from './test-clock.ts'
import {
  calculateTransaction,
  postTransactions,
  readTransaction,
  readTransactions,
} from './transactions.ts'

/** All endpoints of the integration API, served below `integrationBase`. */
export const integrationEndpoints = {
  postMembers,
  readMember,
  findMember,
  listMembers,
  registerMember,
  updateMember,
  acceptTerms,
  readConsents,
  readTier,
  postPoints,
  readPointReport,
  readPoints,
  readPointHistory,
  readGifts,
  previewSpending,
  spendPoints,
  cancelSpending,
  readCoupons,
  readIssuableCoupons,
  checkCoupon,
  redeemOneCoupon,
  undoRedemption,
  redeemCoupons,
  issueCoupons,
  buyCoupons,
  postTransactions,
  calculateTransaction,
  readTransactions,
  readTransaction,
  readEvents,
  advanceTestClock,
}
