import { randomUUID } from 'node:crypto'
import { issueCouponByPoints, redeemCoupon } from '@tillside/contract/coupon'
import { cancelPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import { failures } from '@tillside/contract/wire/failures'
import { basePath } from '@tillside/contract/wire/endpoint'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { openDatabase, statement } from '../database/database.ts'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { noAllowances } from '../testing/factories/definition.ts'
import { givePoints } from '../testing/factories/points.ts'
import type { Shop } from '../testing/factories/shop.ts'
import {
  memberWith,
  money,
  mug,
  spendingEffects,
  testSpendingShop,
} from '../testing/factories/spending.ts'

// The undo of a spending in one round trip has the effects and the answer of one in
// several. Two processes: the other one takes several round trips.

const readStock = statement(
  'select item_id, issued from stock where company_id = $1 and kind = $2 order by item_id',
  z.object({ item_id: z.string(), issued: z.int() }),
)

let shop: Shop
let slow: Shop['app']
let token: string
let today: string
const counted: boolean[] = []
const count = (path: string, isAnswered: boolean) => {
  if (path === cancelPoints.path) counted.push(isAnswered)
}

beforeAll(async () => {
  const allowances = { ...noAllowances, undone: { warn: 900, refuse: 950 } }
  const database = openDatabase(inject('databaseUrl'))
  const base = { names: { 'en-US': 'Ten', 'zh-HK': '十' }, validity: { days: 30 } } as const
  const coupons = [
    { ...base, id: 'PAID', kind: 'amount', value: '10.00', pointsCost: 100, stock: 900 },
  ] as const
  shop = await testSpendingShop({ allowances, coupons: [...coupons] }, database, count)
  slow = await createApp(database, pino({ level: 'silent' }), { oneRoundTrip: false })
  today = await todayOf(shop)
})
beforeEach(async () => {
  token = await logIn(shop)
  // The holder of a session is known after its first change.
  await undo(await spent(await memberWith(shop, 300)))
  counted.length = 0
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(async () => {
  await slow.close()
  await shop.close()
})

type Member = { id: string; memberCode: string }
type Spent = Member & { entryId: string }
type Options = { key?: string; language?: string; app?: Shop['app'] }

async function spent(member: Member, input: object = money(member.memberCode)): Promise<Spent> {
  const { entry } = await ok(shop, redeemPoints, input, { token })
  return { ...member, entryId: entry.id }
}
const spentOnMugs = (member: Member, quantity = 1) =>
  spent(member, mug(member.memberCode, { quantity }))
async function spentOnCoupons(member: Member, quantity = 1): Promise<Spent & { code: string }> {
  const { memberCode } = member
  const input = { memberCode, couponId: 'PAID', quantity }
  const { coupons } = await ok(shop, issueCouponByPoints, input, { token })
  const { items } = await ok(shop, pointHistory, { memberCode }, { token })
  return { ...member, entryId: items[0]?.id ?? '', code: coupons[0]?.code ?? '' }
}
const stockOf = (kind: string) =>
  shop.database.transaction(shop.id, (tx) => tx.all(readStock, [shop.id, kind]))
const undo = (
  { memberCode, entryId }: Spent,
  { app = shop.app, ...options }: Options = {},
  reason = 'wrong "one" 100 %',
) => call({ ...shop, app }, cancelPoints, { memberCode, entryId, reason }, { token, ...options })
const run = (sql: string, ...values: unknown[]) =>
  shop.database.transaction(shop.id, (tx) => tx.run(statement(sql, z.unknown()), values))

/** Two members with the same lots, from which the same was spent. */
async function twins(lots: readonly [points: number, days: number | null][]) {
  const members = [await memberWith(shop, 0), await memberWith(shop, 0)]
  const made: Spent[] = []
  for (const member of members) {
    for (const [points, days] of lots) {
      await givePoints(shop, member, points, days === null ? null : addDays(today, days))
    }
    made.push(await spent(member))
  }
  const [quick, other] = made
  if (quick === undefined || other === undefined) throw new Error('no twins')
  return [quick, other] as const
}

describe('an undo in one round trip', () => {
  test.each<[string, [number, number | null][]]>([
    ['one lot', [[1000, null]]],
    ['exactly one lot', [[300, 10]]],
    [
      'several lots',
      [
        [100, 20],
        [150, 0],
        [500, null],
      ],
    ],
  ])('leaves what one of several leaves: %s', async (_case, lots) => {
    const [quick, other] = await twins(lots)
    const answers = [await undo(quick), await undo(other, { app: slow })]
    expect(counted).toEqual([true])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    const [one, several] = [await spendingEffects(shop, quick), await spendingEffects(shop, other)]
    expect(one).toEqual(several)
    expect(one).toMatchObject({ key: [{}, {}], audit: [{ points: -300 }, { points: 300 }] })
  })

  test('answers the entry as the history lists it, in each language', async () => {
    const member = await memberWith(shop, 1000)
    for (const language of ['en-US', 'zh-HK', 'zh-CN', 'zh-TW']) {
      const { data } = await undo(await spent(member), { language })
      const { memberCode } = member
      const { items } = await ok(shop, pointHistory, { memberCode }, { token, language })
      expect(cancelPoints.data.parse(data)).toEqual({ entries: [items[0]], balance: 1000 })
    }
    expect(counted).toEqual([true, true, true, true])
  })

  test.each([
    ['a gift', (member: Member) => spentOnMugs(member), 50],
    ['three gifts', (member: Member) => spentOnMugs(member, 3), 150],
    ['a coupon', (member: Member) => spentOnCoupons(member), 100],
    ['four coupons', (member: Member) => spentOnCoupons(member, 4), 400],
  ])('leaves what one of several leaves: %s', async (_case, spend, points) => {
    const before = [await stockOf('gift'), await stockOf('coupon')]
    const [quick, other] = [await memberWith(shop, 500), await memberWith(shop, 500)]
    const [one, several] = [await spend(quick), await spend(other)]
    const answers = [await undo(one), await undo(several, { app: slow })]
    expect(counted).toEqual([true])
    expect(answers).toMatchObject([{ code: 0 }, { code: 0 }])
    const left = [await spendingEffects(shop, quick), await spendingEffects(shop, other)]
    expect(left[0]).toEqual(left[1])
    expect(left[0]).toMatchObject({ burns: [-points, points], account: { balance: 500 } })
    expect(left[0]?.['audit']).toContainEqual(expect.objectContaining({ points }))
    expect([await stockOf('gift'), await stockOf('coupon')]).toEqual(before)
  })

  test.each([
    ['gifts', spentOnMugs],
    ['coupons', spentOnCoupons],
  ])('names the %s as the history does, in each language', async (_kind, spend) => {
    const member = await memberWith(shop, 1000)
    for (const [n, language] of ['en-US', 'zh-HK', 'zh-CN', 'zh-TW'].entries()) {
      const { data } = await undo(await spend(member, 1 + (n % 2)), { language })
      const { memberCode } = member
      const { items } = await ok(shop, pointHistory, { memberCode }, { token, language })
      expect(cancelPoints.data.parse(data)).toEqual({ entries: [items[0]], balance: 1000 })
      expect(items[0]?.subject).toMatch(/\S/u)
    }
    expect(counted).toEqual([true, true, true, true])
  })

  test('names the invoice and the money of the spending', async () => {
    const member = await memberWith(shop, 1000)
    const of = await spent(member, money(member.memberCode, { invoiceNumber: 'POS-"7"' }))
    const { data } = await undo(of)
    const [entry] = cancelPoints.data.parse(data).entries
    expect(entry).toMatchObject({ invoiceNumber: 'POS-"7"', amount: '3.00', points: 300 })
    expect(counted).toEqual([true])
  })

  test('answers a repeat byte for byte, in the language of the first request', async () => {
    const [key, { memberCode, entryId }] = [randomUUID(), await spent(await memberWith(shop, 900))]
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await shop.app.inject({
        method: 'POST',
        url: basePath + cancelPoints.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: { memberCode, entryId, reason: 'wrong' },
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"balance":900')
    expect(new Set(texts).size).toBe(1)
    expect(counted).toEqual([true, false, false])
  })

  test('of many at once on two processes, exactly one undoes a spending', async () => {
    const before = [await stockOf('gift'), await stockOf('coupon')]
    for (const spend of [spent, spentOnMugs, spentOnCoupons, spent, spentOnMugs, spentOnCoupons]) {
      const member = await memberWith(shop, 1000)
      const of = await spend(member)
      const apps = [shop.app, slow]
      const sent = Array.from({ length: 8 }, (_, n) => undo(of, { app: apps[n % 2] ?? slow }))
      const codes = (await Promise.all(sent)).map(({ code }) => code)
      expect(codes.filter((code) => code === 0)).toHaveLength(1)
      expect((await spendingEffects(shop, member))['account']).toMatchObject({ balance: 1000 })
    }
    expect([await stockOf('gift'), await stockOf('coupon')]).toEqual(before)
  })

  test('of an undo and a redemption of a bought coupon, exactly one succeeds', async () => {
    for (let round = 0; round < 6; round++) {
      const of = await spentOnCoupons(await memberWith(shop, 1000))
      const { memberCode, code: couponCode } = of
      const app = round % 2 === 0 ? slow : shop.app
      const redeem = () =>
        call({ ...shop, app }, redeemCoupon, { memberCode, couponCode }, { token })
      const answers = await Promise.all([undo(of), redeem()])
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    }
  })

  test('while the member spends, each undo counts once, and its repeat is the same', async () => {
    const member = await memberWith(shop, 5000)
    const made: Spent[] = []
    for (let n = 0; n < 6; n++) made.push(await spent(member))
    const keys = made.map(() => randomUUID())
    const undoAll = () => Promise.all(made.map((of, n) => undo(of, { key: keys[n] ?? '' })))
    const spends = Promise.all(made.map(() => spent(member)))
    const answers = await undoAll()
    await spends
    expect(answers.map(({ code }) => code)).toEqual(made.map(() => 0))
    expect(await undoAll()).toEqual(answers)
    expect((await spendingEffects(shop, member))['account']).toMatchObject({ balance: 3200 })
  })
})

describe('what the functions do not handle', () => {
  const cases: [string, () => Promise<Spent>, number][] = [
    [
      'coupons of which one is used',
      async () => {
        const of = await spentOnCoupons(await memberWith(shop, 1000), 2)
        await ok(shop, redeemCoupon, { memberCode: of.memberCode, couponCode: of.code }, { token })
        return of
      },
      failures.notCancellable.code,
    ],
    [
      'a lot that has expired since',
      async () => {
        const of = await spent(await memberWith(shop, 1000))
        const text = `update point_lot set expires_on = $3 where company_id = $1 and member_id = $2`
        await run(text, shop.id, of.id, addDays(today, -1))
        return of
      },
      0,
    ],
    [
      'an entry that is unknown',
      async () => {
        const of = await spent(await memberWith(shop, 1000))
        return { ...of, entryId: randomUUID() }
      },
      failures.notCancellable.code,
    ],
    [
      'a spending that was undone before',
      async () => {
        const of = await spent(await memberWith(shop, 1000))
        await undo(of)
        counted.length = 0
        return of
      },
      failures.notCancellable.code,
    ],
  ]
  test.each(cases)('takes several round trips: %s', async (_name, prepare, code) => {
    const of = await prepare()
    const answer = await undo(of)
    expect(answer.code).toBe(code)
    expect(counted).toEqual([false])
  })
})
