/**
 * The manual's pages in the order in which one reads them on a first day. Each is a file of that
 * name in every folder of `docs/manual`; `tools/manual.test.ts` sees that none is missing.
 */
export const chapters = [
  { name: 'begin', pages: ['first-day', 'log-in'] },
  { name: 'members', pages: ['find-member', 'register', 'next-customer'] },
  { name: 'coupons', pages: ['redeem-coupon', 'redeem-several', 'issue-coupon'] },
  { name: 'points', pages: ['spend-points', 'undo', 'receipts'] },
  { name: 'trouble', pages: ['no-answer', 'new-version'] },
  { name: 'yours', pages: ['my-shift', 'password'] },
] as const

export type Chapter = (typeof chapters)[number]['name']

/** All pages, one after the other. */
export const allPages: readonly string[] = chapters.flatMap(({ pages }) => pages)
