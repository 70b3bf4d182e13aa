import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'
import { call, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { memberWith, testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { type Receiver, startReceiver } from '../testing/servers/webhook-receiver.ts'
import type { Shop } from '../testing/factories/shop.ts'

let receiver: Receiver
let shop: Shop
let clerks = 0
beforeAll(async () => {
  receiver = await startReceiver()
  shop = await testSpendingShop({
    allowances: {
      couponsRedeemed: { warn: 2, refuse: 4 },
      couponsIssued: { warn: 5, refuse: 12 },
      pointRedemptions: { warn: 3, refuse: 3 },
      pointsSpent: { warn: 100, refuse: 250 },
      undone: { warn: 1, refuse: 2 },
    },
    webhooks: [
      {
        id: 'guard',
        url: receiver.url,
        secretVariable: 'WEBHOOK_SECRET_TEST',
        events: ['staff.alert'],
      },
    ],
  })
})
afterAll(async () => {
  await shop.close()
  await receiver.close()
})
afterEach(() => void receiver.taken.splice(0))

const newClerk = () => testClerk(shop, `clerk${++clerks}`)
/** The alerts that the company's webhook has received. */
async function alerts() {
  const environment = { WEBHOOK_SECRET_TEST: 'a secret of the test, long enough' }
  await deliverOutbox(shop.database, shop.id, { environment, now: true })
  return receiver.taken.map((message) => message.data)
}
function refused(kind: string, limit: number) {
  return {
    status: 200,
    code: 117001,
    message: `Your account has reached its limit of ${limit} for today. Please ask your manager.`,
    data: { kind, limit },
  }
}

describe('in one day a clerk', () => {
  test('redeems coupons up to the limit; one alert is sent on the way', async () => {
    const token = await newClerk()
    const member = await testMember(shop)
    const { memberCode } = member
    const codes = []
    for (let n = 0; n < 5; n++) codes.push(await testCoupon(shop, member))
    const redeem = (couponCode = '') =>
      call(shop, redeemCoupon, { couponCode, memberCode }, { token })
    expect((await redeem(codes[0])).data).not.toHaveProperty('allowance')
    expect(await alerts()).toEqual([])
    const near = { kind: 'couponsRedeemed', used: 2, limit: 4 }
    expect((await redeem(codes[1])).data).toMatchObject({ allowance: near })
    expect(await alerts()).toEqual([
      {
        memberCode,
        account: `clerk${clerks}`,
        storeCode: 'S1',
        kind: 'couponsRedeemed',
        used: 2,
        limit: 4,
      },
    ])
    expect((await redeem(codes[2])).code).toBe(0)
    // A batch counts each of its coupons, and is refused as a whole.
    const batch = { couponCodes: codes.slice(3), memberCode }
    const answer = await call(shop, batchRedeemCoupons, batch, { token })
    expect(answer).toEqual(refused('couponsRedeemed', 4))
    // A redemption that is refused for another reason does not use up the limit.
    expect((await redeem(codes[0])).code).toBe(113002)
    expect((await redeem(codes[3])).code).toBe(0)
    expect(await redeem(codes[4])).toEqual(refused('couponsRedeemed', 4))
    // A coupon that cannot be redeemed is refused for its own reason first, then for the limit.
    expect((await redeem(codes[0])).code).toBe(113002)
    expect(await alerts()).toHaveLength(1)
    // Another clerk is not affected.
    const input = { couponCode: codes[4], memberCode }
    await ok(shop, redeemCoupon, input, { token: await newClerk() })
  })

  test('issues coupons up to the limit, counted by quantity', async () => {
    const token = await newClerk()
    const { memberCode } = await testMember(shop)
    const issue = (quantity: number) =>
      call(shop, issueCoupon, { memberCode, couponId: 'TREAT', quantity }, { token })
    expect((await issue(10)).code).toBe(0)
    expect(await issue(3)).toEqual(refused('couponsIssued', 12))
    const last = { kind: 'couponsIssued', used: 12, limit: 12 }
    expect((await issue(2)).data).toMatchObject({ allowance: last })
    expect(await issue(1)).toEqual(refused('couponsIssued', 12))
    expect(await alerts()).toMatchObject([{ kind: 'couponsIssued', used: 10, limit: 12 }])
  })

  test('spends points up to the limits of points and of redemptions', async () => {
    const { memberCode } = await memberWith(shop, 1000)
    const order = { memberCode, couponId: 'LATTE', quantity: 1 } // for 100 points
    const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 } // for 50
    const token = await newClerk()
    await ok(shop, issueCouponByPoints, order, { token })
    const twice = await call(shop, issueCouponByPoints, { ...order, quantity: 2 }, { token })
    expect(twice).toEqual(refused('pointsSpent', 250))
    // Two redemptions of three are not reached yet; points are.
    const second = await ok(shop, redeemPoints, gift, { token })
    expect(second.allowance).toEqual({ kind: 'pointsSpent', used: 150, limit: 250 })
    const third = await ok(shop, issueCouponByPoints, order, { token })
    expect(third.allowance).toEqual({ kind: 'pointRedemptions', used: 3, limit: 3 })
    const fourth = await call(shop, redeemPoints, gift, { token })
    expect(fourth).toEqual(refused('pointRedemptions', 3))
    expect(await alerts()).toMatchObject([
      { kind: 'pointsSpent', used: 100, limit: 250 },
      { kind: 'pointRedemptions', used: 3, limit: 3 },
    ])
  })

  test('undoes redemptions up to the limit', async () => {
    const token = await newClerk()
    const member = await testMember(shop)
    await givePoints(shop, member, 200)
    const { memberCode } = member
    const couponCode = await testCoupon(shop, member)
    const coupon = { couponCode, memberCode }
    const [reason, gift] = ['wrong one', { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }]
    await ok(shop, redeemCoupon, coupon, { token })
    await ok(shop, cancelCouponRedeem, { ...coupon, reason }, { token })
    const { entry } = await ok(shop, redeemPoints, gift, { token })
    const undone = { memberCode, entryId: entry.id, reason }
    const { allowance } = await ok(shop, cancelPoints, undone, { token })
    expect(allowance).toEqual({ kind: 'undone', used: 2, limit: 2 })
    const again = await ok(shop, redeemPoints, gift, { token })
    const third = { memberCode, entryId: again.entry.id, reason }
    expect(await call(shop, cancelPoints, third, { token })).toEqual(refused('undone', 2))
    await ok(shop, redeemCoupon, coupon, { token })
    const fourth = await call(shop, cancelCouponRedeem, { ...coupon, reason }, { token })
    expect(fourth).toEqual(refused('undone', 2))
  })

  test('starts at zero on the next day', async () => {
    const token = await newClerk()
    const { memberCode } = await testMember(shop)
    const issue = async (quantity: number) =>
      (await call(shop, issueCoupon, { memberCode, couponId: 'TREAT', quantity }, { token })).code
    expect([await issue(10), await issue(10)]).toEqual([0, 117001])
    await shop.database.transaction(shop.id, (tx) => tx.run(oneDayAgo, [shop.id]))
    expect([await issue(10), await issue(2), await issue(1)]).toEqual([0, 0, 117001])
  })
})

test('a repeated request gets its first answer and is counted once', async () => {
  const token = await newClerk()
  const { memberCode } = await testMember(shop)
  const input = { memberCode, couponId: 'TREAT', quantity: 6 }
  const key = '6f1cc6ac-0d3d-4f9b-9ddc-0a4b3dcd6e11'
  const first = await call(shop, issueCoupon, input, { token, key })
  expect(await call(shop, issueCoupon, input, { token, key })).toEqual(first)
  expect((await call(shop, issueCoupon, input, { token })).code).toBe(0)
  expect((await call(shop, issueCoupon, input, { token })).code).toBe(117001)
})

const oneDayAgo = statement(
  'update given_today set day = day - 1 where company_id = $1',
  z.unknown(),
)
