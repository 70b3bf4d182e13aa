import * as z from 'zod/mini'
import { zero } from './rules/decimal.ts'
import { moneyPattern, moneyText } from './rules/money.ts'
import { invoiceTypes, transactionStatuses } from './wire/codes.ts'
import { Instant, MemberCode, text } from './wire/shapes.ts'

/** Up to four decimals: wholesale goods cost fractions of a cent. */
const Price = z.string().check(z.regex(/^-?\d{1,11}(\.\d{1,4})?$/))
const Quantity = z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,3})?$/))
const InvoiceNumber = text(64)
const Source = z.int().check(z.minimum(1), z.maximum(2_147_483_647))

function linesWith(Amount: z.ZodMiniString) {
  const Item = z.strictObject({
    skuCode: text(64),
    skuName: text(200),
    price: Price,
    /** Negative for returned goods. */
    quantity: Quantity,
    total: Amount,
    discount: Amount,
    /** The line's amount after all discounts. */
    spend: Amount,
  })

  const CouponLine = z.strictObject({
    code: text(64),
    name: text(200),
    value: z.nullable(Amount),
    quantity: z.int().check(z.minimum(1), z.maximum(1000)),
  })
  return { Item, CouponLine }
}

/**
 * One receipt from a till or a web shop. Amounts of returned goods are negative.
 * @param places the decimals of the company's currency
 */
function receiptWith(places: number) {
  /** An amount of money in one receipt, positive or negative. */
  const Amount = z.string().check(z.regex(moneyPattern(places, 13)))
  const { Item, CouponLine } = linesWith(Amount)
  return z
    .strictObject({
      invoiceNumber: InvoiceNumber,
      source: Source,
      memberCode: z._default(z.nullable(MemberCode), null),
      storeCode: z._default(z.nullable(text(32)), null),
      sales: z._default(z.nullable(text(120)), null),
      status: z.enum(transactionStatuses),
      invoiceType: z.enum(invoiceTypes),
      // PostgreSQL's calendar has no year 0.
      occurredAt: Instant.check(z.regex(/^(?!0000)/)),
      totalAmount: Amount,
      orderDiscount: z._default(Amount, moneyText(zero, places)),
      /**
       * The amount after discounts, coupons and points. It earns points and counts towards a tier.
       */
      netSpend: Amount,
      items: z._default(z.array(Item).check(z.maxLength(5000)), []),
      coupons: z._default(z.array(CouponLine).check(z.maxLength(100)), []),
      /**
       * The sale of the returned goods. `newest`: the till does not know it, so each returned item
       * is matched with the member's newest earlier sale of that SKU at that price that has
       * unreturned goods.
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
      z.refine((t) => t.invoiceType !== 'return' || !isPositive(t.totalAmount), {
        path: ['totalAmount'],
        error: 'a return costs the customer nothing',
        params: { reason: 'tooLarge' },
      }),
      z.refine((t) => t.invoiceType !== 'sale' || t.original === null, {
        path: ['original'],
        error: 'a sale has no original',
        params: { reason: 'notAllowed' },
      }),
    )
}

/** A receipt of a company whose currency has two decimals. */
export const Receipt = receiptWith(2)
const receipts = new Map([[2, Receipt]])

/** The schema of a receipt by the decimals of the company's currency. */
export function receiptIn(places: number): typeof Receipt {
  const known = receipts.get(places) ?? receiptWith(places)
  receipts.set(places, known)
  return known
}

function isPositive(amount: string): boolean {
  return /^[^-]*[1-9]/.test(amount)
}
