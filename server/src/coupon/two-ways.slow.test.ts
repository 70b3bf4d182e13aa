import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import { redeemCoupon } from '@tillside/contract/coupon'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { password } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { atLevel } from '../testing/repetition.ts'
import { post, startServer } from '../testing/servers/process.ts'

// During an upgrade a process that redeems in one round trip shares the database with one that does
// not.

const rounds = atLevel({ short: 20, full: 300, long: 300 })
const used = 113002

const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }

let shop: Shop
let doors: { address: string; token: string }[]
let servers: ReturnType<typeof startServer>[]
beforeAll(async () => {
  shop = await testShop()
  servers = ['0', '1'].map((ONE_ROUND_TRIP) =>
    startServer({ DATABASE_URL: inject('ownerUrl'), ...quiet, ONE_ROUND_TRIP }),
  )
  doors = await Promise.all(
    servers.map(async ({ ready }) => {
      const address = await ready
      const input = { identifier: shop.identifier, account: 'amy', password }
      const { data } = await post(address, login, input)
      return { address, token: z.object({ token: z.string() }).parse(data).token }
    }),
  )
})
afterAll(async () => {
  for (const { process } of servers) process.kill()
  await Promise.all(servers.map(({ ended }) => ended))
  await shop.close()
})

/** The bytes of an answer of one of the two processes. */
async function redeem(n: number, key: string, input: object, language = 'en-US'): Promise<string> {
  const { address, token } = doors[n % 2] ?? { address: '', token: '' }
  const response = await fetch(address + basePath + redeemCoupon.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      'user-language': language,
    },
    body: JSON.stringify(input),
  })
  expect(response.status).toBe(200)
  return response.text()
}

const codeOf = (text: string): number => Envelope.parse(JSON.parse(text)).code
/** How often a process has answered in one round trip, by its metrics. */
async function answeredAtOnce(n: number): Promise<number> {
  const [, place = ''] = /^Metrics are at (\S+)$/m.exec(servers[n]?.output() ?? '') ?? []
  const text = await (await fetch(place)).text()
  const series = `{endpoint="${redeemCoupon.path}",answered="yes"}`
  const line = text.split('\n').find((one) => one.includes(series)) ?? '0'
  return Number(line.split(' ').at(-1))
}
const countEffects = statement(
  `select count(*)::int as redemptions, count(distinct coupon_code)::int as coupons,
     (select count(*)::int from audit where company_id = $1 and action = 'coupon.redeem') as audits
   from coupon_redemption where company_id = $1`,
  z.unknown(),
)

describe(`one process in one round trip, one in several, ${rounds} rounds`, () => {
  test('redeem a coupon once, and repeat each other’s answers byte for byte', async () => {
    const { id, memberCode } = await testMember(shop)
    for (let n = 0; n < rounds; n++) {
      const [input, key] = [
        { couponCode: await testCoupon(shop, { id }), memberCode },
        randomUUID(),
      ]
      const [first, second, ...others] = await Promise.all([
        redeem(n, key, input),
        redeem(n + 1, key, input),
        redeem(0, randomUUID(), input),
        redeem(1, randomUUID(), input),
      ])
      expect(second).toBe(first)
      const codes = [first, ...others].map(codeOf)
      expect(codes.toSorted((a, b) => a - b)).toEqual([0, used, used])
      const again = [redeem(0, key, input, 'zh-HK'), redeem(1, key, input, 'zh-HK')]
      expect(await Promise.all(again)).toEqual([first, first])
    }
    const { database } = shop
    const effects = await database.reading(shop.id, (tx) => tx.one(countEffects, [shop.id]))
    expect(effects).toEqual({ redemptions: rounds, coupons: rounds, audits: rounds })
    expect(await answeredAtOnce(0)).toBe(0)
    expect(await answeredAtOnce(1)).toBeGreaterThan(0)
  })
})
