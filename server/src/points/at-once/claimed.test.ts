import { randomUUID } from 'node:crypto'
import { issueCouponByPoints } from '@tillside/contract/coupon'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../../database/database.ts'
import { call, logIn, ok } from '../../testing/factories/company.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import {
  memberWith,
  money,
  spendingEffects,
  testSpendingShop,
} from '../../testing/factories/spending.ts'

// A change of two statements, whose first one finds that the holder is no longer the same. The key
// was used before, so its row is there, but this transaction has not claimed it.

let shop: Shop
let owner: pg.Client
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)
beforeAll(async () => {
  const base = { names: { 'en-US': 'Ten', 'zh-HK': '十' }, validity: { days: 30 } } as const
  const coupons = [
    { ...base, id: 'PAID', kind: 'amount', value: '10.00', pointsCost: 100 },
  ] as const
  const database = openDatabase(inject('databaseUrl'))
  shop = await testSpendingShop({ coupons: [...coupons] }, database, count)
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await owner.end()
  await shop.close()
})

type Prepare = (memberCode: string, token: string) => Promise<object>
const calls: [string, Endpoint, Prepare][] = [
  ['spending', redeemPoints, async (memberCode) => money(memberCode)],
  [
    'issuing for points',
    issueCouponByPoints,
    async (memberCode) => ({ memberCode, couponId: 'PAID', quantity: 1 }),
  ],
  [
    'undoing a spending',
    cancelPoints,
    async (memberCode, token) => {
      const { entry } = await ok(shop, redeemPoints, money(memberCode), { token })
      return { memberCode, entryId: entry.id, reason: 'wrong' }
    },
  ],
]
const changes: [string, string, number][] = [
  ['whose session has ended', 'update session set ended_at = now() where company_id = $1', 401],
  ['whose company has changed', 'update store set name = name where company_id = $1', 200],
]
const cases = calls.flatMap(([name, endpoint, prepare]) =>
  changes.map(([of, sql, status]) => [name, of, { endpoint, prepare, sql, status }] as const),
)

test.each(cases)('a repeat of %s by a clerk %s has no second effect', async (_name, _of, one) => {
  const token = await logIn(shop)
  const member = await memberWith(shop, 5000)
  // The process remembers the clerk and the definitions after two calls.
  for (const _ of [1, 2]) {
    const input = await one.prepare(member.memberCode, token)
    expect(await call(shop, one.endpoint, input, { token })).toMatchObject({ code: 0 })
  }
  const key = randomUUID()
  const input = await one.prepare(member.memberCode, token)
  counted.length = 0
  const first = await call(shop, one.endpoint, input, { token, key })
  expect(first.code).toBe(0)
  expect(counted).toEqual([true])
  const before = await spendingEffects(shop, member)
  await owner.query(one.sql, [shop.id])
  const again = await call(shop, one.endpoint, input, { token, key })
  expect(again.status).toBe(one.status)
  if (one.status === 200) expect(again).toEqual(first)
  expect(await spendingEffects(shop, member)).toEqual(before)
})

test('a debit without lots burns nothing, and its caller learns so', async () => {
  const { rows } = await owner.query(
    'select burn_lots($1, $2, $2, null, null) as burns, cardinality(null::uuid[]) as lots',
    [shop.id, randomUUID()],
  )
  expect(rows).toEqual([{ burns: 0, lots: null }])
})
