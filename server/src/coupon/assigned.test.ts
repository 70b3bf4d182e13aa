import { couponCodeDetail, getStoreAssignedCoupons } from '@tillside/contract/coupon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'

const names = (text: string) => ({ 'en-US': text, 'zh-HK': `${text}（港）` })
const base = { kind: 'gift', validity: { days: 30 } } as const

let company: TestCompany
let token: string
let today: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  company = await testCompany({
    coupons: [
      { ...base, id: 'TREAT', names: names('Treat'), descriptions: names('Any pastry') },
      { ...base, id: 'LATTE', names: names('Latte'), pointsCost: 100 },
      { ...base, id: 'FEW', names: names('Few'), stock: 3, perMemberLimit: 2 },
      { ...base, id: 'HERE', names: names('Here'), issueStores: ['S1', 'S2'] },
      { ...base, id: 'THERE', names: names('There'), issueStores: ['S2'] },
      { ...base, id: 'LATER', names: names('Later'), validity: { days: 30, after: 7 } },
      {
        ...base,
        id: 'OVER',
        names: names('O'),
        validity: { from: '2020-01-01', to: '2020-02-01' },
      },
      {
        ...base,
        id: 'FIXED',
        names: names('F'),
        validity: { from: '2020-01-01', to: '2999-12-31' },
      },
      {
        ...base,
        id: 'FIFTEEN',
        names: names('Fifteen'),
        kind: 'percent',
        value: '15',
        unionCode: 'U-15',
      },
      { ...base, id: 'GONE', names: names('Gone') },
    ],
  })
  today = await todayOf(company)
  token = await logIn(company)
  member = await testMember(company)
  await update(`update coupon_definition set stopped = true where coupon_id = 'GONE'`)
})
afterAll(() => company.close())

const permit = (permissions: string) =>
  update(`update staff_group set permissions = '{${permissions}}' where group_code = 'viewer'`)
const detail = (couponCode: string) => call(company, couponCodeDetail, { couponCode }, { token })
const detailOf = async (daysAgo: number) =>
  (await detail(await testCoupon(company, member, daysAgo))).data
const update = (sql: string) =>
  company.database.transaction(company.id, (tx) => tx.run(statement(sql, z.unknown()), []))
const assigned = async (of: { memberCode: string }, language = 'en-US', by = token) => {
  const input = { memberCode: of.memberCode }
  return (await ok(company, getStoreAssignedCoupons, input, { token: by, language })).items
}

describe('what a store may issue', () => {
  test('is what is open here; what costs points comes last', async () => {
    expect((await assigned(member)).map((item) => item.couponId)).toEqual([
      'FEW',
      'FIFTEEN',
      'FIXED',
      'HERE',
      'LATER',
      'TREAT',
      'LATTE',
    ])
  })

  test('is told with the dates that it would have today, in the clerk’s language', async () => {
    const items = new Map((await assigned(member, 'zh-HK')).map((item) => [item.couponId, item]))
    const end = addDays(today, 29)
    expect(items.get('TREAT')).toEqual({
      couponId: 'TREAT',
      name: 'Treat（港）',
      unionCode: null,
      description: 'Any pastry（港）',
      kind: 'gift',
      value: null,
      validity: { startDate: today, expiryDate: end },
      pointsCost: null,
      remaining: null,
      perMemberLimit: null,
      memberHas: 0,
    })
    expect(items.get('LATER')?.validity).toEqual({
      startDate: addDays(today, 7),
      expiryDate: addDays(end, 7),
    })
    expect(items.get('FIXED')?.validity).toEqual({
      startDate: '2020-01-01',
      expiryDate: '2999-12-31',
    })
    expect(items.get('LATTE')?.pointsCost).toBe(100)
    expect(items.get('FIFTEEN')).toMatchObject({ kind: 'percent', value: '15', unionCode: 'U-15' })
  })

  test('counts what is left and what the member has, without what was voided', async () => {
    const [one, two] = [await testMember(company), await testMember(company)]
    const few = async (of: typeof one) =>
      (await assigned(of)).find(({ couponId }) => couponId === 'FEW')
    await testCoupon(company, one, 0, 'FEW')
    const code = await testCoupon(company, one, 0, 'FEW')
    await testCoupon(company, two, 0, 'FEW')
    expect(await few(one)).toMatchObject({ remaining: 0, perMemberLimit: 2, memberHas: 2 })
    expect(await few(two)).toMatchObject({ remaining: 0, perMemberLimit: 2, memberHas: 1 })
    await update(`update coupon set voided_reason = 'misprint' where coupon_code = '${code}'`)
    expect(await few(one)).toMatchObject({ remaining: 0, memberHas: 1 })
  })

  test('is free ones for who may issue, those for points for who may exchange', async () => {
    const seen = async () =>
      (await assigned(member, 'en-US', await logIn(company, 'ben'))).map((i) => i.couponId)
    await permit('pointExchange')
    expect(await seen()).toEqual(['LATTE'])
    await permit('homeIssuecoupon')
    expect(await seen()).not.toContain('LATTE')
    await permit('couponView')
    const ben = await logIn(company, 'ben')
    const input = { memberCode: member.memberCode }
    expect((await call(company, getStoreAssignedCoupons, input, { token: ben })).code).toBe(10000)
  })

  test('is refused for nobody’s member', async () => {
    const input = { memberCode: 'NOBODY' }
    expect((await call(company, getStoreAssignedCoupons, input, { token })).code).toBe(111102)
  })
})

describe('the detail of a code', () => {
  test('names its owner, whatever the code looks like', async () => {
    let code = ''
    while (!/0/.test(code) || !/1/.test(code)) code = await testCoupon(company, member)
    const typed = [
      code,
      code.toLowerCase(),
      ` ${code.slice(0, 4)}-${code.slice(4, 8)} ${code.slice(8)} `,
      code.replaceAll('0', 'O').replaceAll('1', 'I'),
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
      code.replaceAll(/./g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
    ]
    for (const one of typed) {
      expect(await detail(one)).toMatchObject({
        code: 0,
        data: {
          code,
          couponId: 'TREAT',
          status: 'ISSUED',
          redeemable: true,
          member: { memberCode: member.memberCode, firstName: 'Mei', lastName: 'Chan' },
        },
      })
    }
  })

  test('tells another company’s code from none in nothing', async () => {
    const other = await testCompany()
    const theirs = await testCoupon(other, await testMember(other))
    expect(await detail(theirs)).toEqual(await detail('NONE'))
    expect((await detail(theirs)).code).toBe(113001)
    await other.close()
  })

  test('says why a coupon cannot be used here and now', async () => {
    expect(await detailOf(30)).toMatchObject({
      status: 'EXPIRED',
      notRedeemableReason: 'couponExpired',
    })
    expect(await detailOf(29)).toMatchObject({ status: 'ISSUED', notRedeemableReason: null })
    expect(await detailOf(-1)).toMatchObject({
      status: 'ISSUED',
      notRedeemableReason: 'couponNotStarted',
    })
  })
})
