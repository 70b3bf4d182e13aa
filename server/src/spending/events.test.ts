import { randomUUID } from 'node:crypto'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { redeemOneCoupon } from '@tillside/contract/integration/coupons'
import { eventData, webhookEvents } from '@tillside/contract/integration/events'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { callWithKey, sendItems, testKey } from '../testing/factories/key.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'

// A change in one round trip has the events of one in several, where a webhook gets all events.

const Row = z.object({
  seq: z.int(),
  event: z.string(),
  store_code: z.nullable(z.string()),
  actor: z.nullable(z.looseObject({})),
  data: z.looseObject({ memberCode: z.string() }),
})

let shop: Shop
let slow: Shop['app']
let token: string
let key: string
const counted: string[] = []
const missed: string[] = []
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  const database = openDatabase(inject('databaseUrl'))
  shop = await testSpendingShop({}, database, (path, isAnswered) => {
    ;(isAnswered ? counted : missed).push(path)
  })
  slow = await createApp(database, pino({ level: 'silent' }), { oneRoundTrip: false })
  await owner.connect()
  await owner.query(
    `insert into webhook (company_id, webhook_id, url, secret_variable, events)
     values ($1, 'crm', 'https://example.com/', 'SECRET', $2)`,
    [shop.id, webhookEvents],
  )
  ;({ key } = await testKey(shop))
  token = await logIn(shop)
  // The process learns what it has to know, and that a webhook subscribes.
  for (const _ of [1, 2]) await aDay(shop.app)
})
beforeEach(() => {
  counted.length = 0
  missed.length = 0
})
afterAll(async () => {
  await slow.close()
  await owner.end()
  await shop.close()
})

/** A member whom a process gives every change that moves value. @returns the member's id */
async function aDay(app: Shop['app']): Promise<string> {
  const at = { app }
  const { id, memberCode } = await memberWith(shop, 1000)
  const by = { token }
  const undo = (entryId: string) =>
    ok(at, cancelPoints, { memberCode, entryId, reason: 'wrong' }, by)
  for (const input of [money(memberCode), mug(memberCode)]) {
    const { entry } = await ok(at, redeemPoints, input, by)
    await undo(entry.id)
  }
  const paid = { memberCode, couponId: 'LATTE', quantity: 2 }
  await ok(at, issueCouponByPoints, paid, by)
  const { rows } = await owner.query<{ entry_id: string }>(
    'select distinct entry_id from coupon where company_id = $1 and member_id = $2',
    [shop.id, id],
  )
  await undo(rows[0]?.entry_id ?? '')
  const issued = await ok(at, issueCoupon, { memberCode, couponId: 'TREAT', quantity: 4 }, by)
  const [couponCode = '', ofTill = '', ...couponCodes] = issued.coupons.map(({ code }) => code)
  await ok(at, redeemCoupon, { memberCode, couponCode }, by)
  await ok(at, cancelCouponRedeem, { memberCode, couponCode, reason: 'wrong' }, by)
  await ok(at, batchRedeemCoupons, { memberCode, couponCodes }, by)
  const redeemed = await callWithKey(at, redeemOneCoupon, { memberCode, couponCode: ofTill }, key, {
    'tillside-store': 'S2',
    'idempotency-key': randomUUID(),
  })
  expect(redeemed.code).toBe(0)
  const sale = receipt([['TEA', '12.50', 4]], { memberCode })
  const back = receipt([['TEA', '12.50', -1]], { memberCode, original: nameOf(sale) })
  for (const input of [sale, back]) await sendItems(at, postTransactions, [input], key)
  return id
}

async function eventsOf(memberId: string) {
  const { rows } = await owner.query(
    `select seq, event, store_code, actor, data from event
     where company_id = $1 and member_id = $2 order by seq`,
    [shop.id, memberId],
  )
  return z.parse(z.array(Row), rows)
}

// They differ from one member to the other.
const own = new Set([
  'memberCode',
  'entryId',
  'couponCode',
  'transactionId',
  'invoiceNumber',
  'at',
  'occurredAt',
])
const masked = (events: Awaited<ReturnType<typeof eventsOf>>) =>
  events.map(({ data, ...event }) => {
    const entries = Object.entries(data).map(([name, value]) => [
      name,
      own.has(name) && value !== null ? `any ${typeof value}` : value,
    ])
    return { ...event, data: Object.fromEntries(entries) }
  })

test('every change in one round trip has the events of one in several', async () => {
  const [one, several] = [await aDay(shop.app), await aDay(slow)]
  expect(missed).toEqual([])
  expect(new Set(counted).size).toBe(8)
  const events = await eventsOf(one)
  expect(masked(events)).toEqual(masked(await eventsOf(several)))
  for (const { event, data } of events) {
    const { memberCode: _, ...rest } = data
    const { error } = eventData[z.parse(z.enum(webhookEvents), event)].safeParse(rest)
    expect([event, error?.issues]).toEqual([event, undefined])
  }
})

test('a call whose function is not called has its events once', async () => {
  const { id, memberCode } = await memberWith(shop, 0)
  const { coupons } = await ok(
    shop,
    issueCoupon,
    { memberCode, couponId: 'TREAT', quantity: 1 },
    { token },
  )
  const couponCode = coupons[0]?.code ?? ''
  // The holder that the process remembers is confirmed no longer.
  await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
  await owner.query('select change_epoch($1)', [shop.id])
  counted.length = 0
  await ok(shop, redeemCoupon, { memberCode, couponCode }, { token })
  expect([counted, missed]).toEqual([[], [redeemCoupon.path]])
  const names = (await eventsOf(id)).map(({ event }) => event)
  expect(names).toEqual(['member.created', 'coupon.issued', 'coupon.redeemed'])
})
