import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, password } from '../testing/factories/company.ts'
import { givePoints } from '../testing/factories/points.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'
import type { Shop } from '../testing/factories/shop.ts'
import {
  memberWith,
  money,
  mug,
  pointRules,
  testSpendingShop,
} from '../testing/factories/spending.ts'

// Two server processes on one database. Concurrent requests are sent to both.
let shop: Shop
let token: string
let clients: { address: string; token: string }[]
let atOnce: Awaited<ReturnType<typeof watchAtOnce>>

const texts = (en: string) => ({ 'en-US': en, 'zh-HK': en })
beforeAll(async () => {
  const tens = { minimum: 10, maximum: 100, increment: 10, pointValue: '0.1', maxShare: null }
  shop = await testSpendingShop({
    points: { ...pointRules, exchange: tens },
    gifts: [
      { id: 'MUG', names: texts('Mug'), points: 50 },
      { id: 'LAST', names: texts('Last'), points: 10, stock: 3 },
      { id: 'TWICE', names: texts('Twice'), points: 10, perMemberLimit: 2 },
    ],
  })
  token = await logIn(shop)
  const addresses = await twoServers()
  clients = await Promise.all(
    addresses.map(async (address) => {
      const input = { identifier: shop.identifier, account: 'amy', password }
      const { data } = await post(address, login, input)
      return { address, token: z.object({ token: z.string() }).parse(data).token }
    }),
  )
  // Both processes know the session after a call.
  const { memberCode } = await memberWith(shop, 40)
  for (const n of [0, 1, 0, 1]) expect((await ask(n, redeemPoints, ten(memberCode))).code).toBe(0)
  atOnce = await watchAtOnce()
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(async () => {
  await shop.close()
})

function ask(n: number, endpoint: Endpoint, input: object, key: string = randomUUID()) {
  const { address, token: bearer } = clients[n % 2] ?? { address: '', token: '' }
  const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': key }
  return post(address, endpoint, input, headers)
}
/** Counts the responses by code. */
async function codesOf(asked: Promise<{ code: number }>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { code } of await Promise.all(asked)) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
const times = <T>(count: number, one: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => one(n))
const ten = (memberCode: string) => money(memberCode, { points: 10 })

const readGift = statement(
  `select issued from stock where company_id = $1 and kind = 'gift' and item_id = $2`,
  z.object({ issued: z.int() }),
)
const issued = async (giftId: string) =>
  (await shop.database.transaction(shop.id, (tx) => tx.one(readGift, [shop.id, giftId]))).issued

describe('concurrent requests', () => {
  test('thirty spend 10 of 100 points each: exactly ten succeed', async () => {
    const member = await memberWith(shop, 100)
    const codes = await codesOf(times(30, (n) => ask(n, redeemPoints, ten(member.memberCode))))
    expect(codes).toEqual({ 0: 10, 114005: 20 })
    expect(await shop.entries(member.id)).toEqual([[2, 100], ...times(10, () => [15, -10])])
  })

  test('twenty send the same request: it runs once, and all get the same response', async () => {
    const member = await memberWith(shop, 100)
    const key = randomUUID()
    const input = ten(member.memberCode)
    const answers = await Promise.all(times(20, (n) => ask(n, redeemPoints, input, key)))
    expect(answers[0]?.code).toBe(0)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await shop.entries(member.id)).toEqual([
      [2, 100],
      [15, -10],
    ])
  })

  test('twelve members redeem the last three pieces of a gift: three succeed', async () => {
    const members = await Promise.all(times(12, () => memberWith(shop, 100)))
    const wants = members.map(({ memberCode }, n) =>
      ask(n, redeemPoints, mug(memberCode, { giftId: 'LAST' })),
    )
    expect(await codesOf(wants)).toEqual({ 0: 3, 114008: 9 })
    expect(await issued('LAST')).toBe(3)
  })

  test('one member redeems a gift with a limit of two twenty times: two succeed', async () => {
    const { memberCode } = await memberWith(shop, 1000)
    const wants = times(20, (n) => ask(n, redeemPoints, mug(memberCode, { giftId: 'TWICE' })))
    expect(await codesOf(wants)).toEqual({ 0: 2, 114009: 18 })
  })

  test('twenty cancel the same spending: it is cancelled once', async () => {
    const member = await memberWith(shop, 100)
    const spent = await ask(0, redeemPoints, mug(member.memberCode))
    const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(spent.data)
    const before = await issued('MUG')
    const input = { memberCode: member.memberCode, entryId: entry.id, reason: 'wrong gift' }
    expect(await codesOf(times(20, (n) => ask(n, cancelPoints, input)))).toEqual({
      0: 1,
      114011: 19,
    })
    expect(await issued('MUG')).toBe(before - 1)
    expect(await shop.entries(member.id)).toEqual([
      [2, 100],
      [4, -50],
      [10, 50],
    ])
  })

  test('thirty spend points and cancel the spending: no points are lost', async () => {
    const member = await memberWith(shop, 100)
    const { memberCode } = member
    const answers = await Promise.all(
      times(30, async (n) => {
        const spent = await ask(n, redeemPoints, ten(memberCode))
        if (spent.code !== 0) return spent.code
        const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(spent.data)
        const input = { memberCode, entryId: entry.id, reason: 'never mind' }
        return (await ask(n + 1, cancelPoints, input)).code
      }),
    )
    expect(answers.filter((code) => code !== 0 && code !== 114005)).toEqual([])
    expect((await shop.totals(member.id)).balance).toBe(100)
  })
})

const redeem = (memberCode: string, points: number, key: string = randomUUID()) =>
  call(shop, redeemPoints, money(memberCode, { points }), { token, key })

test('of these, some were answered in one round trip', async () => {
  const { answered, wanted } = await atOnce([redeemPoints, cancelPoints])
  expect(answered).toEqual(wanted)
})

describe('a repeated idempotency key', () => {
  test('spends once and gets the same response', async () => {
    const member = await memberWith(shop, 100)
    const key = randomUUID()
    const first = await redeem(member.memberCode, 30, key)
    expect(first).toMatchObject({ code: 0, data: { balance: 70 } })
    for (let n = 0; n < 3; n++) expect(await redeem(member.memberCode, 30, key)).toEqual(first)
    expect((await redeem(member.memberCode, 40, key)).code).toBe(116001)
    expect(await shop.entries(member.id)).toEqual([
      [2, 100],
      [15, -30],
    ])
  })

  test('gets the same refusal, even if the request would now succeed', async () => {
    const member = await memberWith(shop, 10)
    const key = randomUUID()
    const first = await redeem(member.memberCode, 30, key)
    expect(first.code).toBe(114005)
    await givePoints(shop, member, 1000)
    expect(await redeem(member.memberCode, 30, key)).toEqual(first)
    expect((await redeem(member.memberCode, 30)).code).toBe(0)
  })
})
