import { randomUUID } from 'node:crypto'
import { logout } from '@tillside/contract/auth'
import { batchRedeemCoupons, couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import * as pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../database/database.ts'
import { contentsOf } from '../testing/contents.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { noAllowances } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'

// A redemption in one round trip has the effects of one in several.

let company: TestCompany
let owner: pg.Client
let token: string
let member: { id: string; memberCode: string }
const counted: [string, boolean][] = []

const base = { names: { 'en-US': 'Ten', 'zh-HK': '十' }, validity: { days: 30 } } as const
beforeAll(async () => {
  const coupons = [
    { ...base, id: 'TREAT', kind: 'gift', descriptions: { 'en-US': 'A bun', 'zh-HK': '包' } },
    { ...base, id: 'TEN', kind: 'amount', value: '10.00', unionCode: 'U-1' },
    { ...base, id: 'SHARE', kind: 'percent', value: '12.50' },
  ] as const
  const allowances = { ...noAllowances, couponsRedeemed: { warn: 90, refuse: 95 } }
  const database = openDatabase(inject('databaseUrl'))
  company = await testCompany({ coupons: [...coupons], allowances }, database, (path, isAnswered) =>
    counted.push([path, isAnswered]),
  )
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [company.id])
  member = await testMember(company)
})
afterAll(async () => {
  await owner.end()
  await company.close()
})
beforeEach(async () => {
  token = await logIn(company)
  // The holder of a session is known after its first change.
  await redeem(await testCoupon(company, member))
  counted.length = 0
})

const Group = z.object({ permissions: z.array(z.string()) })
type Options = { key?: string; language?: string }
const redeem = (couponCode: string, options: Options = {}, invoiceNumber = 'POS-1') => {
  const input = { couponCode, memberCode: member.memberCode, invoiceNumber }
  return call(company, redeemCoupon, input, { token, ...options })
}
const redeemTogether = (couponCodes: string[], options: Options = {}) =>
  call(
    company,
    batchRedeemCoupons,
    { couponCodes, memberCode: member.memberCode },
    {
      token,
      ...options,
    },
  )
const oneRoundTrip = ({ path }: Endpoint) => [[path, true]]
const several = ({ path }: Endpoint) => [[path, false]]

/** The rows of a redemption, without the values that differ between two of them. */
async function stored(code: string | undefined): Promise<unknown> {
  const { rows } = await owner.query(
    `select r.store_code, r.staff_id, r.invoice_number, r.cancelled_at, c.used, a.action,
       a.store_code as place, a.staff_id as clerk, a.member_id = c.member_id as same,
       a.details - 'couponCode' as details, a.request_id is null as nameless, a.author,
       o.endpoint, o.staff_id as holder,
       replace(o.answer::text, coupon_code, 'CODE')::jsonb #- '{data,redeemDate}' as answer
     from coupon c join coupon_redemption r using (company_id, coupon_code)
       join audit a on a.company_id = c.company_id and a.details ->> 'couponCode' = coupon_code
       join operation o on o.answer #>> '{data,code}' = coupon_code
     where coupon_code = $1`,
    [code],
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}

describe('a redemption in one round trip', () => {
  test.each(['TREAT', 'TEN', 'SHARE'])(
    'answers %s as the coupon is read afterwards',
    async (id) => {
      for (const language of ['en-US', 'zh-HK', 'zh-CN']) {
        const couponCode = await testCoupon(company, member, 0, id)
        const answer = await redeem(couponCode, { language })
        const { member: _, ...read } = await ok(
          company,
          couponCodeDetail,
          { couponCode },
          {
            token,
            language,
          },
        )
        expect(answer).toMatchObject({ status: 200, code: 0 })
        expect(JSON.stringify(answer.data)).toBe(JSON.stringify(read))
      }
      expect(counted).toEqual(Array.from({ length: 3 }, () => oneRoundTrip(redeemCoupon)).flat())
    },
  )

  test('leaves what one of several leaves: redemption, key and audit row', async () => {
    const codes = [await testCoupon(company, member), await testCoupon(company, member)]
    await redeem(codes[0] ?? '')
    const secondSession = await logIn(company)
    const input = { couponCode: codes[1], memberCode: member.memberCode, invoiceNumber: 'POS-1' }
    await call(company, redeemCoupon, input, { token: secondSession })
    expect(counted).toEqual([...oneRoundTrip(redeemCoupon), ...several(redeemCoupon)])
    expect(await stored(codes[0])).toEqual(await stored(codes[1]))
  })

  test('answers a repeat byte for byte, in the language of the first request', async () => {
    const [key, couponCode] = [randomUUID(), await testCoupon(company, member)]
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await company.app.inject({
        method: 'POST',
        url: basePath + redeemCoupon.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: { couponCode, memberCode: member.memberCode },
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"code":0')
    expect(new Set(texts).size).toBe(1)
    const other = await testCoupon(company, member)
    expect(await redeem(other, { key })).toMatchObject({ code: 116001 })
  })

  test('redeems several together, in their order', async () => {
    const codes = await Promise.all([1, 2, 3].map(() => testCoupon(company, member)))
    const answer = await redeemTogether(codes)
    const { coupons } = batchRedeemCoupons.data.parse(answer.data)
    expect(coupons.map(({ code }) => code)).toEqual(codes)
    expect(counted).toEqual(oneRoundTrip(batchRedeemCoupons))
  })
})

describe('what the function does not handle', () => {
  test('is refused the long way and changes nothing', async () => {
    const [good, late] = [await testCoupon(company, member), await testCoupon(company, member, 30)]
    const before = await contentsOf(company, ['operation'])
    expect(await redeem(late)).toMatchObject({ code: 113003 })
    expect(await redeemTogether([good, late])).toMatchObject({ code: 113010 })
    expect(await redeemTogether([good, good])).toMatchObject({ code: 113010 })
    expect(counted.map(([, isAnswered]) => isAnswered)).toEqual([false, false, false])
    expect(await contentsOf(company, ['operation'])).toEqual(before)
  })

  test('is sent as an event where a webhook subscribes', async () => {
    await owner.query(
      `insert into webhook (company_id, webhook_id, url, secret_variable, events)
       values ($1, 'crm', 'https://example.com/', 'SECRET', '{coupon.redeemed}')`,
      [company.id],
    )
    try {
      for (const couponCode of [
        await testCoupon(company, member),
        await testCoupon(company, member),
      ]) {
        expect(await redeem(couponCode)).toMatchObject({ code: 0 })
        const { rowCount } = await owner.query(
          `select from event where data ->> 'couponCode' = $1`,
          [couponCode],
        )
        expect(rowCount).toBe(1)
      }
      expect(counted.map(([, isAnswered]) => isAnswered)).toEqual([false, true])
    } finally {
      await owner.query('update webhook set stopped = true where company_id = $1', [company.id])
    }
  })

  test('that fails in the middle leaves nothing', async () => {
    await owner.query(`create function fail_now() returns trigger language plpgsql as $$
      begin raise exception 'no audit'; end $$;
      create trigger fail_now before insert on audit for each row
        when (new.action = 'coupon.redeem' and new.company_id = '${company.id}')
        execute function fail_now()`)
    try {
      const couponCode = await testCoupon(company, member)
      const before = await contentsOf(company)
      expect(await redeem(couponCode)).toMatchObject({ status: 500 })
      expect(await contentsOf(company)).toEqual(before)
    } finally {
      await owner.query('drop function fail_now cascade')
    }
  })

  test.each([
    [
      'a permission that was taken away',
      `update staff_group set version = version + 1,
         permissions = array_remove(permissions, 'couponRedeem') where group_code = 'full'`,
      10000,
    ],
    ['a closed store', `update store set active = false where store_code = 'S1'`, 401],
    ['a disabled account', `update staff set disabled_at = now() where account = 'amy'`, 401],
  ])('is %s: effective with the next request', async (_case, sql, code) => {
    const couponCode = await testCoupon(company, member)
    const { rows } = await owner.query(
      `select permissions from staff_group where company_id = $1 and group_code = 'full'`,
      [company.id],
    )
    const own = `company_id = '${company.id}'`
    expect((await owner.query(`${sql} and ${own}`)).rowCount).toBe(1)
    try {
      const before = await contentsOf(company)
      expect((await redeem(couponCode)).code).toBe(code)
      expect(await contentsOf(company)).toEqual(before)
    } finally {
      await owner.query(
        `update staff_group set permissions = $1 where ${own} and group_code = 'full'`,
        [Group.parse(rows[0]).permissions],
      )
      await owner.query(`update store set active = true where ${own} and store_code = 'S1'`)
      await owner.query(`update staff set disabled_at = null where ${own}`)
    }
  })

  test('is a session that was ended by its holder', async () => {
    const couponCode = await testCoupon(company, member)
    await ok(company, logout, {}, { token })
    expect((await redeem(couponCode)).code).toBe(401)
  })
})
