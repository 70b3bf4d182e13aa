import { staffActivity, storeActivity } from '@tillside/contract/activity'
import { cancelCouponRedeem, issueCouponByPoints, redeemCoupon } from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { changeBySql } from '../testing/cluster/lane.ts'
import { statement } from '../database/database.ts'
import { call, ok } from '../testing/factories/company.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'

let shop: Shop
beforeAll(async () => {
  shop = await testSpendingShop()
})
afterAll(() => shop.close())

const total = (kind: string, count: number, rest: object = {}) => ({
  kind,
  count,
  undone: 0,
  points: null,
  amount: null,
  ...rest,
})

/** A gift of two pieces, points against a sale and a coupon, each undone. */
async function doAndUndo(token: string): Promise<void> {
  const member = await memberWith(shop, 2000)
  const { memberCode } = member
  const couponCode = await testCoupon(shop, member)
  const reason = 'never mind'
  const orders = [mug(memberCode, { quantity: 2 }), money(memberCode)]
  for (const order of orders) {
    const { entry } = await ok(shop, redeemPoints, order, { token })
    await ok(shop, cancelPoints, { memberCode, entryId: entry.id, reason }, { token })
  }
  await ok(shop, redeemCoupon, { couponCode, memberCode }, { token })
  await ok(shop, cancelCouponRedeem, { couponCode, memberCode, reason }, { token })
  const latte = { memberCode, couponId: 'LATTE', quantity: 3 }
  await ok(shop, issueCouponByPoints, latte, { token })
}

describe('the totals of a shift', () => {
  test('count pieces by kind, and what was undone', async () => {
    const token = await testClerk(shop, 'totals')
    await doAndUndo(token)
    const { memberCode } = await memberWith(shop, 2000)
    await ok(shop, redeemPoints, mug(memberCode), { token })
    await ok(shop, redeemPoints, money(memberCode), { token })
    const { items, totals } = await ok(shop, staffActivity, {}, { token })
    expect(totals).toEqual([
      total('couponRedeemed', 1, { undone: 1 }),
      total('gift', 3, { undone: 2, points: -50 }),
      total('sale', 2, { undone: 1, points: -300, amount: '3.00' }),
      total('couponBought', 3, { points: -300 }),
    ])
    expect(items.map(({ giftName }) => giftName).filter((name) => name !== null)).toEqual([
      'Mug',
      'Mug × 2',
      'Mug × 2',
    ])
  })

  test('name the coupon of an undone purchase and its pieces', async () => {
    const token = await testClerk(shop, 'undoer')
    const { memberCode } = await memberWith(shop, 1000)
    const latte = { memberCode, couponId: 'LATTE', quantity: 2 }
    await ok(shop, issueCouponByPoints, latte, { token })
    const before = await ok(shop, staffActivity, {}, { token })
    const entryId = before.items[0]?.entryId
    await ok(shop, cancelPoints, { memberCode, entryId, reason: 'no' }, { token })
    const { items, totals } = await ok(shop, staffActivity, {}, { token })
    expect(items[0]).toMatchObject({ action: 'points.cancel', couponName: 'A latte × 2' })
    expect(totals).toEqual([total('couponBought', 2, { undone: 2, points: 0 })])
  })

  test('have the points only with a permission for them', async () => {
    const token = await testClerk(shop, 'plain', { groupCode: 'gifts' })
    const { memberCode } = await memberWith(shop, 1000)
    await ok(shop, redeemPoints, mug(memberCode), { token })
    await regroup('plain', 'viewer')
    const { items, totals } = await ok(shop, staffActivity, {}, { token })
    expect(totals[0]).toEqual(total('gift', 1, { points: null }))
    expect(items[0]).toMatchObject({ points: null, giftName: null })
    await regroup('plain', 'full')
  })
})

describe('the shifts of a store', () => {
  test('list every clerk who acted at this store today, and no other store', async () => {
    const here = await testSpendingShop()
    const [ada, bob] = [await testClerk(here, 'ada'), await testClerk(here, 'bob')]
    const away = await testClerk(here, 'zoe', { storeCode: 'S2' })
    const { memberCode } = await memberWith(here, 5000)
    await ok(here, redeemPoints, mug(memberCode, { quantity: 2 }), { token: ada })
    await ok(here, redeemPoints, mug(memberCode), { token: bob })
    await ok(here, redeemPoints, mug(memberCode), { token: away })
    const { items, totals, clerks } = await ok(here, storeActivity, {}, { token: bob })
    expect(items.map(({ account, giftName }) => [account, giftName])).toEqual([
      ['bob', 'Mug'],
      ['ada', 'Mug × 2'],
    ])
    expect(totals).toEqual([total('gift', 3, { points: -150 })])
    const who = { lastName: 'Test' }
    expect(clerks).toEqual([
      { account: 'ada', firstName: 'ada', ...who, totals: [total('gift', 2, { points: -100 })] },
      { account: 'bob', firstName: 'bob', ...who, totals: [total('gift', 1, { points: -50 })] },
    ])
    // The acts of a clerk who has moved stay with the store.
    const yesterday = { date: '2026-01-05' }
    expect(await ok(here, storeActivity, yesterday, { token: ada })).toEqual({
      items: [],
      totals: [],
      clerks: [],
    })
    await here.close()
  })

  test('need the permission, and a colleague’s act can be undone from there', async () => {
    const gina = await testClerk(shop, 'gina', { groupCode: 'gifts' })
    expect((await call(shop, storeActivity, {}, { token: gina })).code).toBe(10000)
    const { memberCode } = await memberWith(shop, 1000)
    const { entry } = await ok(shop, redeemPoints, mug(memberCode), { token: gina })
    const manager = await testClerk(shop, 'manager')
    const { items } = await ok(shop, storeActivity, {}, { token: manager })
    const [item] = items
    expect(item).toMatchObject({ account: 'gina', entryId: entry.id, cancellable: true })
    const undo = { memberCode, entryId: entry.id, reason: 'wrong one' }
    await ok(shop, cancelPoints, undo, { token: manager })
    const after = await ok(shop, storeActivity, {}, { token: manager })
    expect(after.items.slice(0, 2).map((one) => [one.account, one.cancellable])).toEqual([
      ['manager', false],
      ['gina', false],
    ])
  })

  test('are read with an audit row', async () => {
    const token = await testClerk(shop, 'auditor')
    await ok(shop, storeActivity, {}, { token })
    const read = statement(
      `select a.details from audit a join staff s using (company_id, staff_id)
       where a.company_id = $1 and s.account = 'auditor' and a.action = 'staff.storeActivity'`,
      z.object({ details: z.record(z.string(), z.unknown()) }),
    )
    const today = await todayOf(shop)
    await expect
      .poll(() => shop.database.transaction(shop.id, (tx) => tx.all(read, [shop.id])))
      .toEqual([{ details: { date: today } }])
  })
})

async function regroup(account: string, groupCode: string): Promise<void> {
  const move = 'update staff set group_code = $3 where company_id = $1 and account = $2'
  await changeBySql(shop, move, [shop.id, account, groupCode])
}
