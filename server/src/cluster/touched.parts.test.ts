import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  issueCoupon,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { explainPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { explainTier } from '@tillside/contract/tier'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testSale } from '../testing/factories/receipt.ts'
import { memberWith, mug, testSpendingShop } from '../testing/factories/spending.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { type Touched, watchParts } from '../testing/parts/touched.ts'

// How many parts a call touches, where the placed tables are in parts as on the nodes of a cluster:
// one of the member's rows, one of the sessions, one of the idempotency keys.

let shop: Shop
let touched: Touched
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  const watch = watchParts(openDatabase(inject('databaseUrl')))
  touched = watch.touched
  shop = await testSpendingShop({}, watch.database)
  member = await memberWith(shop, 10_000)
  token = await logIn(shop)
  // Now the process knows the member's code and the session.
  await ok(shop, getOneCustomer, { code: member.memberCode }, { token })
})
afterAll(() => shop.close())

/** The number of parts of each group of tables that the call touched. */
async function countParts(endpoint: Endpoint, input: unknown): Promise<Record<string, number>> {
  touched.clear()
  await ok(shop, endpoint, input, { token })
  const counts: Record<string, number> = {}
  for (const one of touched) {
    const [group = ''] = one.split(' ')
    counts[group] = (counts[group] ?? 0) + 1
  }
  return counts
}

type Input = () => object | Promise<object>
const coupon = () => testCoupon(shop, member)
const code = () => ({ memberCode: member.memberCode })
const redeemed = async () => {
  const couponCode = await coupon()
  await ok(shop, redeemCoupon, { ...code(), couponCode, invoiceNumber: 'R-1' }, { token })
  return couponCode
}
const read = { token_hash: 1, member_id: 1 }
const changed = { ...read, key: 1 }

const calls: [Endpoint, Input, Record<string, number>][] = [
  // One statement finds the key and then the member. Its plan cannot leave parts out.
  [getOneCustomer, () => ({ code: member.memberCode }), { ...read, value: 1, member_id: 4 }],
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
  [getCustomerCoupons, code, { ...read, member_id: 4 }],
  [couponCodeDetail, async () => ({ couponCode: await coupon() }), { ...read, member_id: 4 }],
  [
    redeemCoupon,
    async () => ({ ...code(), couponCode: await coupon(), invoiceNumber: 'R-1' }),
    { ...changed, member_id: 4 },
  ],
  [
    batchRedeemCoupons,
    async () => ({ ...code(), couponCodes: [await coupon(), await coupon()] }),
    { ...changed, member_id: 4 },
  ],
  [
    cancelCouponRedeem,
    async () => ({ ...code(), couponCode: await redeemed(), reason: 'wrong' }),
    { ...changed, member_id: 4 },
  ],
  [issueCoupon, () => ({ ...code(), couponId: 'TREAT', quantity: 1 }), changed],
  [redeemPoints, () => mug(member.memberCode), { ...changed, value: 1 }],
]

test.each(
  calls.map(([endpoint, input, parts]) => [endpoint.path, endpoint, input, parts] as const),
)('%s touches one part of each kind that it needs', async (_, endpoint, input, parts) => {
  const of = await input()
  expect(await countParts(endpoint, of)).toEqual(parts)
})
