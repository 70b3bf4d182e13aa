import { membershipInfo } from '@tillside/contract/member'
import { permissions } from '@tillside/contract/wire/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCompany } from '../company/find.ts'
import { addDays, addMonths, endOfMonth } from '@tillside/contract/rules/day'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { record } from '../transaction/record.ts'

let company: TestCompany
let today: string
let token: string
beforeAll(async () => {
  company = await testCompany({
    groups: [
      { code: 'full', permissions: [...permissions], menus: ['member'] },
      { code: 'viewer', permissions: ['homeMembertier', 'couponView'], menus: ['member'] },
      { code: 'empty', permissions: [], menus: ['member'] },
    ],
  })
  today = await todayOf(company)
  token = await logIn(company)
})
afterAll(() => company.close())

const info = (memberCode: string, by = token, language = 'en-US') =>
  ok(company, membershipInfo, { memberCode }, { token: by, language })

/** A sale at noon of the company's day. */
async function spend(memberId: string, day: string, amount: string): Promise<void> {
  const found = await findCompany(company.database, company.identifier)
  if (found === null) throw new Error('the company is gone')
  const input = receipt([['TEA', amount, 1]], { occurredAt: `${day}T04:00:00Z` })
  const done = await company.database.transaction(company.id, (tx) =>
    record(tx, found, memberId, input),
  )
  expect(done.outcome).toBe('created')
}

describe('a member at a glance', () => {
  test('who has just begun: the lowest tier, no points, no coupons', async () => {
    const member = await testMember(company)
    expect(await info(member.memberCode)).toEqual({
      tier: {
        code: 'associate',
        name: 'Associate',
        level: 1,
        gradeSpend: '0.00',
        startDate: '2026-01-05',
        expiryDate: null,
        nextTier: { code: 'green', name: 'Green', threshold: '1000.00' },
        gapToNextTier: '1000.00',
        gapToRenew: null,
        endedOn: null,
      },
      points: { balance: 0, valid: 0, redeemedOrExpired: 0, earned: 0, expiringSoon: [] },
      couponCounts: { ISSUED: 0, USED: 0, EXPIRED: 0 },
    })
  })

  test('who has bought: tier, gaps, points and the dates on which they end', async () => {
    const member = await testMember(company)
    const days = [addMonths(today, -9), addMonths(today, -6), addDays(today, -1)]
    await spend(member.id, days[0] ?? '', '700.10')
    await spend(member.id, days[1] ?? '', '400.90')
    await spend(member.id, days[2] ?? '', '50.50')
    const glance = await info(member.memberCode)
    expect(glance.tier).toMatchObject({
      code: 'green',
      gradeSpend: '1151.50',
      startDate: days[1],
      expiryDate: endOfMonth(addMonths(days[1] ?? '', 12)),
      nextTier: { code: 'gold', threshold: '3250.00' },
      gapToNextTier: '2098.50',
    })
    const ends = days.map((day) => endOfMonth(addMonths(day, 12)))
    expect(glance.points).toEqual({
      balance: 1150,
      valid: 1150,
      redeemedOrExpired: 0,
      earned: 1150,
      expiringSoon: [
        { points: 700, expiryDate: ends[0] },
        { points: 400, expiryDate: ends[1] },
        { points: 50, expiryDate: ends[2] },
      ],
    })
  })

  test('on the top tier there is no next one', async () => {
    const member = await testMember(company)
    await spend(member.id, today, '9999.99')
    expect((await info(member.memberCode)).tier).toMatchObject({
      code: 'gold',
      nextTier: null,
      gapToNextTier: null,
      gapToRenew: expect.stringMatching(/^\d+\.\d\d$/),
    })
  })

  test('with points that are over, which cannot be spent, job or no job', async () => {
    const member = await testMember(company)
    // Twelve months to the end of that month: over on the last day of last month at the latest.
    await spend(member.id, addMonths(today, -13), '30.00')
    await spend(member.id, today, '5.00')
    const { points } = await info(member.memberCode)
    expect(points).toMatchObject({ balance: 35, valid: 5, earned: 35 })
    expect(points?.expiringSoon).toEqual([
      { points: 5, expiryDate: endOfMonth(addMonths(today, 12)) },
    ])
  })

  test('with coupons counted by what they are today', async () => {
    const member = await testMember(company)
    for (const daysAgo of [0, 29, 30, 31, -1]) await testCoupon(company, member, daysAgo)
    expect((await info(member.memberCode)).couponCounts).toEqual({ ISSUED: 3, USED: 0, EXPIRED: 2 })
  })

  test('in the caller’s language', async () => {
    const member = await testMember(company)
    expect((await info(member.memberCode, token, 'zh-HK')).tier?.name).toBe('Associate（港）')
  })
})

describe('what a clerk may not see is null', () => {
  test.each([
    ['ben', { tier: {}, points: null, couponCounts: {} }],
    ['dan', { tier: null, points: null, couponCounts: null }],
  ])('%s', async (account, parts) => {
    const member = await testMember(company)
    const glance = await info(member.memberCode, await logIn(company, account))
    expect(glance).toMatchObject(parts)
  })
})

test('an unknown member and another company’s are refused alike', async () => {
  const other = await testCompany()
  const { memberCode } = await testMember(other)
  const theirs = await call(company, membershipInfo, { memberCode }, { token })
  expect(theirs).toMatchObject({ code: 111102, data: null })
  expect(await call(company, membershipInfo, { memberCode: 'NOBODY' }, { token })).toEqual(theirs)
  await other.close()
})
