import { Receipt } from '@tillside/contract/receipt'
import type * as z from 'zod/mini'
import {
  decimal,
  decimalText,
  larger,
  minus,
  negated,
  plus,
  rounded,
  zero,
} from '@tillside/contract/rules/decimal'

/** One receipt as a till or a web shop tells it; what does not come over the wire passes it too. */
export const TransactionInput = Receipt
export type TransactionInput = z.infer<typeof TransactionInput>

/**
 * The two sides of a receipt, neither below zero: what was bought and what came back. A sale is one
 * side, whatever signs its lines have; so is a return. An exchange has both, told apart by its
 * lines.
 */
export function sidesOf(input: TransactionInput): { bought: string; returned: string } {
  const net = decimal(input.netSpend)
  const back =
    input.invoiceType === 'exchange'
      ? negated(
          input.items
            .map((item) => decimal(item.spend))
            .filter((spend) => spend.units < 0n)
            .reduce(plus, zero),
        )
      : larger(negated(net), zero)
  return {
    bought: decimalText(rounded(larger(plus(net, back), zero), 2)),
    returned: decimalText(rounded(back, 2)),
  }
}

/** The lines that came back, with their amounts above zero. */
export function returnedLines(input: TransactionInput) {
  return input.items.flatMap((item, index) => {
    const [quantity, spend] = [decimal(item.quantity), decimal(item.spend)]
    if (quantity.units >= 0n || spend.units > 0n) return []
    return [
      {
        lineNo: index + 1,
        skuCode: item.skuCode,
        price: item.price,
        quantity: minus(zero, quantity),
        spend: minus(zero, spend),
      },
    ]
  })
}
export type ReturnedLine = ReturnType<typeof returnedLines>[number]
