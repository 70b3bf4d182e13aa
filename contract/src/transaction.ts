import * as z from 'zod/mini'
import { invoiceTypes, transactionStatuses } from './codes.ts'
import { endpoint } from './endpoint.ts'
import { CalendarDay, Instant, list, MemberCode, Money, page, Place, Points } from './shapes.ts'

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
  pointsEarned: Points,
})
export type TransactionRow = z.infer<typeof TransactionRow>

/** Newest first. `from` and `to` are days of the company's calendar, both included. */
export const listTransactions = endpoint({
  method: 'GET',
  path: '/connector/transaction/list',
  access: ['transaction'],
  idempotent: false,
  input: z.strictObject({
    memberCode: MemberCode,
    from: z.optional(CalendarDay),
    to: z.optional(CalendarDay),
    status: z.optional(TransactionStatus),
    ...page,
  }),
  data: z.object(list(TransactionRow)),
  refusals: ['memberUnknown'],
})
