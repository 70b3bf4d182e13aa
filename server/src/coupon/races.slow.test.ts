import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import {
  batchRedeemCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { password } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { atLevel } from '../testing/repetition.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

// Two processes on one database, and many requests for the same thing at once.
const rounds = Array.from(
  { length: atLevel({ short: 1, full: 20, long: 20 }) },
  (_, round) => round,
)
const base = { names: { 'en-US': 'x', 'zh-HK': 'x' }, kind: 'gift', validity: { days: 9 } } as const

let shop: Shop
let doors: { address: string; token: string }[]
let atOnce: Awaited<ReturnType<typeof watchAtOnce>>

beforeAll(async () => {
  shop = await testShop({
    coupons: [
      { ...base, id: 'TREAT' },
      { ...base, id: 'COSTS', pointsCost: 10 },
      ...rounds.map((round) => ({ ...base, id: `LAST${round}`, stock: 3 })),
      { ...base, id: 'TWICE', perMemberLimit: 2 },
    ],
  })
  const addresses = await twoServers()
  doors = await Promise.all(
    addresses.map(async (address) => {
      const input = { identifier: shop.identifier, account: 'amy', password }
      const { data } = await post(address, login, input)
      return { address, token: z.object({ token: z.string() }).parse(data).token }
    }),
  )
  await prepare('TREAT')
  atOnce = await watchAtOnce()
})
afterAll(async () => {
  await shop.close()
})

/** Lets each process issue one coupon: it then knows the definition, and the session. */
async function prepare(couponId: string, endpoint: Endpoint = issueCoupon): Promise<void> {
  const member = await testMember(shop)
  await givePoints(shop, member, 100)
  for (const n of [0, 1]) {
    const input = { memberCode: member.memberCode, couponId, quantity: 1 }
    expect(await ask(n, endpoint, input)).toMatchObject({ code: 0 })
  }
}

async function ask(n: number, endpoint: Endpoint, input: object) {
  const { address, token } = doors[n % 2] ?? { address: '', token: '' }
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  return post(address, endpoint, input, headers)
}
/** How many answers there were of each code. */
async function tally(asked: Promise<{ status: number; code: number }>[]) {
  const answers = await Promise.all(asked)
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const counts: Record<number, number> = {}
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
const many = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))
const countOf = (sql: string, values: readonly unknown[]) =>
  shop.database.transaction(shop.id, async (tx) =>
    tx.one(statement(`select (${sql})::int as n`, z.object({ n: z.int() })), [shop.id, ...values]),
  )
describe(`on two processes, ${rounds.length} rounds each`, () => {
  test('of a hundred redemptions of one coupon, one succeeds', async () => {
    const { id, memberCode } = await testMember(shop)
    for (const _ of rounds) {
      const couponCode = await testCoupon(shop, { id })
      const input = { couponCode, memberCode }
      const counts = await tally(many(100, (n) => ask(n, redeemCoupon, input)))
      expect(counts).toEqual({ 0: 1, 113002: 99 })
    }
  })

  test('single and batch redemptions of overlapping sets: each coupon once', async () => {
    const { id, memberCode } = await testMember(shop)
    for (const round of rounds) {
      const codes = await Promise.all(many(8, () => testCoupon(shop, { id })))
      const own = await Promise.all(many(8, () => testCoupon(shop, { id })))
      // Neighbours in a ring of eight, each batch in another order; and every coupon on its own.
      const batches = many(8, (n) => {
        const picked = many(4, (k) => codes[(n + k) % 8] ?? '')
        const couponCodes = (n + round) % 2 === 0 ? picked : picked.toReversed()
        return ask(n, batchRedeemCoupons, { couponCodes, memberCode })
      })
      const singles = codes.map((couponCode, n) => ask(n, redeemCoupon, { couponCode, memberCode }))
      // No other request wants these coupons, so that a batch of each process succeeds.
      const uncontested = many(2, (n) =>
        ask(n, batchRedeemCoupons, { couponCodes: own.slice(4 * n, 4 * n + 4), memberCode }),
      )
      const tallies = [tally(batches), tally(singles), tally(uncontested)] as const
      const [together, alone, sure] = await Promise.all(tallies)
      expect(sure).toEqual({ 0: 2 })
      const redeemed = 4 * (together[0] ?? 0) + (alone[0] ?? 0)
      expect((together[0] ?? 0) + (together[113010] ?? 0)).toBe(8)
      expect((alone[0] ?? 0) + (alone[113002] ?? 0)).toBe(8)
      const used =
        'select count(*) from coupon where company_id = $1 and coupon_code = any ($2) and used'
      expect(await countOf(used, [codes])).toEqual({ n: redeemed })
    }
  })

  test('the last piece goes to one of fifty members', async () => {
    const members = await Promise.all(many(50, () => testMember(shop)))
    for (const round of rounds) {
      const couponId = `LAST${round}`
      await prepare(couponId)
      const input = { couponId, quantity: 1 }
      const counts = await tally(
        members.map(({ memberCode }, n) => ask(n, issueCoupon, { ...input, memberCode })),
      )
      expect(counts).toEqual({ 0: 1, 113007: 49 })
      const there = 'select count(*) from coupon where company_id = $1 and coupon_id = $2'
      expect(await countOf(there, [couponId])).toEqual({ n: 3 })
    }
  })

  test('fifty issues to a member who may have two: two', async () => {
    await prepare('TWICE')
    for (const _ of rounds) {
      const { id, memberCode } = await testMember(shop)
      const input = { memberCode, couponId: 'TWICE', quantity: 1 }
      const counts = await tally(many(50, (n) => ask(n, issueCoupon, input)))
      expect(counts).toEqual({ 0: 2, 113008: 48 })
      const own = 'select count(*) from coupon where company_id = $1 and member_id = $2'
      expect(await countOf(own, [id])).toEqual({ n: 2 })
    }
  })

  test('fifty purchases from a balance that pays for three: three', async () => {
    await prepare('COSTS', issueCouponByPoints)
    for (const _ of rounds) {
      const member = await testMember(shop)
      await givePoints(shop, member, 39)
      const input = { memberCode: member.memberCode, couponId: 'COSTS', quantity: 1 }
      const counts = await tally(many(50, (n) => ask(n, issueCouponByPoints, input)))
      expect(counts).toEqual({ 0: 3, 114005: 47 })
      expect(await shop.entries(member.id)).toEqual([
        [2, 39],
        [5, -10],
        [5, -10],
        [5, -10],
      ])
    }
  })
})

// Last, because these check the state after all the others.
test('every invariant holds', async () => {
  expect(await shop.violations()).toEqual([])
})

test('each call was answered in one round trip too', async () => {
  const calls = [redeemCoupon, batchRedeemCoupons, issueCoupon, issueCouponByPoints]
  const { answered, wanted } = await atOnce(calls)
  expect(answered).toEqual(wanted)
})
