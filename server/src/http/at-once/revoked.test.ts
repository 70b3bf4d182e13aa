import { logout } from '@tillside/contract/auth'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { Data, Endpoint } from '@tillside/contract/wire/endpoint'
import type { Permission } from '@tillside/contract/wire/permissions'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '../../app.ts'
import type { Transaction } from '../../database/database.ts'
import { changePermission } from '../../setup/permissions.ts'
import { setStoreActive } from '../../setup/stores.ts'
import { setDisabled, setPassword } from '../../staff/accounts.ts'
import { revokeKey } from '../../staff/keys/key.ts'
import { moveStaff, promoteStaff } from '../../staff/roster/move.ts'
import { contentsOf } from '../../testing/contents.ts'
import { call, ok, shortcuts, takesOneRoundTrip } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import { receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, money, testSpendingShop } from '../../testing/factories/spending.ts'
import { testClerk } from '../../testing/factories/staff.ts'

// Two processes on one database, and a session or key that both remember. The first request after a
// revocation is refused by both, and changes nothing: one that a function answered as well.

let shop: Shop
let apps: Shop['app'][]
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
const counted: boolean[] = []
const countAtOnce = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

beforeAll(async () => {
  await owner.connect()
  shop = await testSpendingShop()
  await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
  const settings = { ...shortcuts, countAtOnce }
  apps = await Promise.all(
    [0, 1].map(() => createApp(shop.database, pino({ level: 'silent' }), settings)),
  )
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await Promise.all(apps.map((app) => app.close()))
  await owner.end()
  await shop.close()
})

type Member = { id: string; memberCode: string }
const change = (work: (tx: Transaction) => Promise<unknown>) =>
  shop.database.transaction(shop.id, work)
const sql = (text: string, values: unknown[] = []) => owner.query(text, [shop.id, ...values])
/** Calls as another clerk of the same store. */
let asOther: <E extends Endpoint>(endpoint: E, input: object) => Promise<Data<E>>
let clerks = 0

const coupon = async (member: Member) => ({ couponCode: await testCoupon(shop, member) })

/** The calls of clerks that a function can answer, the permission of each, and a valid input. */
const calls: [string, Endpoint, Permission, (member: Member) => Promise<object>][] = [
  ['a redemption', redeemCoupon, 'couponRedeem', coupon],
  [
    'a batch',
    batchRedeemCoupons,
    'couponRedeem',
    async (member) => ({
      couponCodes: [await testCoupon(shop, member), await testCoupon(shop, member)],
    }),
  ],
  [
    'an undo',
    cancelCouponRedeem,
    'couponRedeem',
    async (member) => {
      const used = await coupon(member)
      await asOther(redeemCoupon, { ...used, memberCode: member.memberCode })
      return { ...used, reason: 'revoked' }
    },
  ],
  ['an issue', issueCoupon, 'homeIssuecoupon', async () => ({ couponId: 'TREAT', quantity: 2 })],
  [
    'an issue by points',
    issueCouponByPoints,
    'pointExchange',
    async () => ({ couponId: 'LATTE', quantity: 1 }),
  ],
  ['a spending', redeemPoints, 'pointExchange', async ({ memberCode }) => money(memberCode)],
  [
    'the undo of a spending',
    cancelPoints,
    'pointExchange',
    async ({ memberCode }) => {
      const { entry } = await asOther(redeemPoints, money(memberCode))
      return { entryId: entry.id, reason: 'revoked' }
    },
  ],
]

type Clerk = { account: string; token: string; permission: Permission }
const ofAccount = `company_id = $1 and staff_id = (
  select staff_id from staff where company_id = $1 and account = $2)`

const revocations: [string, number, (clerk: Clerk) => Promise<unknown>][] = [
  ['a logout', 401, ({ token }) => ok(shop, logout, {}, { token })],
  [
    'an expired session',
    401,
    ({ account }) => sql(`update session set expires_at = now() where ${ofAccount}`, [account]),
  ],
  [
    'a disabled account',
    401,
    ({ account }) => change((tx) => setDisabled(tx, shop.id, account, true)),
  ],
  [
    'a disabled account whose sessions go on',
    401,
    ({ account }) => sql(`update staff set disabled_at = now() where ${ofAccount}`, [account]),
  ],
  [
    'another password',
    401,
    ({ account }) => change((tx) => setPassword(tx, shop.id, account, 'no hash')),
  ],
  ['another store', 401, ({ account }) => change((tx) => moveStaff(tx, shop.id, account, 'S1'))],
  ['a closed store', 401, () => change((tx) => setStoreActive(tx, shop.id, 'S2', false))],
  [
    'a closed store whose sessions go on',
    401,
    () => sql(`update store set active = false where company_id = $1 and store_code = 'S2'`),
  ],
  [
    'a revoked permission',
    10000,
    ({ permission }) => change((tx) => changePermission(tx, shop.id, 'full', permission, false)),
  ],
  [
    'another group',
    10000,
    ({ account }) => change((tx) => promoteStaff(tx, shop.id, account, 'viewer')),
  ],
]

/** Whether each call since the last time was answered by a function. */
const takeCounted = (): boolean[] => counted.splice(0)

describe.each(calls)('%s', (_call, endpoint, permission, inputOf) => {
  test.each(revocations)('is refused after %s', async (_revocation, code, revoke) => {
    const account = `clerk${(clerks += 1)}`
    const token = await testClerk(shop, account, { groupCode: 'full', storeCode: 'S2' })
    const other = await testClerk(shop, `${account}x`, { groupCode: 'full', storeCode: 'S2' })
    asOther = (of, input) => ok(shop, of, input, { token: other })
    const member = await memberWith(shop, 9000)
    const input = async () => ({ ...(await inputOf(member)), memberCode: member.memberCode })
    for (const app of apps) {
      // The holder, the definitions and the member are known after the first calls.
      for (const _ of [1, 2]) await ok({ app }, endpoint, await input(), { token })
      takeCounted()
      await ok({ app }, endpoint, await input(), { token })
      expect(takeCounted().includes(true)).toBe(takesOneRoundTrip)
    }
    const inputs = [await input(), await input()]
    await revoke({ account, token, permission })
    try {
      const before = await contentsOf(shop)
      for (const [n, app] of apps.entries()) {
        expect((await call({ app }, endpoint, inputs[n], { token })).code).toBe(code)
      }
      expect(takeCounted()).not.toContain(true)
      expect(await contentsOf(shop)).toEqual(before)
    } finally {
      await change((tx) => setStoreActive(tx, shop.id, 'S2', true))
      await change((tx) => changePermission(tx, shop.id, 'full', permission, true))
    }
  })
})

const keyRevocations: [string, string, (keyId: string) => Promise<unknown>][] = [
  ['its revocation', 'unauthorized', (keyId) => change((tx) => revokeKey(tx, shop.id, keyId))],
  [
    'a revocation by hand',
    'unauthorized',
    (keyId) =>
      sql('update api_key set revoked_at = now() where company_id = $1 and key_id = $2', [keyId]),
  ],
  [
    'the loss of its scopes',
    'noPermission',
    (keyId) =>
      sql(`update api_key set scopes = '{members:read}' where company_id = $1 and key_id = $2`, [
        keyId,
      ]),
  ],
]

describe('the sale of a key', () => {
  test.each(keyRevocations)('is refused after %s', async (_revocation, code, revoke) => {
    const { key, keyId } = await testKey(shop)
    const { memberCode } = await memberWith(shop, 0)
    const sale = () => ({ items: [receipt([['TEA', '12.50', 2]], { memberCode })] })
    for (const app of apps) {
      for (const _ of [1, 2]) await callWithKey({ app }, postTransactions, sale(), key)
      takeCounted()
      expect(await callWithKey({ app }, postTransactions, sale(), key)).toMatchObject({ code: 0 })
      expect(takeCounted().includes(true)).toBe(takesOneRoundTrip)
    }
    await revoke(keyId)
    const before = await contentsOf(shop)
    for (const app of apps) {
      expect(await callWithKey({ app }, postTransactions, sale(), key)).toMatchObject({ code })
    }
    expect(takeCounted()).not.toContain(true)
    expect(await contentsOf(shop)).toEqual(before)
  })
})
