import * as z from 'zod/mini'
import { invoiceTypes, transactionStatuses } from './wire/codes.ts'
import { Instant, MemberCode, text } from './wire/shapes.ts'

/** Money of one receipt, above or below zero. */
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
export const Receipt = z
  .strictObject({
    invoiceNumber: InvoiceNumber,
    source: Source,
    memberCode: z._default(z.nullable(MemberCode), null),
    storeCode: z._default(z.nullable(text(32)), null),
    sales: z._default(z.nullable(text(120)), null),
    status: z.enum(transactionStatuses),
    invoiceType: z.enum(invoiceTypes),
    // The calendar of the database begins with the year 1.
    occurredAt: Instant.check(z.regex(/^(?!0000)/)),
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

function isPositive(amount: string): boolean {
  return /^[^-]*[1-9]/.test(amount)
}
