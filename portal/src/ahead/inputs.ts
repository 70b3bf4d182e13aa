// The inputs of calls that a screen and the script in the page's head both make.

/** More than the overview shows, so that the next one appears as soon as one has been redeemed. */
const usableLimit = 8

/** The coupons of the overview. */
export const usableCouponsOf = (memberCode: string) => ({
  memberCode,
  status: 'ISSUED' as const,
  pageSize: usableLimit,
})

/** The receipt of the overview. */
export const lastReceiptOf = (memberCode: string) => ({ memberCode, pageSize: 1 })
