import { randomUUID } from 'node:crypto'
import { getCustomerCoupons, issueCoupon, issueCouponByPoints } from '@tillside/contract/coupon'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

const names = (text: string) => ({ 'en-US': text, 'zh-HK': `${text}（港）` })
const base = { names: names('x'), kind: 'gift', validity: { days: 30 } } as const
const over = { from: '2020-01-01', to: '2020-02-01' }

let company: Shop
let token: string
let today: string
beforeAll(async () => {
  company = await testShop({
    coupons: [
      { ...base, id: 'FREE', names: names('Birthday treat') },
      { ...base, id: 'COSTS', names: names('A latte'), pointsCost: 100 },
      ...[null, 100].flatMap((pointsCost) => {
        const end = pointsCost === null ? '' : '-COSTS'
        return [
          { ...base, id: `STORE${end}`, issueStores: ['S2'], validity: over, stock: 0, pointsCost },
          { ...base, id: `OVER${end}`, validity: over, stock: 0, perMemberLimit: 1, pointsCost },
          { ...base, id: `NONE${end}`, stock: 1, perMemberLimit: 1, pointsCost },
          { ...base, id: `ONCE${end}`, perMemberLimit: 1, pointsCost },
          { ...base, id: `STOPPED${end}`, pointsCost },
        ]
      }),
    ],
  })
  token = await logIn(company)
  today = await todayOf(company)
  const stop = `update coupon_definition set stopped = true where coupon_id like 'STOPPED%'`
  await company.database.transaction(company.id, (tx) => tx.run(statement(stop, z.unknown()), []))
})
afterAll(() => company.close())

type Input = { memberCode: string; couponId: string; quantity: number; expectedBalance?: number }
const ask = (endpoint: Endpoint, input: Input, options: { key?: string; language?: string } = {}) =>
  call(company, endpoint, input, { token, ...options })
const exchange = (input: Input, options = {}) => ask(issueCouponByPoints, input, options)
const countsOf = async (of: { memberCode: string }) =>
  (await ok(company, getCustomerCoupons, { memberCode: of.memberCode }, { token })).counts

describe.each([
  ['issue', issueCoupon, '', 'FREE', 'COSTS'],
  ['issueByPoints', issueCouponByPoints, '-COSTS', 'COSTS', 'FREE'],
] as const)('%s', (_name, endpoint, suffix, right, wrong) => {
  test('refuses in one order, and changes nothing but its key', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 1000)
    const { memberCode } = member
    const steps: [number, Partial<Input>][] = [
      [111102, { memberCode: 'NOBODY', couponId: 'NOPE' }],
      [113001, { couponId: 'NOPE', quantity: 10 }],
      [113001, { couponId: `STOPPED${suffix}` }],
      [113005, { couponId: `STORE${suffix}`, quantity: 2 }],
      [113009, { couponId: wrong }],
      [113003, { couponId: `OVER${suffix}`, quantity: 2 }],
      [113007, { couponId: `NONE${suffix}`, quantity: 2 }],
      [113008, { couponId: `ONCE${suffix}`, quantity: 2 }],
    ]
    const before = await contentsOf(company, ['operation'])
    for (const [code, changes] of steps) {
      const answer = await ask(endpoint, { memberCode, couponId: right, quantity: 1, ...changes })
      expect([changes.couponId, answer.code, answer.data]).toEqual([changes.couponId, code, null])
    }
    expect(await contentsOf(company, ['operation'])).toEqual(before)
  })

  test('gives as many as were asked for, good from today on', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 1000)
    const input = { memberCode: member.memberCode, couponId: right, quantity: 3 }
    const { coupons } = await ok(company, endpoint, input, { token, language: 'zh-HK' })
    expect(new Set(coupons.map(({ code }) => code)).size).toBe(3)
    for (const coupon of coupons) {
      expect(coupon).toMatchObject({
        couponId: right,
        name: right === 'FREE' ? 'Birthday treat（港）' : 'A latte（港）',
        status: 'ISSUED',
        issueDate: today,
        startDate: today,
        expiryDate: addDays(today, 29),
        redeemable: true,
      })
    }
    expect(await countsOf(member)).toEqual({ ISSUED: 3, USED: 0, EXPIRED: 0 })
    expect(await company.violations()).toEqual([])
  })

  test('asking twice is asking once', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 1000)
    const input = { memberCode: member.memberCode, couponId: right, quantity: 2 }
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(endpoint, input, { key })),
    )
    expect(answers[0]).toMatchObject({ code: 0, message: 'Coupon issued successfully' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect((await countsOf(member)).ISSUED).toBe(2)
    expect((await ask(endpoint, { ...input, quantity: 1 }, { key })).code).toBe(116001)
    expect((await countsOf(member)).ISSUED).toBe(2)
  })

  test.each([0, -1, 11, 1.5, '1e1', null, [1], true])(
    'refuses a quantity of %j',
    async (quantity) => {
      const member = await testMember(company)
      const input = { memberCode: member.memberCode, couponId: right, quantity }
      const answer = await call(company, endpoint, input, { token })
      expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'quantity' }] } })
    },
  )

  test('does not tell another company’s member from none', async () => {
    const other = await testMember(await shopOf())
    const input = { memberCode: other.memberCode, couponId: right, quantity: 1 }
    expect(await ask(endpoint, input)).toEqual(await ask(endpoint, { ...input, memberCode: 'NO' }))
  })

  test('leaves one audit row', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 1000)
    await ask(endpoint, { memberCode: member.memberCode, couponId: right, quantity: 2 })
    expect(await auditsOf(member.id)).toMatchObject([
      { action: `coupon.${_name}`, details: { couponId: right, quantity: 2 } },
    ])
  })
})

describe('issueByPoints', () => {
  test('debits what the coupons cost, soonest ending points first', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 500)
    await givePoints(company, member, 150, addDays(today, 3))
    const input = { memberCode: member.memberCode, couponId: 'COSTS', quantity: 2 }
    const answer = await ok(company, issueCouponByPoints, input, { token })
    expect(answer).toMatchObject({ pointsSpent: 200, balance: 450 })
    expect(await company.entries(member.id)).toEqual([
      [2, 500],
      [2, 150],
      [5, -200],
    ])
    expect((await company.totals(member.id, today)).expiringSoon).toEqual([])
  })

  test('is refused above the balance, with the points that can be spent', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 199)
    // Ended, and not written off yet: in the balance, and good for nothing.
    await givePoints(company, member, 50, '2026-01-31')
    const input = { memberCode: member.memberCode, couponId: 'COSTS', quantity: 2 }
    for (const expectedBalance of [249, 1]) {
      expect(await exchange({ ...input, expectedBalance })).toEqual({
        status: 200,
        code: 114005,
        message: 'Not enough points. The balance is 199.',
        data: { limit: 199 },
      })
    }
    expect((await exchange({ ...input, quantity: 1 })).code).toBe(0)
  })

  test('is refused when the balance is not the one that was shown', async () => {
    const member = await testMember(company)
    await givePoints(company, member, 300)
    const input = { memberCode: member.memberCode, couponId: 'COSTS', quantity: 1 }
    expect(await exchange({ ...input, expectedBalance: 400 })).toMatchObject({
      code: 114010,
      message: 'The balance has changed, please check again',
      data: null,
    })
    expect(await company.entries(member.id)).toEqual([[2, 300]])
    expect((await exchange({ ...input, expectedBalance: 300 })).code).toBe(0)
  })
})

let another: Shop | undefined
const shopOf = async () => (another ??= await testShop())
afterAll(() => another?.close())

const readAudits = statement(
  'select action, details from audit where company_id = $1 and member_id = $2 order by audit_id',
  z.object({ action: z.string(), details: z.record(z.string(), z.unknown()) }),
)
const auditsOf = (memberId: string) =>
  company.database.transaction(company.id, (tx) => tx.all(readAudits, [company.id, memberId]))
