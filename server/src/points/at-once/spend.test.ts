import { randomUUID } from 'node:crypto'
import { listGifts, pointHistory, redeemPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import { basePath } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase, statement } from '../../database/database.ts'
import { contentsOf } from '../../testing/contents.ts'
import { call, logIn, ok } from '../../testing/factories/company.ts'
import { todayOf } from '../../testing/factories/coupon.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import { givePoints } from '../../testing/factories/points.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import {
  memberWith,
  money,
  mug,
  spendingEffects,
  testSpendingShop,
} from '../../testing/factories/spending.ts'

// A spending in one round trip has the effects and the answer of one in several.

let shop: Shop
let token: string
let today: string
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

beforeAll(async () => {
  const pointsSpent = { warn: 90_000, refuse: 95_000 }
  const allowances = { ...noAllowances, pointsSpent }
  shop = await testSpendingShop({ allowances }, openDatabase(inject('databaseUrl')), count)
  today = await todayOf(shop)
})
beforeEach(async () => {
  token = await logIn(shop)
  // The holder of a session is known after its first change, and the gifts after that of a gift.
  await buy(await memberWith(shop, 300))
  counted.length = 0
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(() => shop.close())

const Stored = z.object({ answer: z.object({ data: z.object({ balance: z.int() }) }) })
const setPrice = statement(
  `update gift set points = $2 where company_id = $1 and gift_id = 'MUG'`,
  z.unknown(),
)

type Member = { id: string; memberCode: string }
type Options = { token?: string; key?: string; language?: string }
const spend = (
  { memberCode }: Member,
  changes: Record<string, unknown> = {},
  options: Options = {},
) => call(shop, redeemPoints, money(memberCode, changes), { token, ...options })

const buy = (
  { memberCode }: Member,
  changes: Record<string, unknown> = {},
  options: Options = {},
) => call(shop, redeemPoints, mug(memberCode, changes), { token, ...options })
type Answer = Awaited<ReturnType<typeof spend>>

const effectsOn = (member: Member) => spendingEffects(shop, member)

/** Members with the same points: one pays in one round trip, one in several. */
async function twins(lots: readonly [points: number, days: number | null][]): Promise<Member[]> {
  const members = [await memberWith(shop, 0), await memberWith(shop, 0)]
  for (const member of members) {
    for (const [points, days] of lots) {
      await givePoints(shop, member, points, days === null ? null : addDays(today, days))
    }
  }
  return members
}

describe('a spending in one round trip', () => {
  test.each<[string, [number, number | null][]]>([
    ['one lot', [[1000, null]]],
    ['exactly one lot', [[300, 10]]],
    [
      'several lots, the first to expire first',
      [
        [250, 20],
        [100, 0],
        [500, null],
      ],
    ],
    [
      'lots that have expired and are not written off',
      [
        [400, -1],
        [300, 5],
        [50, null],
      ],
    ],
  ])('leaves what one of several leaves: %s', async (_case, lots) => {
    const [quick, slow] = await twins(lots)
    if (quick === undefined || slow === undefined) throw new Error('no twins')
    const answers = [await spend(quick), await spend(slow, {}, { token: await logIn(shop) })]
    expect(counted).toEqual([true, false])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    const [one, several] = [await effectsOn(quick), await effectsOn(slow)]
    expect(one).toEqual(several)
    expect(one).toMatchObject({ key: [{}], audit: [{ points: -300 }] })
  })

  test('answers the entry as the history lists it, in each language', async () => {
    const member = await memberWith(shop, 5000)
    for (const language of ['en-US', 'zh-HK', 'zh-CN', 'zh-TW']) {
      const input = { expectedBalance: 5000 - 300 * counted.length }
      const { data } = await spend(member, input, { language })
      const { memberCode } = member
      const { items } = await ok(shop, pointHistory, { memberCode }, { token, language })
      expect(redeemPoints.data.parse(data)).toMatchObject({ entry: items[0], amount: '3.00' })
    }
    expect(counted).toEqual([true, true, true, true])
  })

  test('answers a repeat byte for byte, in the language of the first request', async () => {
    const [key, { memberCode }] = [randomUUID(), await memberWith(shop, 1000)]
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await shop.app.inject({
        method: 'POST',
        url: basePath + redeemPoints.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: money(memberCode),
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"balance":700')
    expect(new Set(texts).size).toBe(1)
    expect(counted).toEqual([true, false, false])
  })

  test('of many at once, as many succeed as there are points', async () => {
    const member = await memberWith(shop, 1500)
    const answers = await Promise.all(Array.from({ length: 12 }, () => spend(member)))
    const balances = answers.flatMap(({ code, data }) =>
      code === 0 ? [redeemPoints.data.parse(data).balance] : [],
    )
    expect(balances.toSorted((a, b) => Number(b) - Number(a))).toEqual([1200, 900, 600, 300, 0])
    expect(counted.filter(Boolean)).toHaveLength(5)
    const { key } = await effectsOn(member)
    const stored = z
      .array(Stored)
      .parse(key)
      .map(({ answer }) => answer.data.balance)
    expect(stored.toSorted((a, b) => b - a)).toEqual([1200, 900, 600, 300, 0])
  })
})

describe('what the functions do not handle', () => {
  test.each([
    ['one point too few', { points: 1000 }, 999],
    ['another balance than the clerk saw', { expectedBalance: 998 }, 999],
  ])('is refused the long way and changes nothing: %s', async (_case, changes, balance) => {
    const member = await memberWith(shop, balance)
    const before = await contentsOf(shop, ['operation'])
    expect((await spend(member, changes)).code).not.toBe(0)
    expect(counted).toEqual([false])
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test.each([
    ['a gift that is out of stock', { giftId: 'GONE' }, failures.giftOutOfStock.code],
    ['more than the member may have', { giftId: 'PRESS', quantity: 3 }, failures.giftLimit.code],
    ['an unknown gift', { giftId: 'NONE' }, failures.giftUnknown.code],
  ])('is refused the long way: %s', async (_case, changes, code) => {
    const member = await memberWith(shop, 10_000)
    const before = await contentsOf(shop, ['operation'])
    expect(await buy(member, changes)).toMatchObject({ code })
    expect(counted).toEqual([false])
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test('takes several round trips: a gift whose price has changed since', async () => {
    const member = await memberWith(shop, 1000)
    await shop.database.transaction(shop.id, (tx) => tx.run(setPrice, [shop.id, 60]))
    const answer = await buy(member)
    await shop.database.transaction(shop.id, (tx) => tx.run(setPrice, [shop.id, 50]))
    expect(answer).toMatchObject({ code: 0, data: { balance: 940 } })
    expect(counted).toEqual([false])
  })

  test('takes several round trips: a sale for which points have paid', async () => {
    const [member, other] = [await memberWith(shop, 1000), await memberWith(shop, 1000)]
    const sale = { invoiceNumber: `PAID ${member.id}` }
    for (const one of [member, other]) expect(await spend(one, sale)).toMatchObject({ code: 0 })
    expect(counted).toEqual([true, false])
  })
})

describe('a gift, and a sale that the counter names, in one round trip', () => {
  type Act = (member: Member, n: number, options: Options) => Promise<Answer>
  const acts: [string, Act][] = [
    ['a gift', (member, _, options) => buy(member, {}, options)],
    ['three gifts', (member, _, options) => buy(member, { quantity: 3 }, options)],
    ['a limited gift', (member, _, options) => buy(member, { giftId: 'PRESS' }, options)],
    ['a sale', (member, n, options) => spend(member, { invoiceNumber: `A ${n} %` }, options)],
    ['an open sale', (member, n, options) => spend(member, { openSale: `O ${n}` }, options)],
    [
      'a sale with both names',
      (member, n, options) =>
        spend(member, { invoiceNumber: `B ${n}`, openSale: `B ${n}` }, options),
    ],
  ]
  test.each(acts)('leaves what one of several leaves: %s', async (_case, act) => {
    const lots: [number, number | null][] = [
      [130, 20],
      [900, null],
    ]
    const [quick, slow] = await twins(lots)
    if (quick === undefined || slow === undefined) throw new Error('no twins')
    const [one, several] = [
      await act(quick, 1, {}),
      await act(slow, 2, { token: await logIn(shop) }),
    ]
    expect(counted).toEqual([true, false])
    expect([one.code, several.code]).toEqual([0, 0])
    expect(withoutNames(await effectsOn(quick))).toEqual(withoutNames(await effectsOn(slow)))
    const { memberCode } = quick
    const { items } = await ok(shop, pointHistory, { memberCode }, { token })
    expect(redeemPoints.data.parse(one.data)).toMatchObject({ entry: items[0] })
  })

  test('a gift has its name in each language', async () => {
    const member = await memberWith(shop, 5000)
    for (const language of ['en-US', 'zh-HK', 'zh-CN', 'zh-TW']) {
      const { data } = await buy(member, { quantity: 2 }, { language })
      const { memberCode } = member
      const { items } = await ok(shop, pointHistory, { memberCode }, { token, language })
      expect(redeemPoints.data.parse(data)).toMatchObject({ entry: items[0] })
    }
    expect(counted).toEqual([true, true, true, true])
  })

  test('of many at once, as many succeed as the stock has', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => memberWith(shop, 400)))
    const { remaining } = await press(members[0])
    const tokens = [token, await logIn(shop)]
    // The login changed what was known of the first session.
    for (const known of tokens) await buy(await memberWith(shop, 300), {}, { token: known })
    counted.length = 0
    const answers = await Promise.all(
      members.map((member, n) => buy(member, { giftId: 'PRESS' }, { token: tokens[n % 2] ?? '' })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(remaining ?? -1)
    expect(await press(members[0])).toMatchObject({ remaining: 0 })
    expect(counted).toContain(true)
  })
})

async function press(member: Member | undefined) {
  const of = { memberCode: member?.memberCode ?? '' }
  const { items } = await ok(shop, listGifts, of, { token })
  const found = items.find(({ giftId }) => giftId === 'PRESS')
  if (found === undefined) throw new Error('no such gift')
  return found
}

/** Invoice numbers differ between two members, because each sale is paid once. */
function withoutNames(effects: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(effects).replaceAll(/"(A|B|O) [12]( %)?"/g, '"a sale"'))
}
