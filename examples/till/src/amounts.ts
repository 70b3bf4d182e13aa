import { type Coupon, goods, type Line, type SoldLine, type Sums } from './goods.ts'

/**
 * Divides an amount among shares so that the parts add up to it: each part is rounded down, and the
 * cents that are left go to the largest remainders.
 * @param cents the amount, 0 or more
 * @param shares the weights, 0 or more, in any unit
 */
export function divide(cents: number, shares: readonly number[]): number[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  if (whole === 0) return shares.map(() => 0)
  const parts = shares.map((share, index) => {
    const exact = (cents * share) / whole
    return { index, part: Math.floor(exact), rest: exact - Math.floor(exact) }
  })
  let left = cents - parts.reduce((sum, { part }) => sum + part, 0)
  for (const one of parts.toSorted((a, b) => b.rest - a.rest)) {
    if (left === 0) break
    one.part += 1
    left -= 1
  }
  return parts.map(({ part }) => part)
}

/** The sums of a basket. Coupons count in their order, never more than the amount that is left. */
export function sumsOf(lines: readonly Line[], coupons: readonly Coupon[], byPoints: number): Sums {
  const total = lines.reduce((sum, line) => sum + totalOf(line), 0)
  let left = total
  for (const { kind, value } of coupons) {
    if (kind === 'amount') left -= Math.min(left, centsOf(value ?? '0'))
    if (kind === 'percent') left -= Math.round((left * Number(value)) / 100)
  }
  const points = Math.min(byPoints, left)
  return { total, discount: total - left, byPoints: points, toPay: left - points }
}

/** The lines of a receipt: each has its share of the discount and of the points. */
export function soldLines(lines: readonly Line[], sums: Sums): SoldLine[] {
  const totals = lines.map(totalOf)
  const discounts = divide(sums.discount, totals)
  const reduced = totals.map((total, n) => total - (discounts[n] ?? 0))
  const points = divide(sums.byPoints, reduced)
  return lines.map((line, n) => ({
    ...line,
    name: goodsOf(line.sku).name,
    total: totals[n] ?? 0,
    discount: discounts[n] ?? 0,
    spend: (reduced[n] ?? 0) - (points[n] ?? 0),
  }))
}

/**
 * The amounts of one unit of a line that is returned after `before` others. The units of a line add
 * up to the line.
 */
export function unitOf(
  line: SoldLine,
  before: number,
): Pick<SoldLine, 'total' | 'discount' | 'spend'> {
  const units = Array.from({ length: line.quantity }, () => 1)
  const share = (cents: number) => divide(cents, units)[before] ?? 0
  return { total: share(line.total), discount: share(line.discount), spend: share(line.spend) }
}

/** @throws Error for a SKU that the shop does not have */
function goodsOf(sku: string) {
  const found = goods.find((one) => one.sku === sku)
  if (found === undefined) throw new Error(`there are no goods ${sku}`)
  return found
}

function totalOf({ sku, quantity }: Line): number {
  return goodsOf(sku).cents * quantity
}

/** `12.50` → 1250 */
export function centsOf(money: string): number {
  return Math.round(Number(money) * 100)
}

/** 1250 → `12.50`, as the interface takes money */
export function moneyOf(cents: number): string {
  return (cents / 100).toFixed(2)
}
