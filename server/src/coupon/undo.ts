import type { cancelCouponRedeem } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { hasSubscriberSql } from '../outbox/enqueue.ts'
import { findMemberId } from '../member/look-up.ts'
import { couponOf, readCoupons } from './coupon.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'

// A coupon's row is taken before its redemption, and several in one order, as by those who redeem.
const lockCoupons = statement(
  `select from coupon where company_id = $1 and coupon_code = any ($2)
   order by coupon_code for no key update`,
  z.unknown(),
)
const undo = (conditions: string) =>
  `with undone as (
     update coupon_redemption r set cancelled_at = now(), cancelled_reason = $4 from coupon c
     where r.company_id = $1 and r.coupon_code = any ($2) and r.cancelled_at is null
       and c.company_id = $1 and c.coupon_code = r.coupon_code and c.member_id = $3
       and c.expiry_date >= $5 ${conditions}
     returning r.coupon_code
   )
   update coupon c set used = false from undone
   where c.company_id = $1 and c.coupon_code = undone.coupon_code
   returning c.coupon_code, ${hasSubscriberSql('coupon.undone')}`
const Undone = z.object({ coupon_code: z.string(), has_subscriber: z.boolean() })
const undoHere = statement(
  undo('and r.store_code = $6 and r.redeemed_at > now() - make_interval(mins => $7)'),
  Undone,
)
const undoAnywhere = statement(undo(''), Undone)

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
  const [memberId, settings] = await Promise.all([
    findMemberId(tx, company.id, input.memberCode),
    settingsOf(tx, company),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  const [, undone, [coupon], taken] = await Promise.all([
    tx.run(lockCoupons, [company.id, [code]]),
    tx.all(undoHere, [
      company.id,
      [code],
      memberId,
      input.reason,
      today,
      store.code,
      settings.undoMinutes,
    ]),
    readCoupons(tx, company.id, [code], today),
    takeAllowance(context, settings, { undone: 1 }),
  ])
  if (coupon === undefined) return context.fail('couponUnknown')
  if (coupon.member_id !== memberId) return context.fail('couponOtherMember')
  if (undone.length === 0) return context.fail('notCancellable')
  const allowance = checkAllowance(context, memberId, taken)
  const { reason } = input
  context.changed({
    action: 'coupon.cancelRedeem',
    memberId,
    details: { couponCode: code, reason },
  })
  announce(tx, company.id, memberId, undone, 'undo')
  return { ...couponOf(coupon, context, settings, language), allowance }
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
  const [, undone] = await Promise.all([
    tx.run(lockCoupons, [companyId, codes]),
    tx.all(undoAnywhere, [companyId, codes, memberId, reason, today]),
  ])
  announce(tx, companyId, memberId, undone, 'return')
  return undone.map((row) => row.coupon_code)
}

/** Enqueues the events of redemptions that were undone, where a webhook subscribes to them. */
function announce(
  tx: Transaction,
  companyId: string,
  memberId: string,
  undone: readonly z.infer<typeof Undone>[],
  cause: 'undo' | 'return',
): void {
  const events = undone
    .filter((row) => row.has_subscriber)
    .map((row) => ({ memberId, data: { couponCode: row.coupon_code, cause } }))
  enqueueCouponEvents(tx, companyId, 'coupon.undone', events)
}

const voidOne = statement(
  `update coupon set voided_reason = $3
   where company_id = $1 and coupon_code = $2 and not used and voided_reason is null
   returning member_id`,
  z.object({ member_id: z.string() }),
)
const readOne = statement(
  'select used, voided_reason from coupon where company_id = $1 and coupon_code = $2',
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
  const row = await tx.maybe(voidOne, [companyId, code, reason])
  if (row !== null) {
    enqueueCouponEvents(tx, companyId, 'coupon.voided', [
      { memberId: row.member_id, data: { couponCode: code, cause: 'command' } },
    ])
    return { code, memberId: row.member_id }
  }
  const there = await tx.maybe(readOne, [companyId, code])
  if (there === null) throw new Error(`there is no coupon ${typed}`)
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
