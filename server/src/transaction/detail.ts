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
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { receiptColumns, receiptOf, ReceiptRow } from './list.ts'

const readReceipt = statement(
  `select ${receiptColumns}
   from transaction t left join store s using (company_id, store_code)
   where t.company_id = $1 and t.member_id = $2 and t.invoice_number = $3
   order by t.occurred_at desc, t.transaction_id desc limit 1`,
  ReceiptRow,
)
// Prices are shown with the decimals of the currency, or with more when the price has more.
const readItems = statement(
  `select sku_code as "skuCode", sku_name as "skuName",
     case when price = round(price, $3::int) then round(price, $3::int)
       else trim_scale(price) end as price,
     quantity::float8 as quantity, total, discount, spend
   from transaction_item where company_id = $1 and transaction_id = $2 order by line_no`,
  TransactionItem,
)
const readCouponLines = statement(
  `select coupon_code as code, name, value, quantity from transaction_coupon
   where company_id = $1 and transaction_id = $2 order by line_no`,
  TransactionCoupon,
)
// The clerk enters only the invoice number, so the redemption must also be of the receipt's store.
const readRedeemed = statement(
  `select r.coupon_code as code, d.names, case when d.kind = 'amount' then d.value end as value
   from coupon_redemption r join coupon c using (company_id, coupon_code)
   join coupon_definition d using (company_id, coupon_id)
   where r.company_id = $1 and r.member_id = $2 and r.invoice_number = $3
     and r.store_code = coalesce($4, r.store_code) and r.cancelled_at is null
   order by r.redeemed_at, r.redemption_id`,
  z.object({ code: z.string(), names: Texts, value: z.nullable(z.string()) }),
)
const readPoints = statement(
  `select entry_id as id, type, points from point_entry
   where company_id = $1 and member_id = $2 and transaction_id = $3 order by seq`,
  TransactionPoints,
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
  if (memberId === null) return context.fail('memberUnknown')
  const [row, settings] = await Promise.all([
    tx.maybe(readReceipt, [company.id, memberId, invoiceNumber]),
    settingsOf(tx, company),
  ])
  if (row === null) return context.fail('transactionUnknown')
  const receipt = [company.id, row.transaction_id]
  const [items, printed, redeemed, points] = await Promise.all([
    tx.all(readItems, [...receipt, decimalsOf(settings)]),
    tx.all(readCouponLines, receipt),
    tx.all(readRedeemed, [company.id, memberId, invoiceNumber, row.store_code]),
    tx.all(readPoints, [company.id, memberId, row.transaction_id]),
  ])
  // The till may print a code in groups and in lower case; a redemption has the stored form.
  const known = new Set(printed.map(({ code }) => readCouponCode(code)))
  const named = redeemed
    .filter(({ code }) => !known.has(code))
    .map(({ code, names, value }) => {
      return { code, name: textIn(names, language, settings), value, quantity: 1 }
    })
  return { ...receiptOf(row), items, coupons: [...printed, ...named], points }
}
