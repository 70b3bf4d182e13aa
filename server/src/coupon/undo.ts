import type { cancelCouponRedeem } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, limitOf, takeAllowance } from '../allowance/given.ts'
import { textLanguages } from '../company/definition.ts'
import { settingsAt } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  type Asked,
  AtOnceRow,
  enqueueIfClaimed,
  type MemberQuestion,
  places,
} from '../http/at-once/at-once.ts'
import { findMemberId } from '../member/look-up.ts'
import { heldSql } from '../staff/held.ts'
import { successText } from '../text/envelope.ts'
import { anyCoupon, couponTemplate, envelopeTemplate } from './at-once/template.ts'
import { ownerOfCode, whyNotOwn } from './code.ts'
import { couponOf, couponTermsOf, noStores, readCoupons } from './coupon.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'

// The function has the rule, and returns the coupons whose redemption it has undone.
const undo = statement(
  'select coupon_code from undo_redemptions($1, $2, $3, $4, $5, $6, $7) as coupon_code',
  z.object({ coupon_code: z.string() }),
)

/**
 * Undoes a redemption: at the store that redeemed, within the company's time limit, and while the
 * coupon can still be used. The redemption row stays, with the time and reason of the undo. Order
 * of refusals: member, coupon, its owner, all reasons against the undo, allowance.
 */
export async function cancelRedeem(
  context: Context<typeof cancelCouponRedeem>,
  input: Input<typeof cancelCouponRedeem>,
): Promise<Data<typeof cancelCouponRedeem>> {
  const { tx, company, store, today, language } = context
  const code = readCouponCode(input.couponCode)
  const [memberId, terms] = await Promise.all([
    findMemberId(tx, company.id, input.memberCode),
    couponTermsOf(tx, company),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const values = [company.id, memberId, [code], input.reason, today]
  const [undone, [coupon], taken] = await Promise.all([
    tx.all(undo, [...values, store.code, terms.settings.undoMinutes]),
    readCoupons(tx, company.id, memberId, [code], today),
    takeAllowance(context, terms.settings, { undone: 1 }),
  ])
  if (coupon === undefined) return context.fail(await whyNotOwn(tx, company.id, code))
  if (undone.length === 0) return context.fail('notCancellable')
  const allowance = checkAllowance(context, memberId, taken)
  const { reason } = input
  context.changed({
    action: 'coupon.cancelRedeem',
    memberId,
    details: { couponCode: code, reason },
  })
  announce(tx, company.id, memberId, [code], 'undo')
  return { ...couponOf(coupon, context, terms, language), allowance }
}

const { sql: holder, next } = heldSql(2)
const [member, ownCode, ownReason, ...others] = places(next, 15)
const undoAtOnce = statement(
  `with h as materialized (${holder})
   select undo_answered($1, ${member}, ${ownCode}, ${ownReason}, h.today,
     ${others.join(', ')}) as answer
   from h`,
  AtOnceRow,
)

/** The statement that undoes the redemption of a call in one round trip. */
export function askToUndo(asked: Asked<typeof cancelCouponRedeem>): MemberQuestion {
  const { caller, values, token, operation, input, language, requestId } = asked
  const settings = settingsAt(caller.company)
  if (settings === null) return null
  const envelope = { code: 0, message: successText(operation.endpoint, language) }
  const coupon = couponOf(anyCoupon(language), caller, { settings, stores: noStores }, language)
  const { companyId } = token
  const code = readCouponCode(input.couponCode)
  return (memberId) => ({
    enqueue: (tx) =>
      enqueueIfClaimed(tx, operation, () => announce(tx, companyId, memberId, [code], 'undo')),
    s: undoAtOnce,
    values: [
      companyId,
      ...values,
      memberId,
      code,
      input.reason,
      caller.store.code,
      settings.undoMinutes,
      caller.staff.id,
      operation.key,
      operation.endpoint,
      operation.bodyHash,
      requestId,
      envelopeTemplate(envelope, '%s'),
      couponTemplate(coupon, ['redeemDate']),
      textLanguages(language, settings),
      ...limitOf(caller.isSystem, settings.allowances, 'undone'),
    ],
  })
}

/**
 * Gives back the coupons that something else undid, such as a sale that was returned: whichever of
 * these are redeemed and could still be used on `today`.
 * @param codes as they are stored
 * @returns those that were given back
 */
export async function giveBackCoupons(
  tx: Transaction,
  companyId: string,
  memberId: string,
  codes: readonly string[],
  today: string,
  reason: string,
): Promise<string[]> {
  const undone = await tx.all(undo, [companyId, memberId, codes, reason, today, null, null])
  const given = undone.map((row) => row.coupon_code)
  announce(tx, companyId, memberId, given, 'return')
  return given
}

/** Enqueues the events of redemptions that were undone. */
function announce(
  tx: Transaction,
  companyId: string,
  memberId: string,
  codes: readonly string[],
  cause: 'undo' | 'return',
): void {
  const events = codes.map((couponCode) => ({ memberId, data: { couponCode, cause } }))
  enqueueCouponEvents(tx, companyId, 'coupon.undone', events)
}

const voidOne = statement(
  `update coupon set voided_reason = $4
   where company_id = $1 and member_id = $2 and coupon_code = $3
     and not used and voided_reason is null`,
  z.unknown(),
)
const readOne = statement(
  `select used, voided_reason from coupon
   where company_id = $1 and member_id = $2 and coupon_code = $3`,
  z.object({ used: z.boolean(), voided_reason: z.nullable(z.string()) }),
)

/**
 * Makes a coupon void, for good: it shows as EXPIRED. Points that paid for it stay spent, and the
 * stock does not grow.
 * @param typed the code in any spelling
 * @returns the code as it is stored, and whose coupon it is
 * @throws Error when there is none, or it is used or void already
 */
export async function voidCoupon(
  tx: Transaction,
  companyId: string,
  typed: string,
  reason: string,
): Promise<{ code: string; memberId: string }> {
  const code = readCouponCode(typed)
  const memberId = await ownerOfCode(tx, companyId, code)
  if (memberId === null) throw new Error(`there is no coupon ${typed}`)
  if ((await tx.run(voidOne, [companyId, memberId, code, reason])) > 0) {
    enqueueCouponEvents(tx, companyId, 'coupon.voided', [
      { memberId, data: { couponCode: code, cause: 'command' } },
    ])
    return { code, memberId }
  }
  const there = await tx.one(readOne, [companyId, memberId, code])
  throw new Error(
    there.used
      ? `coupon ${code} is used; its redemption has to be taken back first`
      : `coupon ${code} is void already: ${there.voided_reason ?? ''}`,
  )
}

// Empty instead of null: the columns also mark void coupons and cancelled redemptions.
const eraseVoidReasons = statement(
  `update coupon set voided_reason = ''
   where company_id = $1 and member_id = $2 and voided_reason <> ''`,
  z.unknown(),
)
const eraseCancelReasons = statement(
  `update coupon_redemption set cancelled_reason = ''
   where company_id = $1 and member_id = $2 and cancelled_reason <> ''`,
  z.unknown(),
)

/** Erases the reasons for which coupons of an erased member were voided or returned. */
export async function forgetCouponReasons(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await Promise.all(
    [eraseVoidReasons, eraseCancelReasons].map((s) => tx.run(s, [companyId, memberId])),
  )
}
