import { invoiceTypes } from '@tillside/contract/wire/codes'
import {
  listTransactions as endpoint,
  type TransactionRow,
  TransactionStatus,
} from '@tillside/contract/transaction'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { storeIn, storeNamesOf } from '../company/stores.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { cutPage, readCursor, writeCursor } from '../values/cursor.ts'
import { invalidField } from '../text/invalid.ts'
import { readIfKnown } from '../member/look-up.ts'
import { toInstant } from '../member/member.ts'

const sortKey = `to_char(t.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
// PostgreSQL has no year 0.
const SortKey = z.iso.datetime({ precision: 6 }).check(z.regex(/^(?!0000)/))

/** SQL columns of a receipt; `t` is the alias of `transaction`. */
export const receiptColumns = `t.transaction_id, t.invoice_number, t.occurred_at, t.total_amount,
  t.order_discount, t.net_spend, t.store_code, t.sales, t.status,
  t.invoice_type, t.source, t.item_count, t.points_earned`

export const ReceiptRow = z.object({
  transaction_id: z.string(),
  invoice_number: z.string(),
  occurred_at: z.string(),
  total_amount: z.string(),
  order_discount: z.string(),
  net_spend: z.string(),
  store_code: z.nullable(z.string()),
  sales: z.nullable(z.string()),
  status: TransactionStatus,
  invoice_type: z.enum(invoiceTypes),
  source: z.int(),
  item_count: z.int(),
  points_earned: z.int(),
})

const readPage = statement(
  `select ${receiptColumns}, ${sortKey} as sort_key
   from transaction t
   where t.company_id = $1 and t.place = $2 and t.member_id = $2
     and ($3::date is null or t.occurred_at >= ($3::date)::timestamp at time zone $4)
     and ($5::date is null or t.occurred_at < ($5::date + 1)::timestamp at time zone $4)
     and ($6::text is null or t.status = $6)
     and ($10::text is null or position(upper($10) in upper(t.invoice_number)) > 0)
     and ($7::timestamptz is null or (t.occurred_at, t.transaction_id) < ($7, $8::uuid))
   order by t.occurred_at desc, t.transaction_id desc limit $9`,
  z.extend(ReceiptRow, { sort_key: z.string() }),
)

/** Lists the member's receipts, newest first. `from` and `to` are whole days of the company. */
export async function listTransactions(
  context: Context<typeof endpoint>,
  input: Input<typeof endpoint>,
  memberId: string | null,
): Promise<Data<typeof endpoint>> {
  const { tx, company, language } = context
  const cursor = input.cursor === undefined ? null : readCursor(input.cursor, SortKey)
  if (input.cursor !== undefined && (cursor === null || !z.uuid().safeParse(cursor[1]).success)) {
    return context.fail('invalid', invalidField('cursor', 'format', language))
  }
  const values = [
    input.from,
    company.timeZone,
    input.to,
    input.status,
    cursor?.[0],
    cursor?.[1],
    input.pageSize + 1,
    input.invoiceNumber,
  ]
  const [rows, stores] = await readIfKnown(context, memberId, (member) =>
    Promise.all([tx.all(readPage, [company.id, member, ...values]), storeNamesOf(tx, company)]),
  )
  const page = cutPage(rows, input.pageSize, (row) => writeCursor(row.sort_key, row.transaction_id))
  return {
    items: page.rows.map((row) => receiptOf(row, stores)),
    nextCursor: page.nextCursor,
  }
}

/** Converts a stored receipt to the contract's form. */
export function receiptOf(
  row: z.infer<typeof ReceiptRow>,
  stores: ReadonlyMap<string, string>,
): TransactionRow {
  return {
    invoiceNumber: row.invoice_number,
    date: toInstant(row.occurred_at),
    totalAmount: row.total_amount,
    orderDiscount: row.order_discount,
    netSpend: row.net_spend,
    store: storeIn(stores, row.store_code),
    sales: row.sales,
    status: row.status,
    invoiceType: row.invoice_type,
    source: row.source,
    itemCount: row.item_count,
    pointsEarned: row.points_earned,
  }
}
