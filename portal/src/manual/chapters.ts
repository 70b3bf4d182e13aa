/**
 * The manual's pages in reading order. Each is a file in every language's folder of `docs/manual`;
 * `tools/manual.test.ts` checks that none is missing.
 */
export const chapters = [
  { name: 'begin', pages: ['first-day', 'log-in', 'practice'] },
  { name: 'members', pages: ['find-member', 'register', 'next-customer', 'customer-display'] },
  { name: 'coupons', pages: ['redeem-coupon', 'redeem-several', 'issue-coupon'] },
  { name: 'points', pages: ['spend-points', 'undo', 'slip', 'receipts', 'returns'] },
  { name: 'trouble', pages: ['no-answer', 'new-version'] },
  { name: 'yours', pages: ['my-shift', 'store-shift', 'password'] },
] as const

export type Chapter = (typeof chapters)[number]['name']

/** All pages in reading order. */
export const allPages: readonly string[] = chapters.flatMap(({ pages }) => pages)
