// The data of the model: goods, the points that a sale earned, and lots of points.

export type Goods = { sku: string; cents: number }
/** Returned goods: some items, or only an amount if the items are not known. */
export type Back = readonly Goods[] | number

export type Lot = {
  left: number
  /** Whether anything but returns of its own sale has ever changed it. */
  touched: boolean
  at: number
  from: string
  /** The last day on which the points are valid. */
  until: string
}
/** `lines` and `whole`: the cents returned so far, by item and as an amount for the whole sale. */
type Award = {
  points: number
  cents: number
  skus: readonly string[] | null
  lot: Lot
  lines: number
  whole: number
}
/** `goods` and `back`: its items, and those that were returned. */
export type Sale = {
  day: string
  cents: number
  returned: number
  goods: readonly Goods[]
  back: Goods[]
  awards: Award[]
}

/** Whether a sale has this money left, and the items, if it sold them at this price. */
export function hasLeft(sale: Sale, asked: Back): boolean {
  if (sale.returned + centsOf(asked) > sale.cents) return false
  if (typeof asked === 'number') return true
  return asked.every(({ sku, cents }) => {
    const [sold = 0, back = 0, more = 0] = [sale.goods, sale.back, asked].map(
      (goods) => goods.filter((one) => one.sku === sku && one.cents === cents).length,
    )
    return sold === 0 || back + more <= sold
  })
}

/**
 * The points of an award that its returns have removed so far. The returned share is rounded to
 * hundredths of a cent.
 */
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
    if (taken > 0) lot.touched = true
    return taken === 0 ? [] : [{ lot, points: taken }]
  })
}

export function sumOf(lots: readonly Lot[]): number {
  return lots.reduce((sum, lot) => sum + lot.left, 0)
}

export function centsOf(goods: Back): number {
  return typeof goods === 'number' ? goods : goods.reduce((sum, { cents }) => sum + cents, 0)
}
