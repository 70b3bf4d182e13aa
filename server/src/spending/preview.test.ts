import { issueCouponByPoints } from '@tillside/contract/coupon'
import { previewPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'

const names = { 'en-US': 'x', 'zh-HK': 'x' }
const coupon = { names, kind: 'gift', validity: { days: 9 } } as const

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testSpendingShop({
    coupons: [
      { ...coupon, id: 'LATTE', pointsCost: 100, stock: 5, perMemberLimit: 3 },
      { ...coupon, id: 'FREE' },
      { ...coupon, id: 'AWAY', pointsCost: 1, issueStores: ['S2'] },
      {
        ...coupon,
        id: 'OVER',
        pointsCost: 1,
        validity: { from: '2026-01-01', to: '2026-01-31' },
      },
    ],
  })
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await shop.close()
})

type Changes = Record<string, unknown>
const latte = (memberCode: string, changes: Changes = {}) => ({
  memberCode,
  kind: 'coupon',
  couponId: 'LATTE',
  quantity: 1,
  ...changes,
})
const preview = (input: object, as = token) => call(shop, previewPoints, input, { token: as })

describe('a preview', () => {
  test('shows the effect of a redemption, and changes nothing', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 200, addDays(today, 5))
    await givePoints(shop, member, 150, addDays(today, 40))
    await givePoints(shop, member, 100, addDays(today, 90))
    const before = await contentsOf(shop)
    const shown = await ok(shop, previewPoints, money(member.memberCode), { token })
    expect(shown).toEqual({
      points: 300,
      balanceBefore: 450,
      balanceAfter: 150,
      amount: '3.00',
      lots: [
        { points: 200, earnDate: '2026-01-05', expiryDate: addDays(today, 5) },
        { points: 100, earnDate: '2026-01-05', expiryDate: addDays(today, 40) },
      ],
      nextExpiry: { points: 50, expiryDate: addDays(today, 40) },
    })
    expect(await contentsOf(shop)).toEqual(before)
    const input = money(member.memberCode, { expectedBalance: shown.balanceBefore })
    const done = await ok(shop, redeemPoints, input, { token })
    expect(done).toMatchObject({ balance: shown.balanceAfter, amount: shown.amount })
  })

  test('shows the next expiry after a whole date is used, or none', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 50, addDays(today, 5))
    await givePoints(shop, member, 10, addDays(today, 6))
    const first = await ok(shop, previewPoints, mug(member.memberCode), { token })
    expect(first.nextExpiry).toEqual({ points: 10, expiryDate: addDays(today, 6) })
    const { memberCode } = await memberWith(shop, 100)
    const second = await ok(shop, previewPoints, mug(memberCode), { token })
    expect(second).toMatchObject({ amount: null, nextExpiry: null, balanceAfter: 50 })
  })

  test('is refused like the redemption', async () => {
    const { memberCode } = await memberWith(shop, 250)
    const of = (changes: Changes) => money(memberCode, changes)
    for (const input of [
      mug('NOBODY'),
      mug(memberCode, { giftId: 'NONE' }),
      mug(memberCode, { giftId: 'GONE' }),
      mug(memberCode, { giftId: 'PRESS', quantity: 3 }),
      mug(memberCode, { quantity: 6 }),
      mug(memberCode, { expectedBalance: 1 }),
      of({ points: 0 }),
      of({ points: 100 }),
      of({ points: 6000 }),
      of({ points: 250 }),
      of({ points: 300, transactionAmount: '1.00' }),
      of({ points: 300 }),
      of({ points: 200, expectedBalance: 1 }),
    ]) {
      const answer = await preview(input)
      expect(answer.code).not.toBe(0)
      expect(answer).toEqual(await call(shop, redeemPoints, input, { token }))
    }
  })

  test('of a coupon shows the effect of buying it', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 150, addDays(today, 5))
    await givePoints(shop, member, 100)
    const shown = await ok(shop, previewPoints, latte(member.memberCode, { quantity: 2 }), {
      token,
    })
    expect(shown).toEqual({
      points: 200,
      balanceBefore: 250,
      balanceAfter: 50,
      amount: null,
      lots: [
        { points: 150, earnDate: '2026-01-05', expiryDate: addDays(today, 5) },
        { points: 50, earnDate: '2026-01-05', expiryDate: null },
      ],
      nextExpiry: null,
    })
    const { memberCode } = member
    const order = { memberCode, couponId: 'LATTE', quantity: 2 }
    const bought = await ok(shop, issueCouponByPoints, order, { token })
    expect(bought).toMatchObject({ pointsSpent: 200, balance: 50 })
  })

  test('of a coupon is refused like buying it', async () => {
    const { memberCode } = await memberWith(shop, 250)
    for (const [changes, code] of [
      [{ memberCode: 'NOBODY' }, 111102],
      [{ couponId: 'NONE' }, 113001],
      [{ couponId: 'AWAY' }, 113005],
      [{ couponId: 'FREE' }, 113009],
      [{ couponId: 'OVER' }, 113003],
      [{ quantity: 6 }, 113007],
      [{ quantity: 4 }, 113007],
      [{ quantity: 3 }, 114005],
    ] as const) {
      const { kind: _, ...order } = latte(memberCode, changes)
      const answer = await preview(latte(memberCode, changes))
      expect([changes, answer.code]).toEqual([changes, code])
      expect(answer).toEqual(await call(shop, issueCouponByPoints, order, { token }))
    }
  })

  test('requires the permission of the spending', async () => {
    const { memberCode } = await memberWith(shop, 1000)
    const gina = await testClerk(shop, 'gina', { groupCode: 'gifts' })
    const mona = await testClerk(shop, 'mona', { groupCode: 'money' })
    const codes = async (as: string) => {
      const inputs = [mug(memberCode), money(memberCode), latte(memberCode)]
      return Promise.all(inputs.map(async (input) => (await preview(input, as)).code))
    }
    expect(await codes(gina)).toEqual([0, 10000, 10000])
    expect(await codes(mona)).toEqual([10000, 0, 0])
  })

  test('accepts three kinds, each with its own fields', async () => {
    const { memberCode } = await memberWith(shop, 100)
    for (const [input, path] of [
      [{ memberCode }, 'kind'],
      [{ memberCode, kind: 'cash' }, 'kind'],
      [mug(memberCode, { points: 1 }), 'points'],
      [money(memberCode, { giftId: 'MUG' }), 'giftId'],
      [latte(memberCode, { expectedBalance: 1 }), 'expectedBalance'],
      [mug(memberCode, { quantity: 0 }), 'quantity'],
      [mug(memberCode, { quantity: 11 }), 'quantity'],
    ] as const) {
      expect([path, await preview(input)]).toMatchObject([
        path,
        { code: 422, data: { fields: [{ path }] } },
      ])
    }
  })
})
