import { TransactionInput } from '../transaction/input.ts'

/** A line: SKU, price and quantity, which is below 0 for goods that come back. */
export type Line = readonly [sku: string, price: string, quantity: number]

let number = 0

/** A completed receipt of these lines; amounts are worked out from them unless they are given. */
export function receipt(
  lines: readonly Line[],
  changes: Partial<TransactionInput> = {},
): TransactionInput {
  const items = lines.map(([skuCode, price, quantity]) => {
    const total = cents(price) * quantity
    return {
      skuCode,
      skuName: `Goods ${skuCode}`,
      price,
      quantity: String(quantity),
      total: money(total),
      discount: '0.00',
      spend: money(total),
    }
  })
  const net = lines.reduce((sum, [, price, quantity]) => sum + cents(price) * quantity, 0)
  number += 1
  return TransactionInput.parse({
    invoiceNumber: `R${number}`,
    source: 100000028,
    storeCode: 'S1',
    status: 'completed',
    invoiceType: net < 0 ? 'return' : 'sale',
    occurredAt: '2026-03-10T04:00:00Z',
    totalAmount: money(net),
    netSpend: money(net),
    items,
    ...changes,
  })
}

/** How a return names a receipt as its original. */
export function nameOf({ invoiceNumber, source }: TransactionInput) {
  return { invoiceNumber, source }
}

function cents(price: string): number {
  return Math.round(Number(price) * 100)
}

function money(amount: number): string {
  return (amount / 100).toFixed(2)
}
