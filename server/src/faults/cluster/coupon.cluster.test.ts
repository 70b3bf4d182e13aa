import { redeemCoupon } from '@tillside/contract/coupon'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { logIn } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { testMember } from '../../testing/factories/member.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'
import { atLevel } from '../../testing/repetition.ts'
import { post } from '../../testing/servers/process.ts'
import { twoServers } from '../../testing/servers/two.ts'

const rounds = atLevel({ short: 5, full: 40, long: 200 }, 'CLUSTER_ROUNDS')
const callers = 100

let shop: Shop
let addresses: readonly string[]
beforeAll(async () => {
  shop = await testShop()
  addresses = await twoServers()
})
afterAll(() => shop.close())

const countRedemptions = statement(
  `select count(*)::int as n from coupon_redemption
   where company_id = $1 and member_id = $2 and coupon_code = $3`,
  z.object({ n: z.int() }),
)

test(
  `one coupon and ${callers} callers at two processes: once, in each of ${rounds} rounds`,
  async () => {
    const token = await logIn(shop)
    const { couponUsed } = failures
    const wanted = new Map([
      [0, 1],
      [couponUsed.code, callers - 1],
    ])
    let slowestMs = 0
    for (let round = 0; round < rounds; round++) {
      // Each member is at a place of her own.
      const { id, memberCode } = await testMember(shop)
      const couponCode = await testCoupon(shop, { id })
      const from = performance.now()
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, n) =>
          post(
            addresses[n % addresses.length] ?? '',
            redeemCoupon,
            { couponCode, memberCode },
            { authorization: `Bearer ${token}`, [idempotencyHeader]: randomUUID() },
          ),
        ),
      )
      slowestMs = Math.max(slowestMs, performance.now() - from)
      const codes = Map.groupBy(answers, ({ code }) => code)
      expect(new Map(Array.from(codes, ([code, same]) => [code, same.length]))).toEqual(wanted)
      const { n } = await shop.database.reading(shop.id, (tx) =>
        tx.one(countRedemptions, [shop.id, id, couponCode]),
      )
      expect(n).toBe(1)
    }
    console.info(`${rounds} rounds of ${callers}, the slowest ${Math.round(slowestMs)} ms`)
    expect(await shop.violations()).toEqual([])
  },
  rounds * 10_000 + 60_000,
)
