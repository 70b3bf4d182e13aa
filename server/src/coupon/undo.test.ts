import { randomUUID } from 'node:crypto'
import { batchRedeemCoupons, cancelCouponRedeem, redeemCoupon } from '@tillside/contract/coupon'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import {
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { contentsOf } from '../testing/contents.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { noAllowances } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { testClerk } from '../testing/factories/staff.ts'

let company: TestCompany
let token: string
let elsewhere: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  company = await testCompany({ undoMinutes: 20 })
  token = await logIn(company)
  member = await testMember(company)
  const passwordHash = await hashPassword(password)
  const eve = { account: 'eve', firstName: 'Eve', lastName: 'Test', groupCode: 'full' }
  await company.database.transaction(company.id, (tx) =>
    addStaff(tx, company.id, { ...eve, storeCode: 'S2', passwordHash }),
  )
  elsewhere = await logIn(company, 'eve')
})
afterAll(() => company.close())

const run = (sql: string, code: string) =>
  company.database.transaction(company.id, (tx) => tx.run(statement(sql, z.unknown()), [code]))
async function used(daysAgo = 0): Promise<string> {
  const couponCode = await testCoupon(company, member, daysAgo)
  await ok(company, redeemCoupon, { couponCode, memberCode: member.memberCode }, { token })
  return couponCode
}
type Changes = { memberCode?: string; reason?: unknown }
const cancel = (couponCode: string, changes: Changes = {}, options: object = {}) => {
  const input = { couponCode, memberCode: member.memberCode, reason: 'wrong one', ...changes }
  return call(company, cancelCouponRedeem, input, { token, ...options })
}
const redemptions = (code: string) =>
  company.database.transaction(company.id, (tx) =>
    tx.all(
      statement(
        `select r.cancelled_at is not null as over, r.cancelled_reason as reason, c.used,
           (select count(*)::int from audit a where a.company_id = $1
             and a.place = c.member_id and a.action = 'coupon.cancelRedeem'
             and a.details ->> 'couponCode' = $2
             and a.details ->> 'reason' = r.cancelled_reason) as audits
         from coupon_redemption r join coupon c using (company_id, member_id, coupon_code)
         where r.company_id = $1 and r.coupon_code = $2 order by r.redemption_id`,
        z.unknown(),
      ),
      [company.id, code],
    ),
  )

describe('taking a redemption back', () => {
  test('makes the coupon ISSUED again; the redemption stays, with the reason', async () => {
    const code = await used()
    expect(await cancel(code.toLowerCase())).toMatchObject({
      code: 0,
      data: { code, status: 'ISSUED', redeemDate: null, redeemStore: null, redeemable: true },
    })
    expect(await redemptions(code)).toEqual([
      { over: true, reason: 'wrong one', used: false, audits: 1 },
    ])
    await ok(company, redeemCoupon, { couponCode: code, memberCode: member.memberCode }, { token })
    expect(await redemptions(code)).toMatchObject([
      { over: true, used: true },
      { over: false, reason: null, used: true },
    ])
  })

  test('twenty times with one key is once, and a second time is refused', async () => {
    const code = await used()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(code, {}, { key })))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.code).toBe(0)
    expect(await redemptions(code)).toMatchObject([{ over: true, audits: 1 }])
    expect((await cancel(code)).code).toBe(114011)
  })

  test('twenty clerks at once: one takes it back', async () => {
    const code = await used()
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(code)))
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1)
    expect(answers.filter((answer) => answer.code === 114011)).toHaveLength(19)
  })

  test('works to the last minute of the window, and of the last day', async () => {
    const code = await used(29)
    await run(
      `update coupon_redemption set redeemed_at = now() - interval '19:50' minute to second
       where coupon_code = $1`,
      code,
    )
    expect((await cancel(code)).code).toBe(0)
  })
})

describe('a refusal', () => {
  test('names what is in the way, in one order, and changes nothing', async () => {
    const stranger = await testMember(company)
    const other = await testCompany()
    const [late, over, unused] = [await used(), await used(), await testCoupon(company, member)]
    await run(
      `update coupon_redemption set redeemed_at = now() - interval '20 minutes'
       where coupon_code = $1`,
      late,
    )
    await run(
      `update coupon set start_date = start_date - 60, expiry_date = expiry_date - 60
       where coupon_code = $1`,
      over,
    )
    const theirs = await testCoupon(other, await testMember(other))
    const steps: [string, number, string, Changes?, object?][] = [
      ['member', 111102, 'NONE', { memberCode: 'NOBODY' }],
      ['coupon', 113001, 'NONE'],
      ['another company’s', 113001, theirs],
      ['owner', 113006, unused, { memberCode: stranger.memberCode }],
      ['not used', 114011, unused],
      ['too late', 114011, late],
      ['validity over', 114011, over],
      ['another store', 114011, await used(), {}, { token: elsewhere }],
    ]
    const before = await contentsOf(company, ['operation'])
    for (const [name, code, coupon, changes, options] of steps) {
      const answer = await cancel(coupon, changes, options)
      expect([name, answer.code, answer.data]).toEqual([name, code, null])
    }
    expect(await contentsOf(company, ['operation'])).toEqual(before)
    expect(await cancel(theirs)).toEqual(await cancel('NONE'))
    await other.close()
  })

  test.each([
    ['coupon', redeemCoupon, (couponCode: string) => ({ couponCode })],
    ['batch', batchRedeemCoupons, (couponCode: string) => ({ couponCodes: [couponCode] })],
  ])('lets a %s be redeemed that is refused at this moment', async (_, endpoint, inputOf) => {
    // With a limit, a redemption locks the clerk's row after it has looked at the coupon.
    const allowances = { ...noAllowances, couponsRedeemed: { warn: 90, refuse: 95 } }
    const shop = await testCompany({ allowances })
    const { id, memberCode } = await testMember(shop)
    const couponCode = await testCoupon(shop, { id })
    const amy = await logIn(shop)
    await ok(shop, redeemCoupon, { couponCode, memberCode }, { token: amy })
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    await owner.query('begin')
    // The row has one place, which a lock on a cluster has to name.
    const { rows } = await owner.query('select staff_id from given_today where company_id = $1', [
      shop.id,
    ])
    await owner.query(
      'select from given_today where company_id = $1 and staff_id = $2 for update',
      [shop.id, rows[0]?.staff_id],
    )
    const waiters = await waitersOf(owner)
    const again = call(shop, endpoint, { ...inputOf(couponCode), memberCode }, { token: amy })
    await expect.poll(waiters).toBe(1)
    const other = await testClerk(shop, 'kim')
    const input = { couponCode, memberCode, reason: 'wrong one' }
    await ok(shop, cancelCouponRedeem, input, { token: other })
    await owner.query('rollback')
    await owner.end()
    expect(await again).toMatchObject({ code: 0 })
    await shop.close()
  })

  test.each([
    ['missing', undefined],
    ['empty', ' '],
    ['too long', 'x'.repeat(201)],
    ['no text', 7],
  ])('a reason that is %s is refused at the field', async (_case, reason) => {
    const answer = await cancel('NONE', { reason })
    expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'reason' }] } })
  })
})
