import type { batchReasons, batchRedeemCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/coupon-code'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { Context, Verb } from '../kit/context.ts'
import { statement } from '../kit/database.ts'
import { inBatchTwice } from '../kit/answer-texts.ts'
import { failureTexts } from '../kit/failure-texts.ts'
import { tell } from '../kit/outbox.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import {
  couponColumns,
  couponJoins,
  couponOf,
  CouponRow,
  notRedeemable,
  readCoupons,
} from './coupon.ts'

// The update's conditions are the rule. Under READ COMMITTED a second redeem waits for the row and
// then finds `used` set, so exactly one of any number succeeds.
const redeemWhere = (which: string) =>
  `with redeemed as (
     update coupon c set used = true from member_key k, coupon_definition d
     where c.company_id = $1 and c.coupon_code ${which}
       and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
       and d.company_id = $1 and d.coupon_id = c.coupon_id
       and not c.used and c.voided_reason is null and $4 between c.start_date and c.expiry_date
       and (d.redeem_stores is null or $5 = any (d.redeem_stores))
     returning c.coupon_code, c.member_id
   )
   insert into coupon_redemption
     (company_id, coupon_code, member_id, store_code, staff_id, invoice_number)
   select $1, coupon_code, member_id, $5, $6, $7 from redeemed`
const redeemOne = statement(redeemWhere('= $2'), z.unknown())
// Batches that share coupons take them in one order, so that none waits for one that waits for it.
const lockMany = statement(
  `select from coupon where company_id = $1 and coupon_code = any ($2)
   order by coupon_code for no key update`,
  z.unknown(),
)
const redeemMany = statement(
  `${redeemWhere('= any ($2)')} returning coupon_code`,
  z.object({ coupon_code: z.string() }),
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
  told(context, memberId, code, invoice)
  return couponOf(coupon, context, settings, language)
}

/** All or none: what stood in the way of each coupon is told in the order of the request. */
export const redeemBatch: Verb<typeof batchRedeemCoupons> = async (context, input) => {
  const { tx, company, staff, store, today, language } = context
  const codes = input.couponCodes.map(readCouponCode)
  const invoice = input.invoiceNumber ?? null
  const member = codeKey(input.memberCode)
  // One round trip: what the update took is told apart from what it found in no state to be taken.
  const [, taken, coupons, memberId, settings] = await Promise.all([
    tx.run(lockMany, [company.id, codes]),
    tx.all(redeemMany, [company.id, codes, member, today, store.code, staff.id, invoice]),
    readCoupons(tx, company.id, codes, today),
    findMemberId(tx, company.id, input.memberCode),
    settingsOf(tx, company),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const redeemed = new Set(taken.map((row) => row.coupon_code))
  const byCode = new Map(coupons.map((row) => [row.coupon_code, row]))
  const items = codes.flatMap((code, index) => {
    const row = byCode.get(code)
    const reason = codes.indexOf(code) < index ? 'couponTwice' : reasonOf(code, row)
    if (reason === null) return []
    const words = reason === 'couponTwice' ? inBatchTwice : failureTexts[reason]
    const couponCode = input.couponCodes[index] ?? code
    return [{ couponCode, reason, message: words[language] }]
  })
  if (items.length > 0) return context.fail('couponsRefused', { items })
  for (const couponCode of codes) {
    told(context, memberId, couponCode, invoice)
  }
  return { coupons: coupons.map((row) => couponOf(row, context, settings, language)) }

  function reasonOf(
    code: string,
    row: (typeof coupons)[number] | undefined,
  ): (typeof batchReasons)[number] | null {
    if (row === undefined) return 'couponUnknown'
    if (row.member_id !== memberId) return 'couponOtherMember'
    if (redeemed.has(code)) return null
    const reason = notRedeemable(row, context)
    if (reason === null || reason === 'noPermission') {
      throw new Error('a coupon that can be redeemed was not')
    }
    return reason
  }
}

/** Says what a redemption changed, to the audit and to whoever listens. */
function told(
  { changed, tx, company, store }: Pick<Context, 'changed' | 'tx' | 'company' | 'store'>,
  memberId: string,
  couponCode: string,
  invoice: string | null,
): void {
  changed({ action: 'coupon.redeem', memberId, details: { couponCode, invoice } })
  const data = { couponCode, storeCode: store.code, invoiceNumber: invoice }
  tell(tx, company.id, 'coupon.redeemed', memberId, data)
}
