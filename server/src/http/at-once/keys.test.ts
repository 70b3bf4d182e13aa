import { randomUUID } from 'node:crypto'
import {
  buyCoupons,
  issueCoupons,
  redeemCoupons,
  redeemOneCoupon,
  undoRedemption,
} from '@tillside/contract/integration/coupons'
import { type IntegrationEndpoint, storeHeader } from '@tillside/contract/integration/endpoint'
import { cancelSpending, spendPoints } from '@tillside/contract/integration/points'
import * as pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import pino from 'pino'
import { createApp } from '../../app.ts'
import { openDatabase } from '../../database/database.ts'
import { revokeKey } from '../../staff/keys/key.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../../testing/factories/spending.ts'

// The counter's calls of an API key in one round trip. Two processes: the second one remembers what
// the first one changes.

let shop: Shop
let owner: pg.Client
let other: Shop['app']
let key: string
let keyId: string
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

const ten = { id: 'TEN', names: { 'en-US': 'Ten', 'zh-HK': '十' }, kind: 'amount' } as const
const terms = { ...ten, value: '10.00', validity: { days: 30 } } as const
beforeAll(async () => {
  // No clerk could do any of these calls.
  const none = { warn: 1, refuse: 1 }
  const allowances = {
    ...noAllowances,
    couponsRedeemed: none,
    couponsIssued: none,
    pointsSpent: none,
    undone: none,
  }
  const coupons = [terms, { ...terms, id: 'PAID', pointsCost: 100 }]
  const database = openDatabase(inject('databaseUrl'))
  shop = await testSpendingShop({ allowances, coupons }, database, count)
  const settings = { countAtOnce: count, requestsPerMinute: 4 }
  other = await createApp(database, pino({ level: 'silent' }), settings)
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await other.close()
  await owner.end()
  await shop.close()
})
beforeEach(async () => {
  ;({ key, keyId } = await testKey(shop))
  // A process knows the key, the settings and the definitions after its first changes.
  const member = await memberWith(shop, 1000)
  for (const app of [shop.app, other]) {
    await send(issueCoupons, { ...member, couponId: 'TEN', quantity: 1 }, {}, app)
    await send(buyCoupons, { ...member, couponId: 'PAID', quantity: 1 }, {}, app)
  }
  counted.length = 0
})

const send = (
  endpoint: IntegrationEndpoint,
  { id: _id, ...input }: Record<string, unknown>,
  headers: Record<string, string> = {},
  app = shop.app,
) => callWithKey({ app }, endpoint, input, key, headers)

test('a key redeems, undoes, issues and spends, beyond the limits of clerks', async () => {
  const member = await memberWith(shop, 2000)
  const { memberCode } = member
  const [one, two, three] = await Promise.all(
    [1, 2, 3].map(() => testCoupon(shop, member, 0, 'TEN')),
  )
  const calls: [IntegrationEndpoint, Record<string, unknown>][] = [
    [redeemOneCoupon, { memberCode, couponCode: one }],
    [undoRedemption, { memberCode, couponCode: one, reason: 'wrong customer' }],
    [redeemCoupons, { memberCode, couponCodes: [two, three] }],
    [issueCoupons, { memberCode, couponId: 'TEN', quantity: 2 }],
    [buyCoupons, { memberCode, couponId: 'PAID', quantity: 1 }],
    [spendPoints, money(memberCode)],
  ]
  for (const [endpoint, input] of calls) {
    expect(await send(endpoint, input), endpoint.path).toMatchObject({ code: 0 })
  }
  // The process knows the gifts.
  await send(spendPoints, mug(memberCode))
  counted.length = calls.length
  for (const input of [money(memberCode), mug(memberCode)]) {
    const spent = spendPoints.data.parse((await send(spendPoints, input)).data)
    const undone = { memberCode, entryId: spent.entry.id, reason: 'wrong customer' }
    expect(await send(cancelSpending, undone)).toMatchObject({ code: 0 })
  }
  expect(counted).toEqual([...calls, 'spend', 'undo', 'spend', 'undo'].map(() => true))
})

test('a repeat has the same text on both processes, and no second effect', async () => {
  const { memberCode } = await memberWith(shop, 1000)
  const headers = { 'idempotency-key': randomUUID() }
  const answers = []
  for (const app of [shop.app, other, shop.app]) {
    answers.push((await send(spendPoints, money(memberCode), headers, app)).text)
  }
  expect(answers[0]).toContain('"balance":700')
  expect(new Set(answers).size).toBe(1)
  expect(counted).toEqual([true, false, false])
  const another = { ...headers, 'user-language': 'zh-HK' }
  expect(await send(redeemOneCoupon, { memberCode, couponCode: 'X' }, another)).toMatchObject({
    code: 'keyReused',
  })
})

test('of two processes at once, exactly one redeems a coupon', async () => {
  const member = await memberWith(shop, 0)
  for (let round = 0; round < 3; round++) {
    const input = {
      memberCode: member.memberCode,
      couponCode: await testCoupon(shop, member, 0, 'TEN'),
    }
    const apps = [shop.app, other]
    const sent = Array.from({ length: 6 }, (_, n) => send(redeemOneCoupon, input, {}, apps[n % 2]))
    const codes = (await Promise.all(sent)).map(({ code }) => code)
    const rest = codes.filter((code) => code !== 'tooManyRequests')
    expect(rest.filter((code) => code === 0)).toHaveLength(1)
    expect(rest.filter((code) => code === 'couponUsed')).toHaveLength(rest.length - 1)
  }
})

test.each<[string, () => Promise<unknown>, Record<string, string>, string]>([
  [
    'a revoked key',
    () => shop.database.transaction(shop.id, (tx) => revokeKey(tx, shop.id, keyId)),
    {},
    'unauthorized',
  ],
  [
    'a scope that was taken away',
    () => owner.query(`update api_key set scopes = '{members:read}' where key_id = $1`, [keyId]),
    {},
    'noPermission',
  ],
  [
    'a store that was closed',
    () =>
      owner.query(`update store set active = false where company_id = $1 and store_code = 'S2'`, [
        shop.id,
      ]),
    { [storeHeader]: 'S2' },
    'storeClosed',
  ],
  ['a store that is not named', async () => {}, { [storeHeader]: '' }, 'storeUnknown'],
  ['a missing key of the operation', async () => {}, { 'idempotency-key': '' }, 'keyRequired'],
])('is refused: %s', async (_name, change, headers, problem) => {
  const { memberCode } = await memberWith(shop, 1000)
  for (const app of [shop.app, other]) await send(spendPoints, money(memberCode), {}, app)
  counted.length = 0
  await change()
  for (const app of [shop.app, other]) {
    const answer = await send(spendPoints, money(memberCode), headers, app)
    expect(answer).toMatchObject({ code: problem })
  }
  expect(counted).toEqual([false, false])
  await owner.query(`update store set active = true where company_id = $1`, [shop.id])
})

test('each call counts once toward the limit of the key', async () => {
  const { memberCode } = await memberWith(shop, 5000)
  const answers = []
  for (let n = 0; n < 4; n++) answers.push(await send(spendPoints, money(memberCode), {}, other))
  // Two were counted while the process came to know the key.
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 'tooManyRequests', 'tooManyRequests'])
  expect(answers.map(({ headers }) => String(headers['ratelimit']).slice(0, 9))).toEqual([
    '"key";r=1',
    '"key";r=0',
    '"key";r=0',
    '"key";r=0',
  ])
  expect(counted).toEqual([true, true, false, false])
})
