import { postTransactions } from '@tillside/contract/integration/transactions'
import { addDays } from '@tillside/contract/rules/day'
import * as fc from 'fast-check'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { revokeKey } from '../staff/keys/key.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { callWithKey, sendItems, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt, saleEffects } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import type { TransactionInput } from './input.ts'

// A sale in one round trip has the effects and the answer of one in several.

let shop: Shop
/** A process that takes several round trips. */
let slow: Shop['app']
let owner: pg.Client
let key: string
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

const { points, tiers } = testDefinition('a')
const names = { 'en-US': 'Spring', 'zh-HK': '春日' }
const spring = { names, from: '2026-03-01', to: '2026-03-31' }
const promotions = [
  { ...spring, id: 'DOUBLE', award: { multiplier: '2.5' } },
  { ...spring, id: 'TEA', skus: ['TEA', 'CUP'], award: { bonus: 7 } },
  { ...spring, id: 'THERE', stores: ['S2'], award: { bonus: 3 } },
  { ...spring, id: 'FIRST', from: '2026-03-20', firstPurchase: true, award: { bonus: 50 } },
]

beforeAll(async () => {
  const rules = { ...points, perUnit: '0.7', pendingDays: 3, promotions }
  const expiry = { kind: 'months', months: 12 } as const
  const ladder = tiers.map((tier, n) => Object.assign(tier, { multiplier: `1.${n}` }))
  const database = openDatabase(inject('databaseUrl'))
  shop = await testShop({ points: { ...rules, expiry }, tiers: ladder }, database, count)
  slow = await createApp(database, pino({ level: 'silent' }), { oneRoundTrip: false })
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
})
beforeEach(async () => {
  key = (await testKey(shop)).key
  // The process knows the key, the settings and the tiers after two sales.
  await record(shop, sale(await testMember(shop)))
  counted.length = 0
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(async () => {
  await owner.end()
  await slow.close()
  await shop.close()
})

type Member = { id: string; memberCode: string }
const sale = (
  { memberCode }: Pick<Member, 'memberCode'>,
  changes: Partial<TransactionInput> = {},
) => receipt([['TEA', '12.50', 1]], { memberCode, ...changes })
const record = async (to: { app: Shop['app'] }, input: object) =>
  (await sendItems(to, postTransactions, [input], key)).items[0]

const effectsOn = (member: Member) => saleEffects(shop, member)

const twins = () => Promise.all([testMember(shop), testMember(shop)])

/** Sends the same sale to both members, each to its process. @returns both answers */
async function both([quick, other]: [Member, Member], changes: Partial<TransactionInput>) {
  const lines = changes.items ? changes : {}
  const [one, several] = [sale(quick, { ...changes, ...lines }), sale(other, changes)]
  return [await record(shop, one), await record({ app: slow }, several)]
}

const cents = (max: number) => fc.integer({ min: 0, max }).map((n) => (n / 100).toFixed(2))
const skus = fc.constantFrom('TEA', 'CUP', 'BAG', 'O’Neil "%s" \\')
const sales = fc.record({
  net: cents(40_000),
  day: fc.integer({ min: 0, max: 40 }),
  storeCode: fc.constantFrom('S1', 'S2', null),
  sales: fc.constantFrom('Amy', null),
  lines: fc.array(fc.tuple(skus, cents(900)), { maxLength: 4 }),
  coupon: fc.boolean(),
})

function inputOf({
  net,
  day,
  storeCode,
  sales: clerk,
  lines,
  coupon,
}: Sale): Partial<TransactionInput> {
  return {
    storeCode,
    sales: clerk,
    // From the beginning of the promotions to their end, in either order.
    occurredAt: `${addDays('2026-02-24', day)}T15:59:59Z`,
    totalAmount: net,
    netSpend: net,
    items: lines.map(([skuCode, spend]) => ({
      skuCode,
      skuName: 'Goods',
      price: spend,
      quantity: '1',
      total: net,
      discount: '0.00',
      spend,
    })),
    coupons: coupon ? [{ code: 'C-1', name: 'Ten', value: '10.00', quantity: 1 }] : [],
  }
}
type Sale = typeof sales extends fc.Arbitrary<infer S> ? S : never

test('many sales of one member leave the same in both ways', async () => {
  const ways = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(fc.array(sales, { minLength: 1, maxLength: 12 }), async (of) => {
      counted.length = 0
      const members = await twins()
      for (const one of of) {
        const [quick, several] = await both(members, inputOf(one))
        expect(quick).toEqual(several)
      }
      const [quick, several] = await Promise.all(members.map(effectsOn))
      expect(quick).toEqual(several)
      for (const way of counted) ways.add(way)
    }),
    { numRuns: 25 },
  )
  expect(ways).toEqual(new Set([true, false]))
}, 120_000)

describe('what the function does not handle', () => {
  const longAgo = { occurredAt: '2026-01-05T04:00:00Z' }
  type Case = [string, (m: Member) => Promise<Partial<TransactionInput>>, object]
  const cases: Case[] = [
    [
      'a tier that the sale reaches',
      async () => ({ netSpend: '1000.00', totalAmount: '1000.00', items: [] }),
      { outcome: 'created' },
    ],
    [
      'a tier whose period has ended',
      async ({ id }) => {
        await sql(`update member_tier set expiry_date = '2026-02-28' where member_id = $2`, [id])
        return {}
      },
      { outcome: 'created' },
    ],
    [
      'a tier that has another multiplier since',
      async () => {
        await sql(`update tier set multiplier = '1.30' where tier_code = 'associate'`)
        return {}
      },
      { outcome: 'created' },
    ],
    [
      'a debt',
      async ({ id }) => {
        const of = { invoiceType: 'return', totalAmount: '-50.00', netSpend: '-50.00' } as const
        await shop.send(id, receipt([], of))
        return {}
      },
      { outcome: 'created' },
    ],
    [
      'a first purchase that a promotion rewards',
      async () => ({ occurredAt: '2026-03-21T04:00:00Z' }),
      { outcome: 'created', points: 78 },
    ],
    ['a sale of the future', async () => ({ occurredAt: inHours(23) }), { outcome: 'created' }],
    ['a sale after the future', async () => ({ occurredAt: inHours(25) }), { reason: 'dateAhead' }],
    ['an unknown member', async () => ({ memberCode: 'NOBODY' }), { reason: 'memberUnknown' }],
    ['an unknown store', async () => ({ storeCode: 'S77' }), { reason: 'storeUnknown' }],
    [
      'amounts that make no sense',
      async () => ({ totalAmount: '99.00' }),
      { reason: 'linesNotTotal' },
    ],
    [
      'an unchanged repeat',
      async (m) => {
        await record(shop, sale(m, { ...longAgo, invoiceNumber: `A ${m.id}` }))
        counted.length = 0
        return { ...longAgo, invoiceNumber: `A ${m.id}` }
      },
      { outcome: 'unchanged' },
    ],
    [
      'a changed repeat',
      async (m) => {
        await record(shop, sale(m, { invoiceNumber: `B ${m.id}` }))
        counted.length = 0
        return { invoiceNumber: `B ${m.id}`, sales: 'Ben' }
      },
      { reason: 'changed' },
    ],
  ]
  test.each(cases)('takes several round trips: %s', async (_name, prepare, answer) => {
    const member = await testMember(shop)
    const input = sale(member, await prepare(member))
    expect(await record(shop, input)).toMatchObject(answer)
    expect(counted).toEqual([false])
    await sql(`update tier set multiplier = '1.0' where tier_code = 'associate'`)
  })
})

test('a revoked key records nothing, on a process that remembers it', async () => {
  const { key: own, keyId } = await testKey(shop)
  const member = await testMember(shop)
  const send = () => callWithKey(shop, postTransactions, { items: [sale(member)] }, own)
  for (let n = 0; n < 2; n++) expect((await send()).code).toBe(0)
  const before = await effectsOn(member)
  await shop.database.transaction(shop.id, (tx) => revokeKey(tx, shop.id, keyId))
  expect(await send()).toMatchObject({ status: 401 })
  expect(await effectsOn(member)).toEqual(before)
})

test('a key of one store records no sale of another', async () => {
  const { key: own } = await testKey(shop, { stores: ['S2'] })
  const member = await testMember(shop)
  const send = async (storeCode: string | null) => {
    const items = [sale(member, { storeCode })]
    const { data } = await callWithKey(shop, postTransactions, { items }, own)
    return postTransactions.data.parse(data).items[0]
  }
  expect(await send('S2')).toMatchObject({ outcome: 'created' })
  for (const store of ['S1', null]) {
    expect(await send(store)).toMatchObject({ reason: 'storeNotAllowed' })
  }
})

/** Twelve sales of 90.00; the last ones reach the tier of 1,000. */
const dozen = (of: Member) =>
  Array.from({ length: 12 }, (_, n) => {
    const occurredAt = `2026-03-${n + 10}T04:00:00Z`
    return sale(of, { occurredAt, totalAmount: '90.00', netSpend: '90.00', items: [] })
  })

describe('at once, on two processes', () => {
  test('a receipt is recorded exactly once', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await testMember(shop)
      const input = sale(member, { invoiceNumber: `ONCE ${member.id}` })
      const sent = Array.from({ length: 8 }, (_, n) => record(n % 2 ? { app: slow } : shop, input))
      const outcomes = (await Promise.all(sent)).map((item) => item?.outcome)
      expect(outcomes.filter((one) => one === 'created')).toHaveLength(1)
      expect(outcomes.filter((one) => one === 'unchanged')).toHaveLength(7)
    }
  })

  test('the sales of one member add up, and reach the tier once', async () => {
    const [member, alone] = await twins()
    for (const input of dozen(alone)) await record({ app: slow }, input)
    counted.length = 0
    const sent = dozen(member).map((input, n) => record(n % 3 ? shop : { app: slow }, input))
    for (const item of await Promise.all(sent)) expect(item).toMatchObject({ outcome: 'created' })
    const { tier, spend } = await effectsOn(member)
    const expected = await effectsOn(alone)
    expect(tier).toMatchObject({ tier_code: 'green' })
    expect(z.array(z.unknown()).parse(spend)).toHaveLength(12)
    expect(expected.tier).toMatchObject({ tier_code: 'green' })
    expect(counted).toContain(true)
  })
})

// The last test, because the webhook stays. The route answers the first call, which finds it.
test('is recorded with its event where a webhook subscribes', async () => {
  const member = await testMember(shop)
  await sql(
    `insert into webhook (company_id, webhook_id, url, secret_variable, events)
     values ($1, gen_random_uuid(), 'https://example.com', 'X', '{transaction.recorded}')`,
  )
  expect(await record(shop, sale(member))).toMatchObject({ outcome: 'created' })
  expect(counted).toEqual([false])
  const { rowCount } = await sql('select from event where company_id = $1 and member_id = $2', [
    member.id,
  ])
  expect(rowCount).toBe(1)
})

const inHours = (hours: number) =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`
const sql = (text: string, values: unknown[] = []) =>
  owner.query(text.includes('$1') ? text : text.replace('where', 'where company_id = $1 and'), [
    shop.id,
    ...values,
  ])
