import { decimal, decimalText, plus, rounded, times, zero } from '@tillside/contract/rules/decimal'
import { receiptIn } from '@tillside/contract/receipt'
import { moneyText } from '@tillside/contract/rules/money'
import { firstProblem } from '../../text/invalid.ts'
import type { Cells, Customer, Reader } from './mapping.ts'
import type { StagedInvoice } from './staging.ts'
import type { TransactionInput } from '../input.ts'

/** An invoice that can be recorded, or the reason for its rejection. */
export type Built = { input: TransactionInput; customer: Customer | null } | { reason: string }

/**
 * Builds a receipt from an invoice's rows. Each row becomes a line, also below zero; total and
 * spend are price × quantity, rounded to the smallest coin. Such files do not name the original
 * sale of a return, so a return is assigned to the newest sale of the same goods at the same price.
 * An invoice below zero, such as a debt that was written off, is a return whatever its number is.
 */
export function buildInvoice(staged: StagedInvoice, reader: Reader, places: number): Built {
  const [first] = staged.rows
  if (staged.problem !== null) return { reason: staged.problem }
  if (staged.at === null || first === undefined)
    return { reason: 'none of its rows has a valid time' }
  const items = staged.rows.map(({ cells }) => readLine(cells, reader, places))
  const wrong = items.findIndex((item) => item === null)
  if (wrong !== -1) return { reason: `line ${staged.rows[wrong]?.line}: no quantity or price` }
  const lines = items.filter((item) => item !== null)
  const net = rounded(lines.map((line) => decimal(line.total)).reduce(plus, zero), places)
  const { returns } = reader.mapping
  const isReturn =
    net.units < 0n || ('prefix' in returns && staged.invoiceNumber.startsWith(returns.prefix))
  const customer = customerOf(staged, reader)
  const receipt = {
    invoiceNumber: staged.invoiceNumber,
    source: reader.mapping.source,
    memberCode: customer?.memberCode ?? null,
    storeCode: reader.store(first.cells),
    status: 'completed',
    invoiceType: isReturn ? 'return' : 'sale',
    occurredAt: staged.at,
    totalAmount: decimalText(net),
    netSpend: decimalText(net),
    items: lines,
    original: isReturn ? 'newest' : null,
  }
  const parsed = receiptIn(places).safeParse(receipt)
  if (parsed.success) return { input: parsed.data, customer }
  return { reason: firstProblem(parsed.error.issues, receipt) }
}

function customerOf({ rows }: StagedInvoice, reader: Reader): Customer | null {
  // An invoice may name its customer on its first row only.
  const row = rows.find(({ cells }) => reader.memberCode(cells) !== null)
  return row === undefined ? null : reader.customer(row.cells)
}

function readLine(cells: Cells, reader: Reader, places: number) {
  const [quantity, price] = [reader.cell(cells, 'quantity'), reader.cell(cells, 'price')]
  const number = /^-?\d+(\.\d+)?$/
  if (!number.test(quantity) || !number.test(price)) return null
  const total = moneyText(times(decimal(quantity), decimal(price)), places)
  const skuCode = reader.cell(cells, 'sku')
  const skuName = reader.cell(cells, 'name') || skuCode
  return {
    skuCode,
    skuName,
    price,
    quantity,
    total,
    discount: moneyText(zero, places),
    spend: total,
  }
}
