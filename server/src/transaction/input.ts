import { Receipt } from '@tillside/contract/receipt'
import type * as z from 'zod/mini'
import type { EntryOrigin } from '../points/ledger.ts'
import { decimal, larger, minus, negated, plus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'

/** One receipt from a till or a web shop. Imported receipts are checked by the same schema. */
export const TransactionInput = Receipt
export type TransactionInput = z.infer<typeof TransactionInput>

/**
 * Splits the net spend of a receipt into the amount bought and the amount returned. Both are
 * decimal strings with the decimals of the net spend, never below zero. A sale or a return has only
 * one of them, even if its lines have mixed signs. In an exchange, the lines below zero are the
 * returned side.
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
    bought: moneyText(larger(plus(net, back), zero), net.scale),
    returned: moneyText(back, net.scale),
  }
}

/** The origin of the entries of a receipt. */
export function originOf(input: TransactionInput, transactionId: string): EntryOrigin {
  return {
    at: input.occurredAt,
    amount: sidesOf(input).bought,
    invoiceNumber: input.invoiceNumber,
    storeCode: input.storeCode,
    staffId: null,
    transactionId,
    description: null,
  }
}

/** The returned lines of a receipt, with quantity and spend as positive numbers. */
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
