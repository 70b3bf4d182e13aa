import { invoiceTypes, transactionStatuses } from '@tillside/contract/codes'
import { Instant, MemberCode, text } from '@tillside/contract/shapes'
import * as z from 'zod/mini'
import {
  decimal,
  decimalText,
  larger,
  minus,
  negated,
  plus,
  rounded,
  zero,
} from '../kit/decimal.ts'

/** Money of one receipt: what the table's numeric(15, 2) holds. */
const Amount = z.string().check(z.regex(/^-?\d{1,13}\.\d{2}$/))
/** A price may be finer than money: wholesale goods cost fractions of a cent. */
const Price = z.string().check(z.regex(/^-?\d{1,11}(\.\d{1,4})?$/))
const Quantity = z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,3})?$/))
const InvoiceNumber = text(64)
const Source = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

const Item = z.strictObject({
  skuCode: text(64),
  skuName: text(200),
  price: Price,
  /** Below 0 for what comes back. */
  quantity: Quantity,
  total: Amount,
  discount: Amount,
  /** What the line cost the customer after all discounts. */
  spend: Amount,
})

const CouponLine = z.strictObject({
  code: text(64),
  name: text(200),
  value: z.nullable(Amount),
  quantity: z.int().check(z.minimum(1), z.maximum(1000)),
})

/** One receipt as a till or a web shop tells it. Amounts of what comes back are negative. */
export const TransactionInput = z
  .strictObject({
    invoiceNumber: InvoiceNumber,
    source: Source,
    memberCode: z._default(z.nullable(MemberCode), null),
    storeCode: z._default(z.nullable(text(32)), null),
    sales: z._default(z.nullable(text(120)), null),
    status: z.enum(transactionStatuses),
    invoiceType: z.enum(invoiceTypes),
    occurredAt: Instant,
    totalAmount: Amount,
    orderDiscount: z._default(Amount, '0.00'),
    /** After discounts, coupons and points: what earns and what counts towards a tier. */
    netSpend: Amount,
    items: z._default(z.array(Item).check(z.maxLength(5000)), []),
    coupons: z._default(z.array(CouponLine).check(z.maxLength(100)), []),
    /**
     * The sale whose goods come back. `newest`: the till knows none, so each returned line is put
     * down to the member's newest earlier sale of that SKU at that price with some left.
     */
    original: z._default(
      z.nullable(
        z.union([
          z.literal('newest'),
          z.strictObject({ invoiceNumber: InvoiceNumber, source: Source }),
        ]),
      ),
      null,
    ),
  })
  .check(
    z.refine((t) => t.invoiceType !== 'return' || !isPositive(t.netSpend), {
      path: ['netSpend'],
      error: 'a return costs the customer nothing',
      params: { reason: 'tooLarge' },
    }),
    z.refine((t) => t.invoiceType !== 'sale' || t.original === null, {
      path: ['original'],
      error: 'a sale has no original',
      params: { reason: 'notAllowed' },
    }),
  )
export type TransactionInput = z.infer<typeof TransactionInput>

function isPositive(amount: string): boolean {
  return decimal(amount).units > 0n
}

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
