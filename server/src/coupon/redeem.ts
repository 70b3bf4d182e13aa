import type { redeemCoupon } from '@tillside/contract/coupon'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { Verb } from '../kit/context.ts'
import { statement } from '../kit/database.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { readCouponCode } from './code.ts'
import { couponColumns, couponJoins, couponOf, CouponRow, notRedeemable } from './coupon.ts'

// The update's conditions are the rule. Under READ COMMITTED a second redeem waits for the row and
// then finds `used` set, so exactly one of any number succeeds.
const redeemOne = statement(
  `with redeemed as (
     update coupon c set used = true from member_key k, coupon_definition d
     where c.company_id = $1 and c.coupon_code = $2
       and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
       and d.company_id = $1 and d.coupon_id = c.coupon_id
       and not c.used and c.voided_reason is null and $4 between c.start_date and c.expiry_date
       and (d.redeem_stores is null or $5 = any (d.redeem_stores))
     returning c.coupon_code, c.member_id
   )
   insert into coupon_redemption
     (company_id, coupon_code, member_id, store_code, staff_id, invoice_number)
   select $1, coupon_code, member_id, $5, $6, $7 from redeemed`,
  z.unknown(),
)
const readCoupon = statement(
  `select ${couponColumns('$3')}, c.member_id from coupon c ${couponJoins}
   where c.company_id = $1 and c.coupon_code = $2`,
  z.extend(CouponRow, { member_id: z.string() }),
)

/** Order of refusals: member, coupon, its owner, used, expired, not started, store. */
export const redeem: Verb<typeof redeemCoupon> = async (context, input) => {
  const { tx, company, staff, store, today, language } = context
  const code = readCouponCode(input.couponCode)
  const invoice = input.invoiceNumber ?? null
  // Sent together and answered in order: the coupon is read after the update, in one round trip.
  const [redeemed, coupon, memberId, settings] = await Promise.all([
    tx.run(redeemOne, [
      company.id,
      code,
      codeKey(input.memberCode),
      today,
      store.code,
      staff.id,
      invoice,
    ]),
    tx.maybe(readCoupon, [company.id, code, today]),
    findMemberId(tx, company.id, input.memberCode),
    settingsOf(tx, company),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  if (coupon === null) return context.fail('couponUnknown')
  if (coupon.member_id !== memberId) return context.fail('couponOtherMember')
  if (redeemed === 0) {
    const reason = notRedeemable(coupon, context)
    if (reason === null || reason === 'noPermission') {
      throw new Error('a coupon that can be redeemed was not')
    }
    return context.fail(reason)
  }
  context.changed({ action: 'coupon.redeem', memberId, details: { couponCode: code, invoice } })
  return couponOf(coupon, context, settings, language)
}
