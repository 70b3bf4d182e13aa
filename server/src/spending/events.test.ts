import { issueCouponByPoints } from '@tillside/contract/coupon'
import { cancelPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'

// The undo of a spending in a company where a webhook gets an event of one kind of undo only.

let shop: Shop
const counted: boolean[] = []
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  shop = await testSpendingShop({}, openDatabase(inject('databaseUrl')), (path, isAnswered) => {
    if (path === cancelPoints.path) counted.push(isAnswered)
  })
  await owner.connect()
  const webhook = `insert into webhook (company_id, webhook_id, url, secret_variable, events)
    values ($1, 'crm', 'https://example.com/', 'SECRET', '{coupon.voided}')`
  await owner.query(webhook, [shop.id])
})
afterAll(async () => {
  await owner.end()
  await shop.close()
})

test('only the undo of coupons is left to the route where a webhook gets their event', async () => {
  const token = await logIn(shop)
  const { memberCode } = await memberWith(shop, 1000)
  const coupons = { memberCode, couponId: 'LATTE', quantity: 1 }
  const spendings = [
    () => ok(shop, redeemPoints, money(memberCode), { token }),
    () => ok(shop, issueCouponByPoints, coupons, { token }),
    () => ok(shop, redeemPoints, mug(memberCode), { token }),
  ]
  for (const spend of spendings) {
    await spend()
    const { items } = await ok(shop, pointHistory, { memberCode }, { token })
    const input = { memberCode, entryId: items[0]?.id ?? '', reason: 'wrong' }
    await ok(shop, cancelPoints, input, { token })
  }
  expect(counted).toEqual([true, false, true])
})
