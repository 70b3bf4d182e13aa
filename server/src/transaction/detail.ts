import {
  TransactionCoupon,
  transactionDetail as endpoint,
  TransactionItem,
  TransactionPoints,
} from '@tillside/contract/transaction'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../company/definition.ts'
import { decimalsOf, settingsOf } from '../company/settings.ts'
import { storeNamesOf } from '../company/stores.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { readIfKnown } from '../member/look-up.ts'
import { Outdated } from '../values/outdated.ts'
import { receiptColumns, receiptOf, ReceiptRow } from './list.ts'

const newestFirst = 'order by t.occurred_at desc, t.transaction_id desc'
/** The receipt of each row: the statements of a read do not see one moment. */
const Of = { transaction_id: z.string() }

const readReceipt = statement(
  `select ${receiptColumns} from transaction t
   where t.company_id = $1 and t.place = $2 and t.member_id = $2 and t.invoice_number = $3
   ${newestFirst} limit 1`,
  ReceiptRow,
)

/** SQL: the receipt itself, for statements that do not wait for its id. */
const receiptOfInvoice = `(select t.transaction_id, t.store_code from transaction t
   where t.company_id = $1 and t.place = $2 and t.member_id = $2 and t.invoice_number = $3
   ${newestFirst} limit 1)`
// Prices are shown with the decimals of the currency, or with more when the price has more.
const readItems = statement(
  `select i.transaction_id, i.sku_code as "skuCode", i.sku_name as "skuName",
     case when i.price = round(i.price, $4::int) then round(i.price, $4::int)
       else trim_scale(i.price) end as price,
     i.quantity::float8 as quantity, i.total, i.discount, i.spend
   from ${receiptOfInvoice} t join transaction_item i using (transaction_id)
   where i.company_id = $1 and i.place = $2 order by i.line_no`,
  z.extend(TransactionItem, Of),
)
const readCouponLines = statement(
  `select c.transaction_id, c.coupon_code as code, c.name, c.value, c.quantity
   from ${receiptOfInvoice} t join transaction_coupon c using (transaction_id)
   where c.company_id = $1 and c.place = $2 order by c.line_no`,
  z.extend(TransactionCoupon, Of),
)
// The clerk enters only the invoice number, so the redemption must also be of the receipt's store.
const readRedeemed = statement(
  `select t.transaction_id, r.coupon_code as code, d.names,
     case when d.kind = 'amount' then d.value end as value
   from ${receiptOfInvoice} t cross join coupon_redemption r
   join coupon c on c.company_id = $1 and c.member_id = $2 and c.coupon_code = r.coupon_code
   join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
   where r.company_id = $1 and r.member_id = $2 and r.invoice_number = $3
     and r.store_code = coalesce(t.store_code, r.store_code) and r.cancelled_at is null
   order by r.redeemed_at, r.redemption_id`,
  z.object({ code: z.string(), names: Texts, value: z.nullable(z.string()), ...Of }),
)
const readPoints = statement(
  `select e.transaction_id, e.entry_id as id, e.type, e.points
   from ${receiptOfInvoice} t join point_entry e using (transaction_id)
   where e.company_id = $1 and e.member_id = $2 order by e.seq`,
  z.extend(TransactionPoints, Of),
)

/**
 * Reads one receipt of the member with its lines, its points, and its coupons. A coupon that both
 * the till and the clerk recorded is listed once. Fails with `memberUnknown` or
 * `transactionUnknown`.
 */
export async function transactionDetail(
  context: Context<typeof endpoint>,
  { invoiceNumber }: Input<typeof endpoint>,
  memberId: string | null,
): Promise<Data<typeof endpoint>> {
  const { tx, company, language } = context
  const settings = await settingsOf(tx, company)
  const [row, items, printed, redeemed, points, stores] = await readIfKnown(
    context,
    memberId,
    (member) => {
      const of = [company.id, member, invoiceNumber] as const
      return Promise.all([
        tx.maybe(readReceipt, of),
        tx.all(readItems, [...of, decimalsOf(settings)]),
        tx.all(readCouponLines, of),
        tx.all(readRedeemed, of),
        tx.all(readPoints, of),
        storeNamesOf(tx, company),
      ])
    },
  )
  if (row === null) return context.fail('transactionUnknown')
  const parts = [...items, ...printed, ...redeemed, ...points]
  if (parts.some((part) => part.transaction_id !== row.transaction_id)) {
    throw new Outdated('a newer receipt has the same number')
  }
  // The till may print a code in groups and in lower case; a redemption has the stored form.
  const known = new Set(printed.map(({ code }) => readCouponCode(code)))
  const others = redeemed
    .filter(({ code }) => !known.has(code))
    .map(({ code, names, value }) => {
      return { code, name: textIn(names, language, settings), value, quantity: 1 }
    })
  return { ...receiptOf(row, stores), items, coupons: [...printed, ...others], points }
}
