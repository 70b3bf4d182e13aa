import * as z from 'zod/mini'
import { Receipt } from '../receipt.ts'
import { listTransactions, transactionDetail } from '../transaction.ts'
import { Money, Points } from '../wire/shapes.ts'
import { answers, Batch, itemReasons } from './batch.ts'
import { integrationEndpoint } from './endpoint.ts'
import { paged, pagedInput } from './page.ts'

const Returned = z.object({
  /** Points that had paid for the goods and came back to the member. */
  pointsBack: Points,
  /** Points that the return should have taken and that the member no longer had. */
  forgiven: Points,
  /** The money to pay to the customer. */
  moneyBack: Money,
})

/**
 * Stores sales, returns, exchanges and deposits. The invoice number together with the source
 * identifies a receipt. Amounts have the decimals of the company's currency; the schema shows two.
 */
export const postTransactions = integrationEndpoint({
  method: 'POST',
  path: '/transactions',
  scope: 'transactions:write',
  tag: 'Sales',
  summary: 'Send sales and returns in bulk',
  description:
    'Stores sales, returns, exchanges and deposits. The invoice number together with the source ' +
    'identifies a receipt, so a repeated item is `unchanged`.',
  input: Batch,
  item: Receipt,
  data: answers({
    /**
     * Points that the member earned, or lost if negative; null when the receipt existed already.
     */
    points: z.nullable(Points),
    /** Only for a return or an exchange that was created. */
    returned: z.optional(Returned),
  }),
  refusals: [],
})

export const calculateTransaction = integrationEndpoint({
  method: 'POST',
  path: '/transactions/calculate',
  scope: 'transactions:read',
  tag: 'Sales',
  summary: 'Calculate the points of a sale',
  description:
    'Runs a receipt through the same rules as `POST /transactions` and stores nothing. `refused` ' +
    'has the reason for which the receipt would be refused.',
  input: Receipt,
  data: z.object({
    /** Points that the member would earn, or lose if negative; null if it would be refused. */
    points: z.nullable(Points),
    returned: z.nullable(Returned),
    refused: z.nullable(z.object({ reason: z.enum(itemReasons), message: z.string() })),
  }),
  refusals: [],
})

export const readTransactions = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/transactions',
  scope: 'transactions:read',
  tag: 'Sales',
  summary: 'List receipts',
  description: 'The receipts of the member, newest first. `from` and `to` are days, both included.',
  input: pagedInput(listTransactions.input),
  data: paged(listTransactions.data),
  refusals: listTransactions.refusals,
  counter: { endpoint: listTransactions, shape: 'page' },
})

export const readTransaction = integrationEndpoint({
  method: 'GET',
  path: '/members/{memberCode}/transactions/{invoiceNumber}',
  scope: 'transactions:read',
  tag: 'Sales',
  summary: 'Read a receipt',
  description: 'One receipt with its items, coupons and points.',
  input: transactionDetail.input,
  data: transactionDetail.data,
  refusals: transactionDetail.refusals,
  counter: { endpoint: transactionDetail, shape: 'same' },
})
