import { setTimeout } from 'node:timers/promises'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import type { IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints as tills } from '@tillside/contract/integration/endpoints'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import {
  cancelPoints,
  explainPoints,
  listGifts,
  pointHistory,
  redeemPoints,
} from '@tillside/contract/points'
import { explainTier } from '@tillside/contract/tier'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { noAllowances } from '../testing/factories/definition.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { nameOf, receipt, testSale } from '../testing/factories/receipt.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { type Touched, watchParts } from '../testing/parts/touched.ts'

// How many parts a call touches, where the placed tables are in parts as on the nodes of a cluster:
// one of the member's rows, one of the sessions, one of the idempotency keys.

let shop: Shop
let touched: Touched
let token: string
let key: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  const watch = watchParts(openDatabase(inject('databaseUrl')))
  touched = watch.touched
  // The clerk's look-ups are counted at the clerk's account.
  const allowances = { ...noAllowances, lookUps: { members: 1000, minutes: 10 } }
  shop = await testSpendingShop({ allowances }, watch.database)
  member = await memberWith(shop, 10_000)
  token = await logIn(shop)
  key = (await testKey(shop)).key
  // Now the process knows the member's code, the session and the key.
  await ok(shop, getOneCustomer, { code: member.memberCode }, { token })
  await callWithKey(shop, tills.readMember, code(), key)
})
afterAll(() => shop.close())

/** Waits until the audit rows of earlier look-ups are there; they are written after the answer. */
async function beginCount(): Promise<void> {
  do {
    touched.clear()
    await setTimeout(200)
  } while (touched.size > 0)
}

/** The number of parts of each group of tables that the call touched. */
async function countParts(endpoint: Endpoint, input: unknown): Promise<Record<string, number>> {
  await beginCount()
  await ok(shop, endpoint, input, { token })
  return counts()
}

function counts(): Record<string, number> {
  const found: Record<string, number> = {}
  for (const one of touched) {
    const [group = ''] = one.split(' ')
    found[group] = (found[group] ?? 0) + 1
  }
  return found
}

type Input = () => object | Promise<object>
const coupon = () => testCoupon(shop, member)
const code = () => ({ memberCode: member.memberCode })
const redeemed = async () => {
  const couponCode = await coupon()
  await ok(shop, redeemCoupon, { ...code(), couponCode, invoiceNumber: 'R-1' }, { token })
  return couponCode
}
const undoOf = async (spending: object) => {
  const { entry } = await ok(shop, redeemPoints, spending, { token })
  return { ...code(), entryId: entry.id, reason: 'wrong' }
}
const undoOfBought = async () => {
  const order = { ...code(), couponId: 'LATTE', quantity: 1 }
  await ok(shop, issueCouponByPoints, order, { token })
  const { items } = await ok(shop, pointHistory, code(), { token })
  return { ...code(), entryId: items[0]?.id, reason: 'wrong' }
}
// A session is with its account.
const read = { staff_id: 1, member_id: 1 }
const changed = { ...read, key: 1 }

const calls: [Endpoint, Input, Record<string, number>][] = [
  [getOneCustomer, () => ({ code: member.memberCode }), { ...read, value: 1 }],
  [membershipInfo, code, read],
  [pointHistory, code, read],
  [explainPoints, code, read],
  [explainTier, code, read],
  [listTransactions, code, read],
  [
    transactionDetail,
    async () => ({ ...code(), invoiceNumber: await testSale(shop, member) }),
    read,
  ],
  [getCustomerCoupons, code, read],
  [couponCodeDetail, async () => ({ couponCode: await coupon() }), { ...read, coupon_code: 1 }],
  [
    redeemCoupon,
    async () => ({ ...code(), couponCode: await coupon(), invoiceNumber: 'R-1' }),
    changed,
  ],
  [
    batchRedeemCoupons,
    async () => ({ ...code(), couponCodes: [await coupon(), await coupon()] }),
    changed,
  ],
  [
    cancelCouponRedeem,
    async () => ({ ...code(), couponCode: await redeemed(), reason: 'wrong' }),
    changed,
  ],
  [
    issueCoupon,
    () => ({ ...code(), couponId: 'TREAT', quantity: 1 }),
    { ...changed, coupon_code: 1, item_id: 1 },
  ],
  [
    issueCouponByPoints,
    // The process does not know the definition yet.
    () => ({ ...code(), couponId: 'LATTE', quantity: 1 }),
    { ...changed, value: 1, coupon_code: 1, item_id: 1 },
  ],
  [redeemPoints, () => mug(member.memberCode), { ...changed, value: 1, item_id: 1 }],
  [redeemPoints, () => money(member.memberCode), changed],
  [cancelPoints, () => undoOf(money(member.memberCode)), changed],
  [cancelPoints, undoOfBought, { ...changed, item_id: 1 }],
  [cancelPoints, () => undoOf(mug(member.memberCode)), { ...changed, item_id: 1 }],
  // Two gifts are limited.
  [listGifts, code, { ...read, item_id: 2 }],
]

test.each(
  calls.map(([endpoint, input, parts]) => [endpoint.path, endpoint, input, parts] as const),
)('%s touches one part of each kind that it needs', async (_, endpoint, input, parts) => {
  const of = await input()
  expect(await countParts(endpoint, of)).toEqual(parts)
})

const ofTill = { member_id: 1 }
const changedByTill = { ...ofTill, key: 1 }
const sale = () => ({
  items: [receipt([['TEA', '12.50', 2]], { ...code(), occurredAt: new Date().toISOString() })],
})
const returned = async () => {
  const [item] = sale().items
  if (item === undefined) throw new Error('no sale')
  const sold = { ...item, invoiceNumber: 'SOLD-1' }
  expect(
    (await callWithKey(shop, tills.postTransactions, { items: [sold] }, key)).problem,
  ).toBeNull()
  const back = { ...code(), original: nameOf(sold), invoiceNumber: 'BACK-3' }
  const { occurredAt } = sold
  return { items: [receipt([['TEA', '12.50', -1]], { ...back, occurredAt })] }
}

const tillCalls: [IntegrationEndpoint, Input, Record<string, number>][] = [
  // As the counter finds a member.
  [tills.readMember, code, { member_id: 1 }],
  [tills.readPoints, code, ofTill],
  [tills.readCoupons, code, ofTill],
  // The code's member first.
  [tills.checkCoupon, async () => ({ couponCode: await coupon() }), { ...ofTill, coupon_code: 1 }],
  [tills.postTransactions, sale, { ...ofTill, invoice_number: 1 }],
  // The keys of the sale and of the return.
  [tills.postTransactions, returned, { ...ofTill, invoice_number: 2 }],
  [
    tills.redeemOneCoupon,
    async () => ({ ...code(), couponCode: await coupon(), invoiceNumber: 'R-1' }),
    changedByTill,
  ],
  [
    tills.redeemCoupons,
    async () => ({ ...code(), couponCodes: [await coupon(), await coupon()] }),
    changedByTill,
  ],
  [
    tills.undoRedemption,
    async () => ({ ...code(), couponCode: await redeemed(), reason: 'wrong' }),
    changedByTill,
  ],
  [
    tills.issueCoupons,
    () => ({ ...code(), couponId: 'TREAT', quantity: 1 }),
    { ...changedByTill, coupon_code: 1, item_id: 1 },
  ],
  [
    tills.buyCoupons,
    () => ({ ...code(), couponId: 'LATTE', quantity: 1 }),
    { ...changedByTill, coupon_code: 1, item_id: 1 },
  ],
  [tills.spendPoints, () => mug(member.memberCode), { ...changedByTill, item_id: 1 }],
  [tills.cancelSpending, () => undoOf(money(member.memberCode)), changedByTill],
]

test.each(
  tillCalls.map(([endpoint, input, parts]) => [endpoint.path, endpoint, input, parts] as const),
)('a till: %s touches one part of each kind that it needs', async (_, endpoint, input, parts) => {
  const of = await input()
  await beginCount()
  expect((await callWithKey(shop, endpoint, of, key)).problem).toBeNull()
  expect(counts()).toEqual(parts)
})
