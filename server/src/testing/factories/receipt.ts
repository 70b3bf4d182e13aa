import { receiptIn } from '@tillside/contract/receipt'
import { decimal } from '@tillside/contract/rules/decimal'
import { findCompany } from '../../company/find.ts'
import type { TransactionInput } from '../../transaction/input.ts'
import { record } from '../../transaction/record.ts'
import type { TestCompany } from './company.ts'

/** A receipt item: SKU, price and quantity; the quantity is negative for returned goods. */
export type Line = readonly [sku: string, price: string, quantity: number]

let number = 0

/**
 * A completed receipt with these items. Amounts are calculated from them unless `changes` has
 * them; those may have the decimals of another currency.
 */
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
  const { totalAmount = '0.00' } = changes
  return receiptIn(decimal(totalAmount).scale).parse({
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

/** Records a member's sale of two teas. @returns its invoice number */
export async function testSale(
  { database, identifier, id }: Pick<TestCompany, 'database' | 'identifier' | 'id'>,
  member: { id: string },
): Promise<string> {
  const company = await findCompany(database, identifier)
  if (company === null) throw new Error('the company is gone')
  const input = receipt([['TEA', '12.50', 2]])
  await database.transaction(id, (tx) => record(tx, company, member.id, input))
  return input.invoiceNumber
}

/** The reference by which a return names its original receipt. */
export function nameOf({ invoiceNumber, source }: TransactionInput) {
  return { invoiceNumber, source }
}

function cents(price: string): number {
  return Math.round(Number(price) * 100)
}

function money(amount: number): string {
  return (amount / 100).toFixed(2)
}
