import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { hasSubscriberSql } from '../outbox/enqueue.ts'
import type { TransactionInput } from './input.ts'

// Inserts the receipt with its lines and coupons in one statement. Inserts nothing if the receipt
// exists already or the company has no such store.
const insert = statement(
  `with receipt as (
     insert into transaction (company_id, transaction_id, invoice_number, source, member_id,
       store_code, sales, status, invoice_type, occurred_at, total_amount, order_discount,
       net_spend, item_count, points_earned, content_hash)
     select $1, $2, $3, $4, $5, $6::text, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
     where $6::text is null
       or exists (select from store where company_id = $1 and store_code = $6::text)
     on conflict (company_id, invoice_number, source) do nothing
     returning transaction_id
   ), items as (
     insert into transaction_item (company_id, transaction_id, line_no, sku_code, sku_name, price,
       quantity, total, discount, spend)
     select $1, transaction_id, line_no, sku_code, sku_name, price, quantity, total, discount, spend
     from receipt, unnest($17::text[], $18::text[], $19::numeric[], $20::numeric[], $21::numeric[],
       $22::numeric[], $23::numeric[]) with ordinality
       i (sku_code, sku_name, price, quantity, total, discount, spend, line_no)
   ), coupons as (
     insert into transaction_coupon (company_id, transaction_id, line_no, coupon_code, name, value,
       quantity)
     select $1, transaction_id, line_no, coupon_code, name, value, quantity
     from receipt, unnest($24::text[], $25::text[], $26::numeric[], $27::int[]) with ordinality
       c (coupon_code, name, value, quantity, line_no)
   )
   select ${hasSubscriberSql('transaction.recorded')} from receipt`,
  z.object({ has_subscriber: z.boolean() }),
)

/** A receipt's id and owner, the points that it earns, and the hash of its content. */
type Receipt = { transactionId: string; memberId: string | null; earned: number; hash: Buffer }

/**
 * @returns whether a webhook gets events about receipts; null if the receipt exists already or the
 *   company has no such store
 */
export async function insertReceipt(
  tx: Transaction,
  companyId: string,
  { transactionId, memberId, earned, hash }: Receipt,
  input: TransactionInput,
): Promise<{ hasSubscriber: boolean } | null> {
  const { items, coupons } = input
  const created = await tx.maybe(insert, [
    companyId,
    transactionId,
    input.invoiceNumber,
    input.source,
    memberId,
    input.storeCode,
    input.sales,
    input.status,
    input.invoiceType,
    input.occurredAt,
    input.totalAmount,
    input.orderDiscount,
    input.netSpend,
    items.length,
    earned,
    hash,
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
  ])
  return created && { hasSubscriber: created.has_subscriber }
}

/** The data of the event about a recorded receipt. @param points earned minus taken back */
export function recordedData(transactionId: string, input: TransactionInput, points: number) {
  const { invoiceNumber, source, status, invoiceType, totalAmount, netSpend, occurredAt } = input
  const amounts = { totalAmount, netSpend, occurredAt, points }
  return { transactionId, invoiceNumber, source, status, invoiceType, ...amounts }
}
