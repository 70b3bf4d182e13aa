import { randomUUID } from 'node:crypto'
import { batchRedeemCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
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

type Options = { key?: string; language?: string }
const redeem = (couponCodes: unknown, options: Options = {}, memberCode = member.memberCode) =>
  call(company, batchRedeemCoupons, { couponCodes, memberCode }, { token, ...options })
const coupons = (count: number) =>
  Promise.all(Array.from({ length: count }, () => testCoupon(company, member)))
const readUsed = statement(
  `select c.used, (select count(*)::int from coupon_redemption r where r.company_id = $1
     and r.member_id = c.member_id and r.coupon_code = c.coupon_code
     and r.invoice_number = 'POS-7') as redemptions,
     (select count(*)::int from audit a where a.company_id = $1 and a.place = c.member_id
       and a.member_id = c.member_id
       and a.action = 'coupon.redeem' and a.details ->> 'couponCode' = c.coupon_code) as audits
   from coupon c where company_id = $1 and coupon_code = any ($2)`,
  z.object({ used: z.boolean(), redemptions: z.int(), audits: z.int() }),
)
const effectsOf = (codes: readonly string[]) =>
  company.database.transaction(company.id, (tx) => tx.all(readUsed, [company.id, codes]))

describe('redeeming several', () => {
  test('redeems each once, in the order of the request', async () => {
    const codes = await coupons(20)
    const input = { couponCodes: codes, memberCode: member.memberCode, invoiceNumber: 'POS-7' }
    const answer = await ok(company, batchRedeemCoupons, input, { token })
    expect(answer.coupons.map((coupon) => coupon.code)).toEqual(codes)
    for (const coupon of answer.coupons) {
      expect(coupon).toMatchObject({ status: 'USED', redeemStore: { code: 'S1' } })
    }
    expect(await effectsOf(codes)).toEqual(
      codes.map(() => ({ used: true, redemptions: 1, audits: 1 })),
    )
  })

  test('reads codes as they are typed', async () => {
    const [one = '', two = '', three = ''] = await coupons(3)
    const answer = await redeem([
      ` ${one.toLowerCase()} `,
      `${two.slice(0, 6)}-${two.slice(6)}`,
      three.replaceAll(/./g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
    ])
    expect(answer).toMatchObject({
      code: 0,
      message: 'Coupon redeemed successfully',
      data: { coupons: [{ code: one }, { code: two }, { code: three }] },
    })
  })

  test('twenty times with one key is once', async () => {
    const codes = await coupons(3)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(codes, { key })))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.code).toBe(0)
    expect((await effectsOf(codes)).map(({ audits }) => audits)).toEqual([1, 1, 1])
  })
})

describe('all or none', () => {
  test('tells what stood in the way of each, and redeems none', async () => {
    const stranger = await testMember(company)
    const other = await testCompany()
    const [good = '', used = ''] = await coupons(2)
    const input = { couponCode: used, memberCode: member.memberCode }
    await ok(company, redeemCoupon, input, { token })
    const cases: [string, string | null][] = [
      [good, null],
      ['NONE', 'couponUnknown'],
      [await testCoupon(other, await testMember(other)), 'couponUnknown'],
      [await testCoupon(company, stranger), 'couponOtherMember'],
      [used, 'couponUsed'],
      [await testCoupon(company, member, 30), 'couponExpired'],
      [await testCoupon(company, member, -1), 'couponNotStarted'],
      [await testCoupon(company, member, 0, 'TEN'), 'couponOtherStore'],
    ]
    const codes = cases.map(([code]) => code)
    const before = await contentsOf(company, ['operation'])
    const answer = await redeem(codes)
    expect(answer).toMatchObject({ status: 200, code: 113010 })
    expect(answer.message).toBe('Some coupons can’t be redeemed. None was redeemed.')
    expect(answer.data).toEqual({
      items: cases
        .filter(([, reason]) => reason !== null)
        .map(([couponCode, reason]) => ({ couponCode, reason, message: expect.any(String) })),
    })
    const theirs = codes[2] ?? ''
    const [foreign, unknown] = [await redeem([theirs]), await redeem(['NONE'])]
    expect(JSON.stringify(foreign).replaceAll(theirs, 'NONE')).toBe(JSON.stringify(unknown))
    expect(await contentsOf(company, ['operation'])).toEqual(before)
    expect(await redeem(codes, { language: 'zh-HK' })).toMatchObject({
      message: '部分優惠券未能使用，沒有使用任何一張。',
      data: {
        items: [{ couponCode: 'NONE', message: '找不到此優惠券。' }, {}, {}, {}, {}, {}, {}],
      },
    })
    await other.close()
  })

  test.each<[string, (code: string) => string]>([
    ['to the letter', (code) => code],
    ['in lower case', (code) => code.toLowerCase()],
    ['in groups', (code) => `${code.slice(0, 4)} ${code.slice(4)}`],
    ['with look-alikes', (code) => code.replaceAll('0', 'O').replaceAll('1', 'I')],
    [
      'in full width',
      (code) => code.replaceAll(/./g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
    ],
  ])('a coupon twice, %s, is refused', async (_case, again) => {
    let code = ''
    while (!/[01]/.test(code)) code = await testCoupon(company, member)
    const [other = ''] = await coupons(1)
    const answer = await redeem([code, other, again(code)])
    expect(answer).toMatchObject({
      code: 113010,
      data: {
        items: [
          {
            couponCode: again(code).normalize('NFC'),
            reason: 'couponTwice',
            message: 'This coupon is in the list twice.',
          },
        ],
      },
    })
    expect((await effectsOf([code, other])).map(({ used }) => used)).toEqual([false, false])
  })

  test('repeats at the same time get the same bytes', async () => {
    for (let n = 0; n < 5; n++) {
      const key = randomUUID()
      const answers = await Promise.all([1, 2, 3].map(() => redeem(['NONE', 'NEITHER'], { key })))
      const texts = answers.map((answer) => JSON.stringify(answer))
      expect(new Set(texts).size).toBe(1)
      expect(JSON.stringify(await redeem(['NONE', 'NEITHER'], { key }))).toBe(texts[0])
    }
  })

  test('the member comes first', async () => {
    expect((await redeem(['NONE'], {}, 'NOBODY')).code).toBe(111102)
  })

  test.each([
    ['none', [], 'couponCodes'],
    ['21', Array.from({ length: 21 }, (_, n) => `CODE${n}`), 'couponCodes'],
    ['no list', 'ABC', 'couponCodes'],
    ['a number', [7], 'couponCodes.0'],
    ['an empty one', ['A', ' '], 'couponCodes.1'],
    ['a control character', ['A', 'B', 'C\u0000'], 'couponCodes.2'],
  ])('a batch of %s is refused at the field', async (_case, codes, path) => {
    expect(await redeem(codes)).toMatchObject({ code: 422, data: { fields: [{ path }] } })
  })
})
