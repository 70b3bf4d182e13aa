import type { batchReasons, batchRedeemCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Input, Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { inBatchTwice } from '../text/answer-texts.ts'
import { failureTexts } from '../text/failure-texts.ts'
import { hasSubscriberSql } from '../outbox/enqueue.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'
import { couponColumns, couponOf, CouponRow, notRedeemable, readCoupons } from './coupon.ts'

const RedeemedRow = z.extend(CouponRow, { member_id: z.string(), has_subscriber: z.boolean() })
type RedeemedRow = z.infer<typeof RedeemedRow>
// The conditions of the update are the rule. Under READ COMMITTED a second redemption waits for
// the row and then sees `used`, so exactly one of any number succeeds. A redeemed coupon is
// returned in its new state. For other coupons the reason is looked up afterwards.
const redeemWhere = (which: string) =>
  `with redeemed as (
     update coupon c set used = true from member_key k, coupon_definition d
     where c.company_id = $1 and c.coupon_code ${which}
       and k.company_id = $1 and k.kind = 'code' and k.value = $3 and k.member_id = c.member_id
       and d.company_id = $1 and d.coupon_id = c.coupon_id
       and not c.used and c.voided_reason is null and $4 between c.start_date and c.expiry_date
       and (d.redeem_stores is null or $5 = any (d.redeem_stores))
     returning c.*
   ), r as (
     insert into coupon_redemption
       (company_id, coupon_code, member_id, store_code, staff_id, invoice_number)
     select $1, coupon_code, member_id, $5, $6, $7 from redeemed
     returning coupon_code, store_code, redeemed_at
   )
   select ${couponColumns('$4')}, c.member_id, ${hasSubscriberSql('coupon.redeemed')}
   from redeemed c join r using (coupon_code)
   join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
   join store rs on rs.company_id = $1 and rs.store_code = r.store_code`
const redeemOne = statement(redeemWhere('= $2'), RedeemedRow)
// Batches that share coupons take them in one order, so that none waits for one that waits for it.
const lockMany = statement(
  `select from coupon where company_id = $1 and coupon_code = any ($2)
   order by coupon_code for no key update`,
  z.unknown(),
)
const redeemMany = statement(
  `${redeemWhere('= any ($2)')} order by array_position($2, c.coupon_code)`,
  RedeemedRow,
)

/** Order of refusals: member, coupon, its owner, used, expired, not started, store, allowance. */
export async function redeem(
  context: Context<typeof redeemCoupon>,
  input: Input<typeof redeemCoupon>,
): Promise<Data<typeof redeemCoupon>> {
  const { tx, company, staff, store, today, language } = context
  const code = readCouponCode(input.couponCode)
  const invoice = input.invoiceNumber ?? null
  const settings = await settingsOf(tx, company)
  const [redeemed, taken] = await Promise.all([
    tx.maybe(redeemOne, [
      company.id,
      code,
      codeKey(input.memberCode),
      today,
      store.code,
      staff.id,
      invoice,
    ]),
    takeAllowance(context, settings, { couponsRedeemed: 1 }),
  ])
  if (redeemed === null) return refuseOne(context, code, input.memberCode)
  const allowance = checkAllowance(context, redeemed.member_id, taken)
  recordRedemption(context, redeemed, invoice)
  return { ...couponOf(redeemed, context, settings, language), allowance }
}

async function refuseOne(
  context: Context<typeof redeemCoupon>,
  code: string,
  memberCode: string,
): Promise<never> {
  const { tx, company, today } = context
  const [memberId, [coupon]] = await Promise.all([
    findMemberId(tx, company.id, memberCode),
    readCoupons(tx, company.id, [code], today),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  if (coupon === undefined) return context.fail('couponUnknown')
  if (coupon.member_id !== memberId) return context.fail('couponOtherMember')
  return context.fail(reasonNow(coupon, context))
}

/** All or none: the refusal gives the reason for each coupon, in the order of the request. */
export async function redeemBatch(
  context: Context<typeof batchRedeemCoupons>,
  input: Input<typeof batchRedeemCoupons>,
): Promise<Data<typeof batchRedeemCoupons>> {
  const { tx, company, staff, store, today, language } = context
  const codes = input.couponCodes.map(readCouponCode)
  const invoice = input.invoiceNumber ?? null
  const member = codeKey(input.memberCode)
  const settings = await settingsOf(tx, company)
  const [, redeemed, taken] = await Promise.all([
    tx.run(lockMany, [company.id, codes]),
    tx.all(redeemMany, [company.id, codes, member, today, store.code, staff.id, invoice]),
    takeAllowance(context, settings, { couponsRedeemed: codes.length }),
  ])
  const [first] = redeemed
  if (first === undefined || redeemed.length < codes.length) {
    return refuseBatch(context, input, new Set(redeemed.map((row) => row.coupon_code)))
  }
  const allowance = checkAllowance(context, first.member_id, taken)
  for (const row of redeemed) recordRedemption(context, row, invoice)
  const coupons = redeemed.map((row) => couponOf(row, context, settings, language))
  return { coupons, allowance }
}

/** @param redeemed the rows that the update redeemed */
async function refuseBatch(
  context: Context<typeof batchRedeemCoupons>,
  input: Input<typeof batchRedeemCoupons>,
  redeemed: ReadonlySet<string>,
): Promise<never> {
  const { tx, company, today, language } = context
  const codes = input.couponCodes.map(readCouponCode)
  const [memberId, coupons] = await Promise.all([
    findMemberId(tx, company.id, input.memberCode),
    readCoupons(tx, company.id, codes, today),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const byCode = new Map(coupons.map((row) => [row.coupon_code, row]))
  const items = codes.flatMap((code, index) => {
    const reason = codes.indexOf(code) < index ? 'couponTwice' : reasonOf(code)
    if (reason === null) return []
    const words = reason === 'couponTwice' ? inBatchTwice : failureTexts[reason]
    const couponCode = input.couponCodes[index] ?? code
    return [{ couponCode, reason, message: words[language] }]
  })
  if (items.length === 0) throw new Error('a batch that can be redeemed was not')
  return context.fail('couponsRefused', { items })

  function reasonOf(code: string): (typeof batchReasons)[number] | null {
    const row = byCode.get(code)
    if (row === undefined) return 'couponUnknown'
    if (row.member_id !== memberId) return 'couponOtherMember'
    return redeemed.has(code) ? null : reasonNow(row, context)
  }
}

/**
 * Why the update did not redeem this coupon. Never `noPermission`: the endpoint has checked the
 * permission.
 */
function reasonNow(row: CouponRow, viewer: Parameters<typeof notRedeemable>[1]) {
  const reason = notRedeemable(row, viewer)
  if (reason === null || reason === 'noPermission') {
    throw new Error('a coupon that can be redeemed was not')
  }
  return reason
}

/** Writes the audit entry of a redemption, and its event where a webhook subscribes to it. */
function recordRedemption(
  { changed, tx, company, store }: Pick<Context, 'changed' | 'tx' | 'company' | 'store'>,
  { member_id: memberId, coupon_code: couponCode, has_subscriber: hasSubscriber }: RedeemedRow,
  invoice: string | null,
): void {
  changed({ action: 'coupon.redeem', memberId, details: { couponCode, invoice } })
  if (!hasSubscriber) return
  const data = { couponCode, storeCode: store.code, invoiceNumber: invoice }
  enqueueCouponEvents(tx, company.id, 'coupon.redeemed', [{ memberId, data }])
}
