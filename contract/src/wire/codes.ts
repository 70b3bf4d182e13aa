/**
 * The point types of the specification, with their codes. A company may change their names, but not
 * their signs.
 */
export const pointTypes = {
  earned: { code: 100000000, sign: 1 },
  promotionEarned: { code: 100000001, sign: 1 },
  adjustmentUp: { code: 100000002, sign: 1 },
  adjustmentDown: { code: 100000003, sign: -1 },
  redeemGift: { code: 100000004, sign: -1 },
  redeemCoupon: { code: 100000005, sign: -1 },
  specialAdd: { code: 100000006, sign: 1 },
  specialDeduct: { code: 100000007, sign: -1 },
  returned: { code: 100000008, sign: -1 },
  refund: { code: 100000009, sign: 1 },
  cancelGift: { code: 100000010, sign: 1 },
  cancelCoupon: { code: 100000011, sign: 1 },
  expired: { code: 100000012, sign: -1 },
  transferIn: { code: 100000013, sign: 1 },
  transferOut: { code: 100000014, sign: -1 },
  redeemTransaction: { code: 100000015, sign: -1 },
} as const
export type PointType = keyof typeof pointTypes

/** The sources of transactions; a company may add its own codes. */
export const transactionSources = {
  offlineStore: 100000028,
  officialWebsite: 100000029,
} as const

export const genders = ['F', 'M'] as const
export const couponStatuses = ['ISSUED', 'USED', 'EXPIRED'] as const
export const transactionStatuses = ['completed', 'cancelled', 'deposit'] as const
export const invoiceTypes = ['sale', 'return', 'exchange'] as const

/** The types of `getDictionary`; `region` also needs a `parent`. */
export const dictionaryTypes = [
  'gender',
  'pointType',
  'couponStatus',
  'transactionStatus',
  'transactionSource',
  'invoiceType',
  'tier',
  'callingCode',
  'country',
  'region',
] as const
