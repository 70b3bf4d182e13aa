import type { EventData } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { places } from '../http/at-once/at-once.ts'
import { enqueueBy } from '../outbox/enqueue.ts'
import type { TransactionInput } from './input.ts'

const insert = statement(
  `select insert_receipt(${places(1, 26).join(', ')}) as created`,
  z.object({ created: z.boolean() }),
)

/** A receipt's id and owner, the points that it earns, and the hash of its content. */
type Receipt = { transactionId: string; memberId: string | null; earned: number; hash: Buffer }

/**
 * @returns false if the receipt exists already or the company has no such store
 */
export async function insertReceipt(
  tx: Transaction,
  companyId: string,
  { transactionId, memberId, earned, hash }: Receipt,
  input: TransactionInput,
): Promise<boolean> {
  const of = [companyId, transactionId, input.invoiceNumber, input.source, memberId]
  const amounts = [input.totalAmount, input.orderDiscount, input.netSpend]
  const { created } = await tx.one(insert, [
    ...of,
    input.storeCode,
    input.sales,
    input.status,
    input.invoiceType,
    input.occurredAt,
    ...amounts,
    earned,
    hash,
    ...linesOf(input),
  ])
  return created
}

/** The values of a new receipt in the order of `record_sale` and `record_return`. */
export function receiptValues(
  transactionId: string,
  input: TransactionInput,
  hash: Buffer,
): unknown[] {
  return [
    transactionId,
    input.invoiceNumber,
    input.source,
    input.storeCode,
    input.sales,
    input.occurredAt,
    input.totalAmount,
    input.orderDiscount,
    input.netSpend,
    hash,
    ...linesOf(input),
  ]
}

/** The columns of a receipt's items and coupons, as `insert_receipt` takes them. */
function linesOf({ items, coupons }: TransactionInput): unknown[][] {
  return [
    items.map((item) => item.skuCode),
    items.map((item) => item.skuName),
    items.map((item) => item.price),
    items.map((item) => item.quantity),
    items.map((item) => item.total),
    items.map((item) => item.discount),
    items.map((item) => item.spend),
    coupons.map((line) => line.code),
    coupons.map((line) => line.name),
    coupons.map((line) => line.value),
    coupons.map((line) => line.quantity),
  ]
}

type Recorded = Omit<EventData<'transaction.recorded'>, 'points'>
const enqueue = statement('select enqueue_receipt($1, $2, $3, $4, $5, $6)', z.unknown())

/** Writes the event of a receipt that the transaction has recorded; its row has the points. */
export function enqueueReceipt(
  tx: Transaction,
  companyId: string,
  memberId: string,
  transactionId: string,
  input: TransactionInput,
): void {
  const { invoiceNumber, source, status, invoiceType, totalAmount, netSpend, occurredAt } = input
  const what = { transactionId, invoiceNumber, source, status, invoiceType }
  const data: Recorded = { ...what, totalAmount, netSpend, occurredAt }
  enqueueBy(tx, enqueue, [companyId, memberId, transactionId, data])
}
