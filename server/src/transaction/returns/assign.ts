import {
  type Decimal,
  decimal,
  decimalText,
  minus,
  plus,
  rounded,
  smaller,
  zero,
} from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import type { ReturnedLine } from '../input.ts'

/** The sales of a return. `place`: that of all of them; null without parts. */
export type Assignment = { place: string | null; parts: readonly AssignedPart[] }
/** A part of a return. Line 0 is the return as a whole. */
export type Part = { lineNo: number; quantity: string; amount: string }
/** A part that is assigned to one sale. */
export type AssignedPart = Part & { originalId: string }
/** The money of the goods of a sale, and the money returned earlier. */
type Money = { bought: string; returned: string }
/** A sale that a return names; its member earned its points. */
export type Named = { id: string; place: string; memberId: string | null }
export type Original = Named & Money

/** A sale of one SKU at one price, and the quantity that was not returned yet. */
export type Candidate = Money & { id: string; leftOver: string }

/**
 * Assigns a whole return to the sale that it names.
 * @returns null if the return is for more money than is left of the sale
 */
export function allOf(
  original: Original,
  lines: readonly ReturnedLine[],
  amount: string,
): AssignedPart[] | null {
  const left = minus(decimal(original.bought), decimal(original.returned))
  if (minus(left, decimal(amount)).units < 0n) return null
  return partsOf(lines, amount).map((part) => Object.assign(part, { originalId: original.id }))
}

/** The parts of a return of one sale. @param amount the money of the whole return */
export function partsOf(lines: readonly ReturnedLine[], amount: string): Part[] {
  const lineTotal = lines.reduce((sum, line) => plus(sum, line.spend), zero)
  // After a discount on the whole receipt, the lines do not add up to its total. Only the total is
  // certain then.
  if (lines.length === 0 || minus(lineTotal, decimal(amount)).units !== 0n) {
    return [{ lineNo: 0, quantity: '0', amount }]
  }
  return lines.map((line) => ({
    lineNo: line.lineNo,
    quantity: decimalText(line.quantity),
    amount: decimalText(line.spend),
  }))
}

/**
 * Assigns each line to the newest sales that still have goods and money left. A quantity that fits
 * no sale stays unassigned.
 * @param candidates for each line, newest first
 */
export function newestOf(
  lines: readonly ReturnedLine[],
  candidates: readonly (readonly Candidate[])[],
): AssignedPart[] {
  const goods = new Map<string, Decimal>()
  const money = new Map<string, Decimal>()
  const parts: AssignedPart[] = []
  for (const [index, line] of lines.entries()) {
    let unassigned = line.quantity
    for (const sale of candidates[index] ?? []) {
      // Two lines of a return may have the same SKU and price. The second one gets only the goods
      // that the first one left.
      const goodsKey = `${sale.id} ${decimalText(rounded(decimal(line.price), 4))} ${line.skuCode}`
      const left = goods.get(goodsKey) ?? decimal(sale.leftOver)
      const worth = money.get(sale.id) ?? minus(decimal(sale.bought), decimal(sale.returned))
      const quantity = smaller(left, unassigned)
      if (quantity.units <= 0n || worth.units <= 0n) continue
      const amount = smaller(partOf(line, quantity), worth)
      goods.set(goodsKey, minus(left, quantity))
      money.set(sale.id, minus(worth, amount))
      unassigned = minus(unassigned, quantity)
      parts.push({
        lineNo: line.lineNo,
        originalId: sale.id,
        quantity: decimalText(quantity),
        amount: moneyText(amount, line.spend.scale),
      })
    }
  }
  return parts
}

/** The part of a line's spend for this quantity, rounded down to the smallest coin. */
function partOf(line: ReturnedLine, quantity: Decimal): Decimal {
  const [part, whole] = [rounded(quantity, 3).units, rounded(line.quantity, 3).units]
  return { units: (line.spend.units * part) / whole, scale: line.spend.scale }
}
