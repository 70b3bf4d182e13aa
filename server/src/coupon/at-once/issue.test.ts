import { randomUUID } from 'node:crypto'
import { couponCodeDetail, issueCoupon } from '@tillside/contract/coupon'
import { basePath } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type * as z from 'zod/mini'
import type { Definition } from '../../company/definition.ts'
import { openDatabase } from '../../database/database.ts'
import { contentsOf } from '../../testing/contents.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import { testMember } from '../../testing/factories/member.ts'

// Coupons issued in one round trip have the same answers and rows as coupons issued in several.

let company: TestCompany
let owner: pg.Client
let token: string
let member: { id: string; memberCode: string }
const counted: boolean[] = []

const base = {
  names: { 'en-US': 'Ten % off', 'zh-HK': '十' },
  descriptions: { 'en-US': 'A "bun"', 'zh-HK': '包' },
  validity: { days: 30 },
} as const
beforeAll(async () => {
  const coupons: z.input<typeof Definition>['coupons'] = [
    { ...base, id: 'TREAT', kind: 'gift' },
    { ...base, id: 'TEN', kind: 'amount', value: '10.00', unionCode: 'U-1', redeemStores: ['S2'] },
    { ...base, id: 'SHARE', kind: 'percent', value: '12.50', validity: { days: 9, after: 1 } },
    { ...base, id: 'TWO', kind: 'gift', perMemberLimit: 2 },
    { ...base, id: 'FEW', kind: 'gift', stock: 3 },
    { ...base, id: 'MANY', kind: 'gift', stock: 1000 },
  ]
  const allowances = { ...noAllowances, couponsIssued: { warn: 90, refuse: 95 } }
  const database = openDatabase(inject('databaseUrl'))
  company = await testCompany({ coupons, allowances }, database, (_, isAnswered) =>
    counted.push(isAnswered),
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
  await owner.query('delete from given_today where company_id = $1', [company.id])
  token = await logIn(company)
  // The process knows the session's holder and the definition after the first change.
  for (const couponId of ['TREAT', 'TEN', 'SHARE']) await issue({ couponId })
  counted.length = 0
})

type Order = { couponId?: string; quantity?: number; memberCode?: string }
type Options = { key?: string; language?: string; token?: string }
const issue = (order: Order = {}, options: Options = {}) => {
  const input = { couponId: 'TREAT', quantity: 1, memberCode: member.memberCode, ...order }
  return call(company, issueCoupon, input, { token, ...options })
}
const codesOf = (data: unknown) => issueCoupon.data.parse(data).coupons.map(({ code }) => code)

/** The rows of an issue, without the values that differ between two of them. */
async function stored(code: string | undefined): Promise<unknown> {
  const { rows } = await owner.query(
    `select c.member_id, c.coupon_id, c.issue_date, c.start_date, c.expiry_date, c.used,
       abs(extract(epoch from c.issued_at - o.created_at)) < 0.001 as now, c.issued_by,
       c.issued_store, c.entry_id, c.points_paid,
       a.action, a.store_code as place, a.staff_id as clerk, a.member_id = c.member_id as same,
       a.details, a.request_id is null as nameless, o.endpoint, o.staff_id as holder,
       replace(o.answer::text, coupon_code, 'CODE')::jsonb as answer
     from coupon c join operation o on o.answer #>> '{data,coupons,0,code}' = coupon_code
       join audit a on a.company_id = c.company_id and a.at = o.created_at
     where coupon_code = $1`,
    [code],
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}

describe('an issue in one round trip', () => {
  test.each(['TREAT', 'TEN', 'SHARE'])('answers %s as it is read afterwards', async (couponId) => {
    for (const language of ['en-US', 'zh-HK', 'zh-CN']) {
      const { data } = await issue({ couponId, quantity: 2 }, { language })
      const { coupons } = issueCoupon.data.parse(data)
      expect(coupons).toHaveLength(2)
      for (const coupon of coupons) {
        const input = { couponCode: coupon.code }
        const { member: _, ...read } = await ok(company, couponCodeDetail, input, {
          token,
          language,
        })
        expect(JSON.stringify(coupon)).toBe(JSON.stringify(read))
      }
    }
    expect(counted).toEqual([true, true, true])
  })

  test('leaves the same rows as one of several: coupon, key and audit row', async () => {
    const [first] = codesOf((await issue()).data)
    const secondSession = await logIn(company)
    const [second] = codesOf((await issue({}, { token: secondSession })).data)
    expect(counted).toEqual([true, false])
    expect(await stored(first)).toEqual(await stored(second))
  })

  test('answers a repeat byte for byte, in the language of the first request', async () => {
    const key = randomUUID()
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await company.app.inject({
        method: 'POST',
        url: basePath + issueCoupon.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: { couponId: 'TREAT', quantity: 2, memberCode: member.memberCode },
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"code":0')
    expect(new Set(texts).size).toBe(1)
    expect(counted).toEqual([true, false, false])
    expect(await issue({ quantity: 3 }, { key })).toMatchObject({ code: 116001 })
  })

  test('counts stock, limit and allowance as the long way does', async () => {
    const other = await testMember(company)
    const two = { couponId: 'TWO', memberCode: other.memberCode }
    const answers = [await issue(two), await issue(two), await issue(two)]
    expect(answers.map(({ code }) => code)).toEqual([0, 0, failures.couponLimit.code])
    const few = { couponId: 'FEW' }
    const left = [await issue(few), await issue({ ...few, quantity: 2 }), await issue(few)]
    expect(left.map(({ code }) => code)).toEqual([0, 0, failures.couponOutOfStock.code])
    expect(counted).toEqual([false, true, false, false, true, false])
    const { rows } = await owner.query(
      `select item_id, issued from stock where item_id in ('FEW', 'TWO') and company_id = $1
       order by item_id`,
      [company.id],
    )
    expect(rows).toEqual([
      { item_id: 'FEW', issued: 3 },
      { item_id: 'TWO', issued: 2 },
    ])
  })

  test('of many at the same moment exceeds no stock', async () => {
    await issue({ couponId: 'MANY' })
    await owner.query(
      `update coupon_definition d set stock = s.issued + 4 from stock s
       where coupon_id = 'MANY' and d.company_id = $1 and s.company_id = $1 and item_id = 'MANY'`,
      [company.id],
    )
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue({ couponId: 'MANY' })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(4)
    expect(counted.filter((isAnswered) => isAnswered).length).toBeGreaterThan(0)
  })
})

describe('an issue that the function does not handle', () => {
  test('is one of a definition that has changed: the answer has its new texts', async () => {
    await owner.query(
      `update coupon_definition set names = '{"en-US": "New", "zh-HK": "新"}', valid_days = 7
       where coupon_id = 'SHARE' and company_id = $1`,
      [company.id],
    )
    const [first, second] = [await issue({ couponId: 'SHARE' }), await issue({ couponId: 'SHARE' })]
    for (const { data } of [first, second]) {
      expect(data).toMatchObject({ coupons: [{ name: 'New' }] })
    }
    expect(counted).toEqual([false, true])
  })

  test.each([
    ['stopped', 'stopped = true', 'stopped = false', 113001],
    ['withdrawn', 'withdrawn_at = now()', 'withdrawn_at = null', 113001],
    ['of another store', `issue_stores = '{S2}'`, 'issue_stores = null', 113005],
    ['sold for points', 'points_cost = 5', 'points_cost = null', 113009],
  ])('is one of a definition that is %s', async (_case, sql, back, code) => {
    const where = `where coupon_id = 'TREAT' and company_id = '${company.id}'`
    await owner.query(`update coupon_definition set ${sql} ${where}`)
    try {
      const before = await contentsOf(company, ['operation'])
      expect((await issue()).code).toBe(code)
      expect(await contentsOf(company, ['operation'])).toEqual(before)
      expect(counted).toEqual([false])
    } finally {
      await owner.query(`update coupon_definition set ${back} ${where}`)
    }
  })

  test('is one at the limit of the clerk, which alerts the company', async () => {
    await owner.query('update given_today set used = 89 where company_id = $1', [company.id])
    expect(await issue()).toMatchObject({ data: { allowance: { used: 90, limit: 95 } } })
    expect((await issue({ quantity: 10 })).code).toBe(failures.allowanceUsedUp.code)
    expect(counted).toEqual([false, false])
  })

  test('fails in the middle and leaves nothing', async () => {
    await owner.query(`create function fail_issue() returns trigger language plpgsql as $$
      begin raise exception 'no audit'; end $$;
      create trigger fail_issue before insert on audit for each row
        when (new.action = 'coupon.issue' and new.company_id = '${company.id}')
        execute function fail_issue()`)
    try {
      const before = await contentsOf(company)
      expect(await issue()).toMatchObject({ status: 500 })
      expect(await contentsOf(company)).toEqual(before)
    } finally {
      await owner.query('drop function fail_issue cascade')
    }
  })

  test('is sent as an event where a webhook subscribes', async () => {
    await owner.query(
      `insert into webhook (company_id, webhook_id, url, secret_variable, events)
       values ($1, 'crm', 'https://example.com/', 'SECRET', '{coupon.issued}')`,
      [company.id],
    )
    try {
      const [code] = codesOf((await issue()).data)
      const { rowCount } = await owner.query(
        `select from event where data ->> 'couponCode' = $1 and event = 'coupon.issued'`,
        [code],
      )
      expect(rowCount).toBe(1)
      expect(counted).toEqual([false])
    } finally {
      await owner.query('update webhook set stopped = true where company_id = $1', [company.id])
    }
  })
})
