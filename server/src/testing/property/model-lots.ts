// What the model counts with: goods, what a sale was awarded for them, and lots of points.

export type Goods = { sku: string; cents: number }
/** What comes back: some lines, or an amount of nobody knows which of them. */
export type Back = readonly Goods[] | number

export type Lot = {
  left: number
  earnedAt: number
  from: string
  /** The last day. */
  until: string
}
/** `lines` and `whole`: the cents that came back so far of its goods, and of the sale as such. */
type Award = {
  points: number
  cents: number
  skus: readonly string[] | null
  lot: Lot
  lines: number
  whole: number
}
export type Sale = { cents: number; returned: number; awards: Award[] }
/** The points of an award that are gone with what has come back, to the hundredth of a cent. */
export function takenOf({ points, cents, lines, whole }: Award, sale: Sale): number {
  const back = Math.round((100 * (lines * sale.cents + whole * cents)) / sale.cents)
  return Math.floor((points * Math.min(back, 100 * cents)) / (100 * cents))
}

export function take(lots: readonly Lot[], points: number): { lot: Lot; points: number }[] {
  let missing = points
  return lots.flatMap((lot) => {
    const taken = Math.min(lot.left, missing)
    lot.left -= taken
    missing -= taken
    return taken === 0 ? [] : [{ lot, points: taken }]
  })
}

export function sumOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.left, 0)
}

export function centsOf(goods: Back): number {
  return typeof goods === 'number' ? goods : goods.reduce((sum, { cents }) => sum + cents, 0)
}
