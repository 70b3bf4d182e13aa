import type { batchReasons, batchRedeemCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Input, Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, limitOf, takeAllowance } from '../allowance/given.ts'
import { textLanguages } from '../company/definition.ts'
import { settingsAt } from '../company/settings.ts'
import { nameOfStore } from '../company/stores.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  type Asked,
  AtOnceRow,
  enqueueIfClaimed,
  type MemberQuestion,
  places,
} from '../http/at-once/at-once.ts'
import { heldSql } from '../staff/held.ts'
import { successText } from '../text/envelope.ts'
import { inBatchTwice } from '../text/answer-texts.ts'
import { failureTexts } from '../text/failure-texts.ts'
import { findMemberId } from '../member/look-up.ts'
import { Outdated } from '../values/outdated.ts'
import { anyCoupon, couponTemplate, envelopeTemplate } from './at-once/template.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'
import { whyNotOwn } from './code.ts'
import {
  couponOf,
  type CouponRow,
  couponTermsOf,
  notRedeemable,
  type OwnedCoupon,
  readCoupons,
} from './coupon.ts'

// The function has the rule, and returns the codes of the coupons that it has redeemed. For other
// coupons the reason is looked up afterwards.
const redeemCodes = statement(
  'select redeem_codes($1, $2, $3, $4, $5, $6, $7) as codes',
  z.object({ codes: z.array(z.string()) }),
)

/**
 * Redeems these coupons of the member, as many as may be redeemed.
 * @returns them in their new state, in the order of the codes
 */
async function redeemAll(
  { tx, company, staff, store, today }: Context,
  memberId: string,
  codes: readonly string[],
  invoice: string | null,
): Promise<OwnedCoupon[]> {
  // Sent together; the database reads the coupons after it has redeemed them.
  const [redeemed, coupons] = await Promise.all([
    tx.one(redeemCodes, [company.id, memberId, codes, today, store.code, staff.id, invoice]),
    readCoupons(tx, company.id, memberId, codes, today),
  ])
  const done = new Set(redeemed.codes)
  return coupons.filter(({ coupon_code: code }) => done.has(code))
}

/** Order of refusals: member, coupon, its owner, used, expired, not started, store, allowance. */
export async function redeem(
  context: Context<typeof redeemCoupon>,
  input: Input<typeof redeemCoupon>,
): Promise<Data<typeof redeemCoupon>> {
  const { tx, company, language } = context
  const code = readCouponCode(input.couponCode)
  const invoice = input.invoiceNumber ?? null
  // The member first, so that the clerk's row is locked after the coupon, as everywhere.
  const [terms, memberId] = await Promise.all([
    couponTermsOf(tx, company),
    findMemberId(tx, company.id, input.memberCode),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const [[redeemed], taken] = await Promise.all([
    redeemAll(context, memberId, [code], invoice),
    takeAllowance(context, terms.settings, { couponsRedeemed: 1 }),
  ])
  if (redeemed === undefined) return refuseOne(context, code, memberId)
  const allowance = checkAllowance(context, redeemed.member_id, taken)
  recordRedemption(context, redeemed, invoice)
  return { ...couponOf(redeemed, context, terms, language), allowance }
}

async function refuseOne(
  context: Context<typeof redeemCoupon>,
  code: string,
  memberId: string,
): Promise<never> {
  const { tx, company, today } = context
  const [coupon] = await readCoupons(tx, company.id, memberId, [code], today)
  if (coupon === undefined) return context.fail(await whyNotOwn(tx, company.id, code))
  return context.fail(reasonNow(coupon, context))
}

/** All or none: the refusal gives the reason for each coupon, in the order of the request. */
export async function redeemBatch(
  context: Context<typeof batchRedeemCoupons>,
  input: Input<typeof batchRedeemCoupons>,
): Promise<Data<typeof batchRedeemCoupons>> {
  const { tx, company, language } = context
  const codes = input.couponCodes.map(readCouponCode)
  const invoice = input.invoiceNumber ?? null
  const [terms, memberId] = await Promise.all([
    couponTermsOf(tx, company),
    findMemberId(tx, company.id, input.memberCode),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const [redeemed, taken] = await Promise.all([
    redeemAll(context, memberId, codes, invoice),
    takeAllowance(context, terms.settings, { couponsRedeemed: codes.length }),
  ])
  const [first] = redeemed
  if (first === undefined || redeemed.length < codes.length) {
    return refuseBatch(context, input, memberId, new Set(redeemed.map((row) => row.coupon_code)))
  }
  const allowance = checkAllowance(context, first.member_id, taken)
  for (const row of redeemed) recordRedemption(context, row, invoice)
  const coupons = redeemed.map((row) => couponOf(row, context, terms, language))
  return { coupons, allowance }
}

/** @param redeemed the rows that the update redeemed */
async function refuseBatch(
  context: Context<typeof batchRedeemCoupons>,
  input: Input<typeof batchRedeemCoupons>,
  memberId: string,
  redeemed: ReadonlySet<string>,
): Promise<never> {
  const { tx, company, today, language } = context
  const codes = input.couponCodes.map(readCouponCode)
  const coupons = await readCoupons(tx, company.id, memberId, codes, today)
  const byCode = new Map(coupons.map((row) => [row.coupon_code, row]))
  const others = codes.filter((code) => !byCode.has(code))
  const reasons = await Promise.all(others.map(async (code) => whyNotOwn(tx, company.id, code)))
  const reasonOfOther = new Map(others.map((code, index) => [code, reasons[index]]))
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
    if (row === undefined) return reasonOfOther.get(code) ?? 'couponUnknown'
    return redeemed.has(code) ? null : reasonNow(row, context)
  }
}

/**
 * Why the update did not redeem this coupon. Never `noPermission`: the endpoint has checked the
 * permission.
 * @throws Outdated if the coupon can be redeemed since, because its redemption was undone
 */
function reasonNow(row: CouponRow, viewer: Parameters<typeof notRedeemable>[1]) {
  const reason = notRedeemable(row, viewer)
  if (reason === 'noPermission') throw new Error('a clerk without the permission has redeemed')
  if (reason === null)
    throw new Outdated('the coupon was not redeemed, and nothing is against it now')
  return reason
}

/** Writes the audit entry and the event of a redemption. */
function recordRedemption(
  { changed, tx, company, store }: Pick<Context, 'changed' | 'tx' | 'company' | 'store'>,
  { member_id: memberId, coupon_code: couponCode }: OwnedCoupon,
  invoice: string | null,
): void {
  changed({ action: 'coupon.redeem', memberId, details: { couponCode, invoice } })
  enqueueRedeemed(tx, company.id, memberId, [couponCode], { storeCode: store.code, invoice })
}

function enqueueRedeemed(
  tx: Transaction,
  companyId: string,
  memberId: string,
  codes: readonly string[],
  { storeCode, invoice: invoiceNumber }: { storeCode: string; invoice: string | null },
): void {
  const events = codes.map((couponCode) => {
    return { memberId, data: { couponCode, storeCode, invoiceNumber } }
  })
  enqueueCouponEvents(tx, companyId, 'coupon.redeemed', events)
}

type Redeeming = typeof redeemCoupon | typeof batchRedeemCoupons

const { sql: holder, next } = heldSql(2)
const [member, codesPlace, ...others] = places(next, 14)
const redeemAtOnce = statement(
  `with h as materialized (${holder})
   select redeem_answered($1, ${member}, ${codesPlace}, h.today, ${others.join(', ')}) as answer
   from h`,
  AtOnceRow,
)

/** The statement that redeems the coupons of a call in one round trip. */
export function askToRedeem(asked: Asked<Redeeming>): MemberQuestion {
  const { caller, values, token, operation, input, language, requestId } = asked
  const settings = settingsAt(caller.company)
  if (settings === null) return null
  const together = 'couponCodes' in input
  const typed = together ? input.couponCodes : [input.couponCode]
  const envelope = { code: 0, message: successText(operation.endpoint, language) }
  const redeem_store = caller.store.code
  const redeemed: CouponRow = { ...anyCoupon(language), status: 'USED', redeem_store }
  const terms = { settings, stores: nameOfStore(caller.store) }
  const { companyId } = token
  const codes = typed.map(readCouponCode)
  const at = { storeCode: caller.store.code, invoice: input.invoiceNumber ?? null }
  return (memberId) => ({
    enqueue: (tx) =>
      enqueueIfClaimed(tx, operation, () => enqueueRedeemed(tx, companyId, memberId, codes, at)),
    s: redeemAtOnce,
    values: [
      companyId,
      ...values,
      memberId,
      codes,
      at.storeCode,
      caller.staff.id,
      at.invoice,
      operation.key,
      operation.endpoint,
      operation.bodyHash,
      requestId,
      envelopeTemplate(envelope, together ? '{"coupons":[%s]}' : '%s'),
      couponTemplate(couponOf(redeemed, caller, terms, language)),
      textLanguages(language, settings),
      ...limitOf(caller.isSystem, settings.allowances, 'couponsRedeemed'),
    ],
  })
}
