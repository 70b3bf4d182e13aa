import { logout } from '@tillside/contract/auth'
import { storeHeader } from '@tillside/contract/integration/endpoint'
import { postTransactions } from '@tillside/contract/integration/transactions'
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
import { callWithKey, sendItems, testKey } from '../../testing/factories/key.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, testSpendingShop } from '../../testing/factories/spending.ts'
import { testClerk } from '../../testing/factories/staff.ts'
import { valueCalls } from '../../testing/hostile/value-calls.ts'

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

const clerk = () => ({ shop, ask: asOther })

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

describe.each(valueCalls)('$name', ({ endpoint, permission, input: inputOf }) => {
  test.each(revocations)('is refused after %s', async (_revocation, code, revoke) => {
    const account = `clerk${(clerks += 1)}`
    const token = await testClerk(shop, account, { groupCode: 'full', storeCode: 'S2' })
    await hireOther()
    const member = await memberWith(shop, 9000)
    const input = async () => ({
      ...(await inputOf(clerk(), member)),
      memberCode: member.memberCode,
    })
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

async function hireOther(): Promise<void> {
  const token = await testClerk(shop, `other${(clerks += 1)}`, { storeCode: 'S2' })
  asOther = (endpoint, input) => ok(shop, endpoint, input, { token })
}

const ofKeyId = 'where company_id = $1 and key_id = $2'
const revoked: [string, string, (keyId: string) => Promise<unknown>][] = [
  ['its revocation', 'unauthorized', (keyId) => change((tx) => revokeKey(tx, shop.id, keyId))],
  [
    'a revocation by hand',
    'unauthorized',
    (keyId) => sql(`update api_key set revoked_at = now() ${ofKeyId}`, [keyId]),
  ],
  [
    'the loss of its scopes',
    'noPermission',
    (keyId) => sql(`update api_key set scopes = '{members:read}' ${ofKeyId}`, [keyId]),
  ],
]
const allWays: typeof revoked = [
  ...revoked,
  ['a closed store', 'storeClosed', () => change((tx) => setStoreActive(tx, shop.id, 'S2', false))],
]
// A till may send the receipts of a store after it has closed.
const ofTill = { endpoint: postTransactions, ways: revoked }
const sale = {
  ...ofTill,
  name: 'a sale',
  input: async ({ memberCode }: Member) => ({
    items: [receipt([['TEA', '12.50', 2]], { memberCode })],
  }),
}
const goodsBack = {
  ...ofTill,
  name: 'a return',
  async input({ memberCode }: Member) {
    const sold = receipt([['TEA', '12.50', 2]], { memberCode })
    await sendItems(shop, postTransactions, [sold], (await testKey(shop)).key)
    return { items: [receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sold) })] }
  },
}
const ofKeys = valueCalls.map(({ name, ofKey, input }) => ({
  name,
  endpoint: ofKey,
  ways: allWays,
  input: async (member: Member) => ({
    ...(await input(clerk(), member)),
    memberCode: member.memberCode,
  }),
}))

describe.each([...ofKeys, sale, goodsBack])(
  '$name of a key',
  ({ endpoint, ways, input: inputOf }) => {
    test.each(ways)('is refused after %s', async (_way, code, revoke) => {
      const { key, keyId } = await testKey(shop)
      await hireOther()
      const member = await memberWith(shop, 9000)
      const input = () => inputOf(member)
      const send = (app: Shop['app'], of: object) =>
        callWithKey({ app }, endpoint, of, key, { [storeHeader]: 'S2' })
      for (const app of apps) {
        for (const _ of [1, 2]) await send(app, await input())
        takeCounted()
        expect(await send(app, await input())).toMatchObject({ code: 0 })
        expect(takeCounted().includes(true)).toBe(takesOneRoundTrip)
      }
      const inputs = [await input(), await input()]
      await revoke(keyId)
      try {
        const before = await contentsOf(shop)
        for (const [n, app] of apps.entries()) {
          expect(await send(app, inputs[n] ?? {})).toMatchObject({ code })
        }
        expect(takeCounted()).not.toContain(true)
        expect(await contentsOf(shop)).toEqual(before)
      } finally {
        await change((tx) => setStoreActive(tx, shop.id, 'S2', true))
      }
    })
  },
)
