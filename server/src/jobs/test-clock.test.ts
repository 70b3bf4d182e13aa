import { login } from '@tillside/contract/auth'
import { issueCoupon } from '@tillside/contract/coupon'
import { webhookEvents } from '@tillside/contract/integration/events'
import { issueCoupons, readCoupons } from '@tillside/contract/integration/coupons'
import { registerMember, readTier } from '@tillside/contract/integration/members'
import { readPoints, readPointHistory } from '@tillside/contract/integration/points'
import { advanceTestClock } from '@tillside/contract/integration/test-clock'
import { postTransactions } from '@tillside/contract/integration/transactions'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase, statement } from '../database/database.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'
import { createPractice } from '../practice/create.ts'
import { findCompanyId } from '../company/find.ts'
import { ok } from '../testing/factories/company.ts'
import { callWithKey, sendItems, testKey } from '../testing/factories/key.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { newForm } from '../testing/factories/registration.ts'
import { startReceiver } from '../testing/servers/webhook-receiver.ts'
import { findViolations } from './invariants.ts'
import { runJob } from './job.ts'
import { practiceJob } from './practice.ts'

const environment = { WEBHOOK_SECRET_TEST: 'a secret of the test, long enough' }
const log = pino({ level: 'silent' })
const dayMs = 86_400_000
/** The time from one instant to another, without the parts of a second, which answers leave out. */
const passedMs = (from: string, to: string) =>
  Date.parse(to) - Math.floor(Date.parse(from) / 1000) * 1000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

let shop: Shop
let id: string
let key: string
let clerk: { identifier: string; account: string; password: string }
beforeAll(async () => {
  shop = await testShop()
  const { identifier, accounts } = await createPractice(shop.database, shop.id)
  const full = accounts.find(({ group }) => group === 'full')
  clerk = { identifier, account: full?.account ?? '', password: full?.password ?? '' }
  id = (await findCompanyId(shop.database, identifier)) ?? ''
  key = (await testKey({ database: shop.database, id })).key
})
afterAll(() => shop.close())

const Time = z.strictObject({ now: z.string(), today: z.string() })
async function advance(advanceTo: string) {
  const { data } = await callWithKey(shop, advanceTestClock, { advanceTo }, key)
  return Time.parse(data)
}
const get = async (endpoint: Parameters<typeof callWithKey>[1], input: object) => {
  const { data, status } = await callWithKey(shop, endpoint, input, key)
  expect(status).toBe(200)
  return z.looseObject({}).parse(data)
}

const receiptOf = (memberCode: unknown, invoiceNumber: string, occurredAt: string) => ({
  invoiceNumber,
  source: 100000028,
  memberCode,
  storeCode: 'S1',
  status: 'completed',
  invoiceType: 'sale',
  occurredAt,
  totalAmount: '1200.00',
  netSpend: '1200.00',
})
const clockAhead = async (companyId: string) => {
  const sql = `select extract(day from clock_ahead)::int as days,
     (select count(*) from outbox where company_id = $1)::int as events
   from company where company_id = $1`
  const row = z.object({ days: z.int(), events: z.int() })
  return shop.database.reading(companyId, (tx) => tx.one(statement(sql, row), [companyId]))
}
const subscribe = (url: string) =>
  shop.database.transaction(id, (tx) =>
    tx.run(
      statement(
        `insert into webhook (company_id, webhook_id, url, secret_variable, events)
         values ($1, 'crm', $2, 'WEBHOOK_SECRET_TEST', $3)`,
        z.unknown(),
      ),
      [id, url, [...webhookEvents]],
    ),
  )

test('points and coupons expire, tiers end, and the webhook gets the events', async () => {
  const receiver = await startReceiver()
  await subscribe(receiver.url)
  const registered = await callWithKey(shop, registerMember, newForm({}), key)
  const { memberCode } = z.looseObject({ memberCode: z.string() }).parse(registered.data)
  const of = { memberCode }
  await sendItems(shop, postTransactions, [receiptOf(memberCode, 'C-1', inDays(0))], key)
  const order = { ...of, couponId: 'TREAT', quantity: 1 }
  expect(await callWithKey(shop, issueCoupons, order, key)).toMatchObject({ status: 200 })
  expect(await get(readPoints, of)).toMatchObject({ balance: 1200 })
  expect(await get(readTier, of)).toMatchObject({ standing: { code: 'green' } })

  const asked = inDays(400)
  const { now, today } = await advance(asked)
  expect(passedMs(asked, now)).toBeGreaterThanOrEqual(0)
  expect(passedMs(asked, now)).toBeLessThan(dayMs)
  expect(Math.abs(Date.parse(today) - Date.parse(now))).toBeLessThan(2 * dayMs)
  expect(await get(readPoints, of)).toMatchObject({ balance: 0 })
  expect(await get(readTier, of)).toMatchObject({ standing: { code: 'associate' } })
  expect(await get(readCoupons, { ...of, status: 'EXPIRED' })).toMatchObject({
    items: [{ couponId: 'TREAT', status: 'EXPIRED' }],
  })
  await deliverOutbox(shop.database, id, { environment, now: true })
  const ours = receiver.taken.filter(({ data }) => data.memberCode === memberCode)
  const byJob = ours.filter(({ actor }) => actor === null).map(({ event }) => event)
  expect(new Set(byJob)).toEqual(new Set(['points.changed', 'coupon.expired', 'tier.changed']))

  // A sale of that day is recorded, and earns for a year from then.
  const next = inDays(400)
  const { items } = await sendItems(
    shop,
    postTransactions,
    [receiptOf(memberCode, 'C-2', next)],
    key,
  )
  expect(items[0]).toMatchObject({ outcome: 'created' })
  expect(await get(readPoints, of)).toMatchObject({ balance: 1200 })
  const page = await get(readPointHistory, of)
  expect(page['items']).toMatchObject([{ points: 1200 }, { points: -1200 }, { points: 1200 }])
  const violations = await shop.database.reading(id, (tx) => findViolations(tx, id))
  expect(violations).toEqual([])
  await receiver.close()
})

test('a change by a clerk at a later time has an audit row of the real time', async () => {
  await advance(inDays(1))
  const { token } = await ok(shop, login, clerk)
  const { data } = await callWithKey(shop, registerMember, newForm({}), key)
  const { memberCode } = z.looseObject({ memberCode: z.string() }).parse(data)
  const order = { memberCode, couponId: 'TREAT', quantity: 1 }
  await ok(shop, issueCoupon, order, { token })
  expect(await shop.database.reading(id, (tx) => findViolations(tx, id))).toEqual([])
})

test('the clock never goes back, also when two requests race', async () => {
  const reached = inDays(500)
  const answers = await Promise.all([490, 500, 410].map((days) => advance(inDays(days))))
  const latest = Math.max(...answers.map(({ now }) => passedMs(reached, now)))
  const passed = [latest]
  for (const earlier of ['2026-01-01T00:00:00Z', inDays(1)])
    passed.push(passedMs(reached, (await advance(earlier)).now))
  // The clock went on, but not back.
  expect(passed).toEqual(passed.toSorted((a, b) => a - b))
  expect(latest).toBeGreaterThanOrEqual(0)
  expect(Math.max(...passed)).toBeLessThan(dayMs)
})

test('a time that is too far or no time is refused, and nothing moves', async () => {
  const before = await clockAhead(id)
  for (const [advanceTo, code] of [
    [inDays(3700), 'tooLarge'],
    ['9999-12-31T23:59:59Z', 'tooLarge'],
    ['tomorrow', 'format'],
    ['2027-02-30T00:00:00Z', 'format'],
    [20270101, 'wrongType'],
    [undefined, 'required'],
  ] as const) {
    const { status, problem } = await callWithKey(shop, advanceTestClock, { advanceTo }, key)
    expect([advanceTo, status, problem?.errors]).toMatchObject([
      advanceTo,
      422,
      [{ path: 'advanceTo', code }],
    ])
  }
  expect(await clockAhead(id)).toEqual(before)
})

test('a live key is refused by name, and the database refuses it too', async () => {
  const live = await testKey(shop)
  const input = { advanceTo: inDays(30) }
  const refused = await callWithKey(shop, advanceTestClock, input, live.key)
  expect(refused).toMatchObject({ status: 403, code: 'liveKey' })
  expect((await clockAhead(shop.id)).days).toBe(0)
  const forced = shop.database.transaction(shop.id, (tx) =>
    tx.run(
      statement(
        `update company set clock_ahead = interval '1 day' where company_id = $1`,
        z.unknown(),
      ),
      [shop.id],
    ),
  )
  await expect(forced).rejects.toThrow('company_check')
})

test('the nightly reset sets it back to the present, and sends no events', async () => {
  expect((await clockAhead(id)).days).toBeGreaterThan(490)
  const owner = openDatabase(inject('ownerUrl'), 1)
  await runJob(owner, id, practiceJob, log, { now: true })
  await owner.close()
  expect(await clockAhead(id)).toEqual({ days: 0, events: 0 })
  const now = await advance('2026-01-01T00:00:00Z')
  expect(now.now.slice(0, 10)).toBe(inDays(0).slice(0, 10))
})
