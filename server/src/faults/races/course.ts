import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { Data, Endpoint } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { money, mug } from '../../testing/factories/spending.ts'

// One member's course: every change that one round trip can answer.

/** A clerk's change. */
export type Step = {
  name: string
  endpoint: Endpoint
  input: object
  /** The refusal of the same change with another key; null: it succeeds too. */
  loser: number | null
}
/** Who makes the changes, and how. */
export type Runner = {
  /** @returns the answer to the change */
  change: (step: Step) => Promise<string>
  /** Sends a receipt as a till. */
  record: (name: string, input: object) => Promise<void>
}
type Member = { id: string; memberCode: string }

/** The points of a member at the beginning. */
export const given = 5000

/** Makes every change for a member with so many points. Each begins after the one before. */
export async function run(shop: Shop, member: Member, { change, record }: Runner): Promise<void> {
  const { memberCode } = member
  const reason = 'race'
  const { couponUsed, couponsRefused, notCancellable } = failures
  const undo = async (name: string, entryId: string) => {
    const input = { memberCode, entryId, reason }
    await change({ name, endpoint: cancelPoints, input, loser: notCancellable.code })
  }

  const [couponCode, ...couponCodes] = await couponsOf(shop, member)
  const redeem = { memberCode, couponCode }
  await change({
    name: 'redeem',
    endpoint: redeemCoupon,
    input: redeem,
    loser: couponUsed.code,
  })
  await change({
    name: 'undo',
    endpoint: cancelCouponRedeem,
    input: { ...redeem, reason },
    loser: notCancellable.code,
  })
  await change({
    name: 'redeem several',
    endpoint: batchRedeemCoupons,
    input: { memberCode, couponCodes },
    loser: couponsRefused.code,
  })
  const order = { couponId: 'TREAT', quantity: 2, memberCode }
  await change({ name: 'issue', endpoint: issueCoupon, input: order, loser: null })
  const spend = (name: string, input: object) =>
    change({ name, endpoint: redeemPoints, input, loser: null })
  const spent = await spend('spend', money(memberCode))
  const gift = await spend('spend on gifts', mug(memberCode, { quantity: 2 }))
  const sale = receipt([['TEA', '12.50', 2]], { memberCode })
  const paid = { couponId: 'LATTE', quantity: 1, memberCode }
  const [bought] = await Promise.all([
    change({ name: 'buy coupons', endpoint: issueCouponByPoints, input: paid, loser: null }),
    record('a sale', sale),
  ])
  await undo('undo a spending', dataOf(redeemPoints, spent).entry.id)
  await undo('undo gifts', dataOf(redeemPoints, gift).entry.id)
  const { coupons } = dataOf(issueCouponByPoints, bought)
  await undo('undo bought coupons', await payerOf(shop, member, coupons[0]?.code))
  await record('a return', receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sale) }))
}

function couponsOf(shop: Shop, member: Member): Promise<string[]> {
  return Promise.all([1, 2, 3].map(() => testCoupon(shop, member)))
}

function dataOf<E extends Endpoint>({ data: shape }: E, answer: string): Data<E> {
  const { data } = z.object({ data: z.unknown() }).parse(JSON.parse(answer))
  return z.parse<E['data']>(shape, data)
}

const readPayer = statement(
  `select entry_id as payer from coupon
   where company_id = $1 and member_id = $2 and coupon_code = $3`,
  z.object({ payer: z.string() }),
)

/** The entry that paid for a coupon. */
async function payerOf({ database, id }: Shop, member: Member, code: unknown): Promise<string> {
  return (await database.reading(id, (tx) => tx.one(readPayer, [id, member.id, code]))).payer
}
