import { randomUUID } from 'node:crypto'
import { redeemCoupon } from '@tillside/contract/coupon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import { contentsOf } from '../testing/contents.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'

let company: TestCompany
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  member = await testMember(company)
})
afterAll(() => company.close())

type Changes = { couponCode?: string; memberCode?: string; invoiceNumber?: string }
const redeem = (changes: Changes, options: { key?: string | null; language?: string } = {}) =>
  call(company, redeemCoupon, { memberCode: member.memberCode, ...changes }, { token, ...options })

const effects = statement(
  `select r.store_code, s.account, r.invoice_number, r.cancelled_at,
     abs(extract(epoch from now() - r.redeemed_at)) < 60 as now, c.used,
     (select count(*)::int from audit a where a.company_id = $1 and a.action = 'coupon.redeem'
       and a.details ->> 'couponCode' = $2 and a.place = c.member_id and a.member_id = a.place
       and a.staff_id = r.staff_id and a.store_code = r.store_code) as audits
   from coupon c join coupon_redemption r using (company_id, member_id, coupon_code)
     join staff s on s.company_id = r.company_id and s.staff_id = r.staff_id
   where c.company_id = $1 and c.coupon_code = $2`,
  z.unknown(),
)
const effectsOf = (code: string) =>
  company.database.transaction(company.id, (tx) => tx.all(effects, [company.id, code]))
const oneEffect = {
  store_code: 'S1',
  account: 'amy',
  invoice_number: null,
  cancelled_at: null,
  now: true,
  used: true,
  audits: 1,
}

describe('redeeming a coupon', () => {
  test('makes it USED, here and now, with one redemption and one audit row', async () => {
    const code = await testCoupon(company, member)
    const today = await todayOf(company)
    const input = { couponCode: code, memberCode: member.memberCode, invoiceNumber: 'POS-1' }
    const coupon = await ok(company, redeemCoupon, input, { token })
    expect(coupon).toMatchObject({
      code,
      couponId: 'TREAT',
      name: 'Birthday treat',
      description: 'Any pastry on us',
      kind: 'gift',
      value: null,
      status: 'USED',
      issueDate: today,
      redeemStore: { code: 'S1', name: 'Harbour City' },
      redeemable: false,
      notRedeemableReason: 'couponUsed',
    })
    expect(Math.abs(Date.parse(coupon.redeemDate ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await effectsOf(code)).toEqual([{ ...oneEffect, invoice_number: 'POS-1' }])
  })

  test('says so in the clerk’s language', async () => {
    const couponCode = await testCoupon(company, member)
    const answer = await redeem({ couponCode }, { language: 'zh-HK' })
    expect(answer).toMatchObject({ code: 0, data: { name: 'Birthday treat（港）' } })
    expect(answer.message).not.toBe('Coupon redeemed successfully')
    const english = await redeem({ couponCode: await testCoupon(company, member) })
    expect(english.message).toBe('Coupon redeemed successfully')
  })

  test.each<[string, (code: string) => string]>([
    ['in lower case', (code) => code.toLowerCase()],
    ['in groups', (code) => ` ${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)} `],
    ['with a long dash', (code) => `${code.slice(0, 6)}–${code.slice(6)}`],
    ['with look-alikes', (code) => code.replaceAll('0', 'o').replaceAll('1', 'l')],
    ['with other look-alikes', (code) => code.replaceAll('0', 'O').replaceAll('1', 'I')],
    [
      'in full width',
      (code) => code.replaceAll(/./g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
    ],
  ])('reads the code %s', async (_case, typed) => {
    // One with both of the digits that have look-alikes.
    let code = ''
    while (!/0/.test(code) || !/1/.test(code)) code = await testCoupon(company, member)
    expect(await redeem({ couponCode: typed(code) })).toMatchObject({ code: 0, data: { code } })
  })
})

describe('a refusal', () => {
  test('names what is in the way, the first of several', async () => {
    const stranger = await testMember(company)
    const used = await testCoupon(company, member, 0, 'TREAT')
    await redeem({ couponCode: used })
    const usedElsewhere = await testCoupon(company, member, 30)
    const steps: [string, Changes, number][] = [
      ['member and coupon', { memberCode: 'NOBODY', couponCode: 'NONE' }, 111102],
      ['member', { memberCode: 'NOBODY', couponCode: used }, 111102],
      ['coupon', { couponCode: '000000000000' }, 113001],
      ['owner and used', { memberCode: stranger.memberCode, couponCode: used }, 113006],
      ['used', { couponCode: used }, 113002],
      ['expired', { couponCode: usedElsewhere }, 113003],
      [
        'expired, at another store',
        { couponCode: await testCoupon(company, member, 30, 'TEN') },
        113003,
      ],
      ['not started', { couponCode: await testCoupon(company, member, -1) }, 113004],
      [
        'not started, at another store',
        { couponCode: await testCoupon(company, member, -1, 'TEN') },
        113004,
      ],
      ['store', { couponCode: await testCoupon(company, member, 0, 'TEN') }, 113005],
    ]
    const answers = []
    for (const [name, changes] of steps) answers.push([name, (await redeem(changes)).code])
    expect(answers).toEqual(steps.map(([name, , code]) => [name, code]))
  })

  test('used comes before expired', async () => {
    const code = await testCoupon(company, member, 29)
    await redeem({ couponCode: code })
    const sql = `update coupon set start_date = start_date - 5, expiry_date = expiry_date - 5
      where coupon_code = $1`
    await company.database.transaction(company.id, (tx) =>
      tx.run(statement(sql, z.unknown()), [code]),
    )
    expect((await redeem({ couponCode: code })).code).toBe(113002)
  })

  test('of a voided coupon reads as expired', async () => {
    const code = await testCoupon(company, member)
    const sql = `update coupon set voided_reason = 'misprint' where coupon_code = $1`
    await company.database.transaction(company.id, (tx) =>
      tx.run(statement(sql, z.unknown()), [code]),
    )
    expect((await redeem({ couponCode: code })).code).toBe(113003)
  })

  test('changes nothing but remembers its key', async () => {
    const couponCode = await testCoupon(company, member, 0, 'TEN')
    const { operation, ...before } = await contentsOf(company)
    await redeem({ couponCode })
    const { operation: kept, ...after } = await contentsOf(company)
    expect(after).toEqual(before)
    expect(kept).not.toBe(operation)
  })

  test('does not tell another company’s coupon from one that is not there', async () => {
    const other = await testCompany()
    const theirs = await testCoupon(other, await testMember(other))
    expect(await redeem({ couponCode: theirs })).toEqual(await redeem({ couponCode: 'NONE' }))
    await other.close()
  })

  test('is not given at the store where the coupon is good', async () => {
    const passwordHash = await hashPassword(password)
    await company.database.transaction(company.id, (tx) =>
      addStaff(tx, company.id, {
        account: 'eve',
        firstName: 'Eve',
        lastName: 'Test',
        groupCode: 'full',
        storeCode: 'S2',
        passwordHash,
      }),
    )
    const code = await testCoupon(company, member, 0, 'TEN')
    const input = { couponCode: code, memberCode: member.memberCode }
    const there = await ok(company, redeemCoupon, input, { token: await logIn(company, 'eve') })
    expect(there).toMatchObject({
      value: '10.00',
      redeemStore: { code: 'S2', name: 'Times Square' },
    })
  })
})

describe('asking twice is asking once', () => {
  test('the same key gets the same answer, in whichever language it is asked again', async () => {
    const couponCode = await testCoupon(company, member)
    const key = randomUUID()
    const first = await redeem({ couponCode }, { key })
    expect(first.code).toBe(0)
    expect(await redeem({ couponCode }, { key })).toEqual(first)
    expect(await redeem({ couponCode }, { key: key.toUpperCase(), language: 'zh-HK' })).toEqual(
      first,
    )
    expect(await effectsOf(couponCode)).toEqual([oneEffect])
  })

  test('the same key with another body is refused', async () => {
    const [one, two] = [await testCoupon(company, member), await testCoupon(company, member)]
    const key = randomUUID()
    await redeem({ couponCode: one }, { key })
    expect((await redeem({ couponCode: two }, { key })).code).toBe(116001)
    expect((await redeem({ couponCode: one, invoiceNumber: 'X' }, { key })).code).toBe(116001)
    expect(await effectsOf(two)).toEqual([])
  })

  test('a refusal is repeated with its key, even when the reason has gone', async () => {
    const couponCode = await testCoupon(company, member, 0, 'TEN')
    const key = randomUUID()
    const first = await redeem({ couponCode }, { key })
    expect(first.code).toBe(113005)
    const sql = `update coupon_definition set redeem_stores = $1 where coupon_id = 'TEN'`
    const open = statement(sql, z.unknown())
    await company.database.transaction(company.id, (tx) => tx.run(open, [null]))
    expect(await redeem({ couponCode }, { key })).toEqual(first)
    expect((await redeem({ couponCode })).code).toBe(0)
    await company.database.transaction(company.id, (tx) => tx.run(open, [['S2']]))
  })

  test('the key is the clerk’s own: another clerk’s is another request', async () => {
    const couponCode = await testCoupon(company, member)
    const key = randomUUID()
    await redeem({ couponCode }, { key })
    const again = await logIn(company, 'amy')
    const input = { couponCode, memberCode: member.memberCode }
    expect((await call(company, redeemCoupon, input, { token: again, key })).code).toBe(0)
    const eve = await logIn(company, 'eve')
    expect((await call(company, redeemCoupon, input, { token: eve, key })).code).toBe(113002)
  })

  test.each([
    ['missing', null],
    ['empty', ''],
    ['no UUID', 'a1b2c3'],
    ['two UUIDs', `${randomUUID()},${randomUUID()}`],
  ])('a key that is %s is refused by name, and nothing happens', async (_case, key) => {
    const couponCode = await testCoupon(company, member)
    const answer = await redeem({ couponCode }, { key })
    expect(answer).toMatchObject({ status: 200, code: 422 })
    expect(answer.data).toMatchObject({ fields: [{ path: 'Idempotency-Key' }] })
    expect(await effectsOf(couponCode)).toEqual([])
  })

  test('twenty times at once is one effect and one answer', async () => {
    const couponCode = await testCoupon(company, member)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem({ couponCode }, { key })),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.code).toBe(0)
    expect(await effectsOf(couponCode)).toEqual([oneEffect])
  })

  test('twenty times a refusal at once is one answer', async () => {
    const couponCode = await testCoupon(company, member, 30)
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem({ couponCode }, { key })),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.code).toBe(113003)
  })
})

/** Redeems a coupon that was issued so many days ago, at a company of its own. */
const attempt = async (at: TestCompany, daysAgo: number) => {
  const someone = await testMember(at)
  const couponCode = await testCoupon(at, someone, daysAgo)
  const input = { couponCode, memberCode: someone.memberCode }
  return (await call(at, redeemCoupon, input, { token: await logIn(at) })).code
}

test('a coupon lives by the company’s day: at one moment valid here and over there', async () => {
  // 25 hours lie between these two, so they never share a day; no clock has to be moved.
  const west = await testCompany({ timeZone: 'Pacific/Pago_Pago' })
  const east = await testCompany({ timeZone: 'Pacific/Kiritimati' })
  const [westDay, eastDay] = [await todayOf(west), await todayOf(east)]
  expect(westDay < eastDay).toBe(true)
  const days = (Date.parse(eastDay) - Date.parse(westDay)) / 86_400_000
  // Both end on the western day, which is over in the east.
  expect(await attempt(west, 29)).toBe(0)
  expect(await attempt(east, 29 + days)).toBe(113003)
  // Both start on a day that has begun in the east and not yet in the west.
  expect(await attempt(east, 0)).toBe(0)
  expect(await attempt(west, -days)).toBe(113004)
  await west.close()
  await east.close()
})
