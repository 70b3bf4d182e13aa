import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { checkCharacter } from '@tillside/contract/rules/coupon-code'
import { type CouponOrder, issueCoupons } from './issue.ts'
import { validityFrom } from './at-once/definitions.ts'

const today = '2026-03-10'
const readCoupons = statement(
  `select coupon_code, issue_date, start_date, expiry_date, issued_store from coupon
   where company_id = $1 and member_id = $2 order by coupon_code`,
  z.object({
    coupon_code: z.string(),
    issue_date: z.string(),
    start_date: z.string(),
    expiry_date: z.string(),
    issued_store: z.string(),
  }),
)
const readIssued = statement(
  `select issued, (
     select count(*)::int from coupon c where c.company_id = $1 and c.coupon_id = $2) as there
   from stock where company_id = $1 and kind = 'coupon' and item_id = $2`,
  z.object({ issued: z.int(), there: z.int() }),
)

function name(text: string) {
  return { 'en-US': text, 'zh-HK': text }
}
const base = { names: name('x'), kind: 'gift', validity: { days: 30 } } as const

let company: TestCompany
beforeAll(async () => {
  company = await testCompany({
    coupons: [
      { ...base, id: 'FREE' },
      { ...base, id: 'LATER', validity: { days: 30, after: 7 } },
      { ...base, id: 'FIXED', validity: { from: '2026-04-01', to: '2026-04-30' } },
      { ...base, id: 'ENDED', validity: { from: '2026-01-01', to: '2026-03-09' } },
      { ...base, id: 'COSTS', pointsCost: 100 },
      { ...base, id: 'FEW', stock: 20 },
      { ...base, id: 'ONCE', perMemberLimit: 1 },
      { ...base, id: 'STORE', issueStores: ['S2'] },
    ],
  })
})
afterAll(() => company.close())

function issue(memberId: string, couponId: string, changes: Partial<CouponOrder> = {}) {
  const order = {
    memberId,
    couponId,
    quantity: 1,
    at: `${today}T04:00:00Z`,
    today,
    storeCode: 'S1',
    staffId: null,
    paidWithPoints: false,
    ...changes,
  }
  return company.database.transaction(company.id, (tx) => issueCoupons(tx, company, order))
}

function couponsOf(memberId: string) {
  return company.database.transaction(company.id, (tx) =>
    tx.all(readCoupons, [company.id, memberId]),
  )
}

describe('issuing', () => {
  test('gives codes that can be typed, with a check character, and dates', async () => {
    const { id } = await testMember(company)
    const issued = await issue(id, 'FREE', { quantity: 10 })
    if (issued.outcome === 'refused') throw new Error(issued.reason)
    for (const code of issued.codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
      expect(code.at(-1)).toBe(checkCharacter(code.slice(0, -1)))
    }
    const rows = await couponsOf(id)
    expect(rows.map((row) => row.coupon_code)).toEqual([...issued.codes].sort())
    expect(rows[0]).toMatchObject({
      issue_date: today,
      start_date: today,
      expiry_date: '2026-04-08',
      issued_store: 'S1',
    })
  })

  test.each([
    ['days from issue', { valid_days: 30, starts_after: 0 }, ['2026-03-10', '2026-04-08']],
    ['one day', { valid_days: 1, starts_after: 0 }, ['2026-03-10', '2026-03-10']],
    ['a week later', { valid_days: 30, starts_after: 7 }, ['2026-03-17', '2026-04-15']],
  ])('%s', (_, days, [start, end]) => {
    const definition = { start_date: null, end_date: null, ...days }
    expect(validityFrom(definition, today)).toEqual({ start, end })
  })

  test('fixed dates hold whatever the day of issue', async () => {
    const { id } = await testMember(company)
    await issue(id, 'FIXED')
    expect(await couponsOf(id)).toMatchObject([
      { start_date: '2026-04-01', expiry_date: '2026-04-30' },
    ])
  })

  test.each([
    ['couponUnknown', 'NOPE', {}],
    ['couponOtherStore', 'STORE', {}],
    ['couponCost', 'COSTS', {}],
    ['couponCost', 'FREE', { paidWithPoints: true }],
    ['couponExpired', 'ENDED', {}],
    ['couponOutOfStock', 'FEW', { quantity: 21 }],
    ['couponLimit', 'ONCE', { quantity: 2 }],
  ])('is refused as %s (%s), and writes nothing', async (reason, couponId, changes) => {
    const { id } = await testMember(company)
    expect(await issue(id, couponId, changes)).toEqual({ outcome: 'refused', reason })
    expect(await couponsOf(id)).toEqual([])
  })

  test('a stock of 20 gives 20, however many come at once', async () => {
    const members = await Promise.all(Array.from({ length: 30 }, () => testMember(company)))
    const all = await Promise.all(members.map(({ id }) => issue(id, 'FEW')))
    expect(all.filter((one) => one.outcome === 'issued')).toHaveLength(20)
    const counts = await company.database.transaction(company.id, (tx) =>
      tx.one(readIssued, [company.id, 'FEW']),
    )
    expect(counts).toEqual({ issued: 20, there: 20 })
  })

  test('a limit of one gives one, however often it is asked at once', async () => {
    const { id } = await testMember(company)
    const all = await Promise.all(Array.from({ length: 12 }, () => issue(id, 'ONCE')))
    expect(all.filter((one) => one.outcome === 'issued')).toHaveLength(1)
    expect(await couponsOf(id)).toHaveLength(1)
  })
})
