import * as z from 'zod/mini'
import { invoiceTypes, transactionStatuses } from './wire/codes.ts'
import { endpoint } from './wire/endpoint.ts'
import { fact } from './wire/facts.ts'
import {
  CalendarDay,
  Instant,
  list,
  MemberCode,
  Money,
  page,
  Place,
  Points,
  text,
} from './wire/shapes.ts'

export const TransactionStatus = z.enum(transactionStatuses)
export type TransactionStatus = z.infer<typeof TransactionStatus>

export const TransactionRow = z.object({
  invoiceNumber: z.string(),
  date: Instant,
  totalAmount: Money,
  orderDiscount: Money,
  netSpend: Money,
  store: z.nullable(Place),
  /** The sales associate. */
  sales: z.nullable(z.string()),
  status: TransactionStatus,
  invoiceType: z.enum(invoiceTypes),
  source: z.int(),
  itemCount: z.int(),
  pointsEarned: fact('points', Points),
})
export type TransactionRow = z.infer<typeof TransactionRow>

/** Newest first. `from` and `to` are days of the company's calendar, both included. */
export const listTransactions = endpoint({
  method: 'GET',
  path: '/connector/transaction/list',
  access: ['transaction'],
  needsKey: false,
  input: z.strictObject({
    memberCode: MemberCode,
    from: z.optional(CalendarDay),
    to: z.optional(CalendarDay),
    status: z.optional(TransactionStatus),
    /** A part of the number, in any case. */
    invoiceNumber: z.optional(text(64)),
    ...page,
  }),
  data: z.object(list(TransactionRow)),
  refusals: ['memberUnknown'],
})

/** Up to four decimals for goods that cost fractions of a cent. */
const Price = z.string().check(z.regex(/^-?\d{1,11}\.\d{2,4}$/))

export const TransactionItem = z.object({
  skuCode: z.string(),
  skuName: z.string(),
  price: Price,
  /** Negative for returned goods; a fraction for goods sold by weight. */
  quantity: z.number(),
  total: Money,
  discount: Money,
  spend: Money,
})
export const TransactionCoupon = z.object({
  code: z.string(),
  name: z.string(),
  value: z.nullable(Money),
  quantity: z.int(),
})
export const TransactionPoints = z.object({ id: z.string(), type: z.int(), points: Points })

/**
 * The whole receipt. If two sources have the same invoice number, the newest receipt is returned.
 * `coupons` are those printed by the till and those redeemed by a clerk with this invoice number.
 */
export const transactionDetail = endpoint({
  method: 'GET',
  path: '/connector/transaction/detail',
  access: ['transaction'],
  needsKey: false,
  input: z.strictObject({ memberCode: MemberCode, invoiceNumber: text(64) }),
  data: z.extend(TransactionRow, {
    items: z.array(TransactionItem),
    coupons: fact('coupons', z.array(TransactionCoupon)),
    /** The point entries of the receipt, in order. */
    points: fact('points', z.array(TransactionPoints)),
  }),
  refusals: ['memberUnknown', 'transactionUnknown'],
})
