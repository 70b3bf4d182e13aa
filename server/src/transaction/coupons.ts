import * as z from 'zod/mini'
import { readCouponCode } from '../coupon/code.ts'
import { giveBackCoupons } from '../coupon/undo.ts'
import { writeAudit } from '../kit/audit.ts'
import { statement, type Transaction } from '../kit/database.ts'
import { boughtSql, returnedSql, type Share } from './originals.ts'

// Of the sales that nothing is left of: all their money came back, and where they cost none, all
// their goods. A coupon is a sale's when the till names it on the receipt, or when a clerk named
// the receipt while redeeming it.
const readSpent = statement(
  `with whole as (
     select t.transaction_id, t.invoice_number, t.store_code from transaction t
     where t.company_id = $1 and t.member_id = $2 and t.transaction_id = any ($3::uuid[])
       and ${returnedSql} >= ${boughtSql}
       and (${boughtSql} > 0 or coalesce((
         select sum(r.quantity) from transaction_return r
         where r.company_id = $1 and r.original_id = t.transaction_id), 0) >= coalesce((
         select sum(i.quantity) from transaction_item i
         where i.company_id = $1 and i.transaction_id = t.transaction_id and i.quantity > 0), 0))
   )
   select tc.coupon_code as code, (now() at time zone $4)::date as today
   from whole w join transaction_coupon tc
     on tc.company_id = $1 and tc.transaction_id = w.transaction_id
   union
   select r.coupon_code, (now() at time zone $4)::date
   from whole w join coupon_redemption r
     on r.company_id = $1 and r.member_id = $2 and r.invoice_number = w.invoice_number
       and r.store_code = coalesce(w.store_code, r.store_code) and r.cancelled_at is null`,
  z.object({ code: z.string(), today: z.string() }),
)

/**
 * Gives back the coupons of sales of which nothing is left now that these goods came back.
 * @param shares what came back, and of which sales; written already
 * @param invoiceNumber the return's, which is the reason
 */
export async function giveBackCouponsOf(
  tx: Transaction,
  company: { id: string; timeZone: string },
  memberId: string,
  shares: readonly Share[],
  invoiceNumber: string,
): Promise<void> {
  if (shares.length === 0) return
  const sales = [...new Set(shares.map((share) => share.originalId))]
  const spent = await tx.all(readSpent, [company.id, memberId, sales, company.timeZone])
  const [first] = spent
  if (first === undefined) return
  const codes = spent.map(({ code }) => readCouponCode(code))
  const reason = `returned with ${invoiceNumber}`
  const given = await giveBackCoupons(tx, company.id, memberId, codes, first.today, reason)
  for (const couponCode of given) {
    const change = { action: 'coupon.giveBack', memberId, details: { couponCode, invoiceNumber } }
    writeAudit(tx, { company, staff: null, store: null }, 'return', change)
  }
}
