import { randomUUID } from 'node:crypto'
import { getCustomerCoupons, issueCouponByPoints } from '@tillside/contract/coupon'
import { addDays } from '@tillside/contract/rules/day'
import { basePath } from '@tillside/contract/wire/endpoint'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase, statement } from '../../database/database.ts'
import { contentsOf } from '../../testing/contents.ts'
import { call, logIn, ok } from '../../testing/factories/company.ts'
import { todayOf } from '../../testing/factories/coupon.ts'
import { testMember } from '../../testing/factories/member.ts'
import { givePoints } from '../../testing/factories/points.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'

// Coupons for points in one round trip have the effects and the answer of those in several.

let shop: Shop
let token: string
let today: string
const counted: boolean[] = []
const count = (_path: string, isAnswered: boolean) => counted.push(isAnswered)

const base = {
  names: { 'en-US': '50% latte', 'zh-HK': '鮮奶咖啡' },
  kind: 'gift',
  validity: { days: 9 },
} as const
beforeAll(async () => {
  const coupons = [
    { ...base, id: 'LATTE', pointsCost: 100 },
    { ...base, id: 'FEW', pointsCost: 10, stock: 5 },
    { ...base, id: 'DEAR', pointsCost: 100 },
  ]
  shop = await testShop({ coupons }, openDatabase(inject('databaseUrl')), count)
  today = await todayOf(shop)
})
beforeEach(async () => {
  token = await logIn(shop)
  // The holder of a session and a definition are known after the first change.
  const first = await memberWith([[1000, null]])
  for (const couponId of ['LATTE', 'DEAR']) await issue(first, { couponId })
  counted.length = 0
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(() => shop.close())

type Member = { id: string; memberCode: string }
type Options = { token?: string; key?: string; language?: string }
const issue = ({ memberCode }: Member, changes: object = {}, options: Options = {}) => {
  const input = { memberCode, couponId: 'LATTE', quantity: 2, ...changes }
  return call(shop, issueCouponByPoints, input, { token, ...options })
}

async function memberWith(lots: readonly [points: number, days: number | null][]): Promise<Member> {
  const member = await testMember(shop)
  for (const [points, days] of lots) {
    await givePoints(shop, member, points, days === null ? null : addDays(today, days))
  }
  return member
}

const readEffects = statement(
  `select jsonb_build_object(
     'account', (select to_jsonb(a) - 'member_id' from point_account a
       where company_id = $1 and member_id = $2),
     'entries', (select jsonb_agg(to_jsonb(e) - '{member_id,entry_id,created_at}'::text[]
       order by seq) from point_entry e where company_id = $1 and member_id = $2),
     'lots', (select jsonb_agg(jsonb_build_array(expires_on, points, remaining)
       order by expires_on, points) from point_lot where company_id = $1 and member_id = $2),
     'coupons', (select jsonb_agg(
         to_jsonb(c) - '{member_id,coupon_code,entry_id,issued_at}'::text[]
           || jsonb_build_object('paid', e.points))
       from coupon c join point_entry e using (company_id, member_id, entry_id)
       where company_id = $1 and member_id = $2),
     'audit', (select jsonb_agg(
         (to_jsonb(a) - '{audit_id,id,at,place,member_id,request_id,details}'::text[])
           || (details - 'entryId'))
       from audit a where company_id = $1 and member_id = $2 and action = 'coupon.issueByPoints'),
     'key', (select jsonb_agg(
         (to_jsonb(o) - '{key,body_hash,created_at,claimed_at}'::text[]) #- '{answer,data,coupons}')
       from operation o join coupon c on c.coupon_code = o.answer #>> '{data,coupons,0,code}'
       where c.company_id = $1 and c.member_id = $2)
   ) as effects`,
  z.object({ effects: z.record(z.string(), z.unknown()) }),
)
const effectsOn = async ({ id }: Member) =>
  (await shop.database.transaction(shop.id, (tx) => tx.one(readEffects, [shop.id, id]))).effects

describe('coupons for points in one round trip', () => {
  test.each<[string, [number, number | null][]]>([
    ['one lot', [[1000, null]]],
    [
      'exactly two lots',
      [
        [150, 3],
        [50, 1],
      ],
    ],
  ])('leave what those in several leave: %s', async (_case, lots) => {
    const [quick, slow] = [await memberWith(lots), await memberWith(lots)]
    const answers = [await issue(quick), await issue(slow, {}, { token: await logIn(shop) })]
    expect(counted).toEqual([true, false])
    expect(answers.map(({ code }) => code)).toEqual([0, 0])
    const [one, several] = [await effectsOn(quick), await effectsOn(slow)]
    expect(one).toEqual(several)
    expect(one).toMatchObject({ key: [{}], audit: [{ points: -200 }], coupons: [{}, {}] })
  })

  test('are answered as the list shows them, in each language', async () => {
    for (const language of ['en-US', 'zh-HK', 'zh-CN', 'zh-TW']) {
      const member = await memberWith([[1000, null]])
      const { data } = await issue(member, { quantity: 1, expectedBalance: 1000 }, { language })
      const { memberCode } = member
      const { items } = await ok(shop, getCustomerCoupons, { memberCode }, { token, language })
      const given = { coupons: items, pointsSpent: 100, balance: 900 }
      expect(issueCouponByPoints.data.parse(data)).toEqual(given)
    }
    expect(counted).toEqual([true, true, true, true])
  })

  test('are repeated byte for byte, in the language of the first request', async () => {
    const [key, { memberCode }] = [randomUUID(), await memberWith([[1000, null]])]
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await shop.app.inject({
        method: 'POST',
        url: basePath + issueCouponByPoints.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: { memberCode, couponId: 'LATTE', quantity: 1 },
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"balance":900')
    expect(new Set(texts).size).toBe(1)
    expect(counted).toEqual([true, false, false])
  })

  test('are as many as the points pay for, of many at once', async () => {
    const member = await memberWith([[450, null]])
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => issue(member, { quantity: 1 })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(4)
    expect(counted.filter(Boolean)).toHaveLength(4)
    expect((await effectsOn(member))['key']).toHaveLength(4)
  })

  test('are as many as the stock has, for many members at once', async () => {
    const members = await Promise.all(Array.from({ length: 9 }, () => memberWith([[100, null]])))
    const answers = await Promise.all(
      members.map((member) => issue(member, { couponId: 'FEW', quantity: 1 })),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(5)
  })
})

describe('what the function does not handle', () => {
  test.each([
    ['one point too few', {}, 199],
    ['another balance than the clerk saw', { expectedBalance: 1 }, 1000],
    ['no such coupon', { couponId: 'NONE' }, 1000],
  ])('is refused the long way and changes nothing: %s', async (_case, changes, points) => {
    const member = await memberWith([[points, null]])
    const before = await contentsOf(shop, ['operation'])
    expect((await issue(member, changes)).code).not.toBe(0)
    expect(counted).toEqual([false])
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test('is a price that has changed since the process read it', async () => {
    await shop.database.transaction(shop.id, (tx) =>
      tx.run(
        statement(
          `update coupon_definition set points_cost = 150
         where company_id = $1 and coupon_id = 'DEAR'`,
          z.unknown(),
        ),
        [shop.id],
      ),
    )
    const member = await memberWith([[1000, null]])
    const answer = await issue(member, { couponId: 'DEAR', quantity: 1 })
    expect(answer).toMatchObject({ code: 0, data: { pointsSpent: 150, balance: 850 } })
    expect(counted).toEqual([false])
  })
})
