/** What a slip says, besides company, store and member. */
export type SlipFacts = {
  /** What happened: "Coupon redeemed". */
  title: string
  /** The coupons or the reward, and amounts. */
  rows: readonly { label: string; value: string }[]
  /** The points after it; undefined: those of the open member, which it did not change. */
  balance?: number | null | undefined
  /** The instant; null or absent: now. */
  at?: string | null
  /** Where it happened; undefined: at the clerk's store. */
  store?: { name: string; code: string } | null
  /** The key of the request; null for a receipt, which no request of a clerk has made. */
  operation: string | null
}

/** The widths of paper: a receipt printer's roll, and a sheet. */
export const papers = { roll: '72 mm', sheet: 'A6' } as const
export type Paper = keyof typeof papers

const pixelsPerMm = 96 / 25.4

/**
 * The style sheet that makes a page of the paper's size. A roll has no page length, so it gets
 * that of the slip.
 * @param height of the slip on screen, in CSS pixels
 */
export function pageRule(paper: Paper, height: number): string {
  if (paper === 'sheet') return '@page { size: 105mm 148mm; margin: 6mm }'
  return `@page { size: 72mm ${Math.ceil(height / pixelsPerMm) + 8}mm; margin: 0 }`
}
