import { staffActivity } from '@tillside/contract/activity'
import { randomUUID } from 'node:crypto'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { changeBySql } from '../testing/cluster/lane.ts'
import { addDays } from '@tillside/contract/rules/day'
import { ok } from '../testing/factories/company.ts'
import { testMergeShop } from '../testing/merge-shop.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'

let shop: Shop
let today: string
beforeAll(async () => {
  shop = await testSpendingShop()
  today = await todayOf(shop)
})
afterAll(() => shop.close())

let clerks = 0
const clerk = (where: { groupCode?: string; storeCode?: string } = {}) =>
  testClerk(shop, `clerk${clerks++}`, where)
const activity = (token: string, query: { date?: string } = {}, language = 'en-US') =>
  ok(shop, staffActivity, query, { token, language })

const undoable = async (token: string) =>
  (await activity(token)).items.map((item) => item.cancellable)

describe('the activity of a clerk', () => {
  test('names the request of each action, and one request for several coupons', async () => {
    const token = await clerk()
    const member = await memberWith(shop, 1000)
    const { memberCode } = member
    const couponCodes = [await testCoupon(shop, member), await testCoupon(shop, member)]
    const [key, batch] = [randomUUID(), randomUUID()]
    await ok(shop, redeemPoints, money(memberCode), { token, key })
    await ok(shop, batchRedeemCoupons, { couponCodes, memberCode }, { token, key: batch })
    const { items } = await activity(token)
    expect(items.map(({ operation }) => operation)).toEqual([batch, batch, key])
  })

  test('lists the newest first, and whether each can be undone', async () => {
    const token = await clerk()
    const member = await memberWith(shop, 1000)
    const { memberCode } = member
    const spent = await ok(shop, redeemPoints, money(memberCode), { token })
    const gift = await ok(shop, redeemPoints, mug(memberCode), { token })
    const couponCode = await testCoupon(shop, member)
    await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
    await ok(shop, issueCouponByPoints, { memberCode, couponId: 'LATTE', quantity: 2 }, { token })
    const entryId = gift.entry.id
    await ok(shop, cancelPoints, { memberCode, entryId, reason: 'another' }, { token })
    const { items, nextCursor } = await activity(token)
    const [operation, time] = [expect.any(String), expect.any(String)]
    const who = { memberCode, memberName: 'M•••n', time, operation }
    expect(items).toEqual([
      {
        ...who,
        action: 'points.cancel',
        kind: 'gift',
        points: 50,
        amount: null,
        couponName: null,
        giftName: 'Mug',
        cancellable: false,
        entryId: expect.any(String),
        couponCode: null,
      },
      {
        ...who,
        action: 'coupon.issueByPoints',
        kind: 'couponBought',
        points: -200,
        amount: null,
        couponName: 'A latte × 2',
        giftName: null,
        cancellable: true,
        entryId: expect.any(String),
        couponCode: null,
      },
      {
        ...who,
        action: 'coupon.redeem',
        kind: 'couponRedeemed',
        points: null,
        amount: null,
        couponName: 'Birthday treat',
        giftName: null,
        cancellable: true,
        entryId: null,
        couponCode,
      },
      {
        ...who,
        action: 'points.redeem',
        kind: 'gift',
        points: -50,
        amount: null,
        couponName: null,
        giftName: 'Mug',
        cancellable: false,
        entryId,
        couponCode: null,
      },
      {
        ...who,
        action: 'points.redeem',
        kind: 'sale',
        points: -300,
        amount: '3.00',
        couponName: null,
        giftName: null,
        cancellable: true,
        entryId: spent.entry.id,
        couponCode: null,
      },
    ])
    expect(nextCursor).toBeNull()
    const chinese = await activity(token, {}, 'zh-HK')
    expect(chinese.items[2]?.couponName).toBe('Birthday treat（港）')
  })

  test('lists as undoable only what can be undone', async () => {
    const token = await clerk()
    const member = await memberWith(shop, 1000)
    const { memberCode } = member
    const couponCode = await testCoupon(shop, member)
    await ok(shop, redeemPoints, money(memberCode), { token })
    await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
    await ok(shop, issueCouponByPoints, { memberCode, couponId: 'LATTE', quantity: 2 }, { token })
    const { items } = await activity(token)
    expect(items.map((item) => item.cancellable)).toEqual([true, true, true])
    for (const item of items) {
      const undo = item.couponCode === null ? cancelPoints : cancelCouponRedeem
      const { entryId } = item
      const what = item.couponCode === null ? { entryId } : { couponCode: item.couponCode }
      await ok(shop, undo, { memberCode, ...what, reason: 'never mind' }, { token })
    }
    const after = await activity(token)
    expect(after.items).toHaveLength(6)
    expect(after.items.filter((item) => item.cancellable)).toEqual([])
    expect(await shop.violations()).toEqual([])
  })

  test('coupons for points can be undone until one of them is used', async () => {
    const token = await clerk()
    const { memberCode } = await memberWith(shop, 1000)
    const order = { memberCode, couponId: 'LATTE', quantity: 2 }
    const { coupons } = await ok(shop, issueCouponByPoints, order, { token })
    expect(await undoable(token)).toEqual([true])
    await ok(shop, redeemCoupon, { memberCode, couponCode: coupons[1]?.code }, { token })
    const { items } = await activity(token)
    expect(items.map((item) => [item.action, item.cancellable])).toEqual([
      ['coupon.redeem', true],
      ['coupon.issueByPoints', false],
    ])
  })

  test('a coupon that was redeemed again is undone at its newest redemption', async () => {
    const token = await clerk()
    const member = await testMember(shop)
    const { memberCode } = member
    const couponCode = await testCoupon(shop, member)
    await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
    await ok(shop, cancelCouponRedeem, { couponCode, memberCode, reason: 'oops' }, { token })
    await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
    const { items } = await activity(token)
    expect(items.map((item) => [item.action, item.cancellable])).toEqual([
      ['coupon.redeem', true],
      ['coupon.cancelRedeem', false],
      ['coupon.redeem', false],
    ])
  })

  test('shows only their own actions, by the company’s day', async () => {
    const [mine, yours] = [await clerk(), await clerk()]
    const { memberCode } = await memberWith(shop, 1000)
    await ok(shop, redeemPoints, mug(memberCode), { token: mine })
    expect((await activity(yours)).items).toEqual([])
    expect((await activity(mine, { date: today })).items).toHaveLength(1)
    expect((await activity(mine, { date: addDays(today, -1) })).items).toEqual([])
    expect((await activity(mine, { date: addDays(today, 1) })).items).toEqual([])
  })

  test('can be undone only with the permission, at the store and within the window', async () => {
    const member = await memberWith(shop, 1000)
    const { memberCode } = member
    const gina = await clerk({ groupCode: 'gifts' })
    await ok(shop, redeemPoints, mug(memberCode), { token: gina })
    expect(await undoable(gina)).toEqual([true])
    const change = (sql: string) => changeBySql(shop, sql)
    await change(`update staff set store_code = 'S2' where group_code = 'gifts'`)
    expect(await undoable(gina)).toEqual([false])
    await change(`update staff set store_code = 'S1' where group_code = 'gifts'`)
    expect(await undoable(gina)).toEqual([true])
    await change(`update staff set group_code = 'money' where group_code = 'gifts'`)
    expect(await undoable(gina)).toEqual([false])
  })

  test('shows no logins and nothing of another company', async () => {
    const other = await testSpendingShop()
    const theirs = await memberWith(other, 100)
    const amy = await testClerk(other, 'amy2')
    await ok(other, redeemPoints, mug(theirs.memberCode), { token: amy })
    expect((await activity(await clerk())).items).toEqual([])
    await other.close()
  })
})

test('names a coupon that has another member since a merge, and undoes it', async () => {
  const t = await testMergeShop()
  const [survivor, merged] = await t.two()
  const couponCode = await testCoupon(t.shop, merged)
  const { memberCode } = merged
  await ok(t.shop, redeemCoupon, { couponCode, memberCode }, { token: t.token })
  const itemsOf = async () => (await ok(t.shop, staffActivity, {}, { token: t.token })).items
  const before = await itemsOf()
  expect(before).toMatchObject([{ couponName: expect.any(String), cancellable: true }])
  expect((await t.merge(survivor, merged)).code).toBe(0)
  expect(await itemsOf()).toEqual(before)
  await ok(t.shop, cancelCouponRedeem, { couponCode, memberCode, reason: 'x' }, { token: t.token })
  const after = await itemsOf()
  expect(after.map(({ cancellable }) => cancellable)).toEqual([false, false])
  await t.shop.close()
})

test('shows at most five hundred', async () => {
  const token = await clerk()
  const member = await testMember(shop)
  await givePoints(shop, member, 100)
  await ok(shop, redeemPoints, mug(member.memberCode), { token })
  const more = statement(
    `insert into audit (company_id, place, staff_id, store_code, action, member_id, request_id)
     select company_id, member_id, staff_id, store_code, 'points.redeem', member_id, 'x'
     from audit, generate_series(1, 600) where member_id = $1`,
    z.unknown(),
  )
  await shop.database.transaction(shop.id, (tx) => tx.run(more, [member.id]))
  expect((await activity(token)).items).toHaveLength(500)
})
