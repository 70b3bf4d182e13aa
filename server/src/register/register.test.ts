import { createCustomer, getOneCustomer, listConsents } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays, addMonths } from '@tillside/contract/rules/day'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { signUp, memberIn, refusedFields, newForm } from '../testing/factories/registration.ts'
import { field, testRegister } from '../testing/factories/register-form.ts'

let company: TestCompany
let token: string
let today: string
beforeAll(async () => {
  company = await testCompany({
    birthdayMinAge: 16,
    webhooks: [
      {
        id: 'crm',
        url: 'http://localhost/hook',
        secretVariable: 'WEBHOOK_SECRET',
        events: ['member.created'],
      },
    ],
  })
  token = await logIn(company)
  today = await todayOf(company)
})
afterAll(() => company.close())

const refused = async (changes: Record<string, unknown>) =>
  refusedFields(await signUp(company, token, changes))

const line = async (address: object, language: string) =>
  memberIn(await signUp(company, token, { address }, { language })).addressLine

const readTrace = statement(
  `select (select jsonb_agg(jsonb_build_array(c.kind, c.agreed, c.version, c.language,
       c.store_code, c.staff_id is not null) order by c.kind) from consent c
       where c.company_id = m.company_id and c.member_id = m.member_id) as consents,
     (select jsonb_agg(jsonb_build_array(a.action, a.store_code)) from audit a where
       a.company_id = m.company_id and a.place = m.member_id and a.member_id = a.place) as audits,
     (select jsonb_agg(o.data) from event o
       where o.company_id = m.company_id and o.member_id = m.member_id) as told
   from member m where m.company_id = $1 and m.member_code = $2`,
  z.object({ consents: z.json(), audits: z.json(), told: z.json() }),
)

describe('a registration', () => {
  test('creates a member with a code, a card number and a customer number', async () => {
    const typed = {
      gender: 'F',
      birthday: '1990-02-28',
      email: 'Mei.Chan@Example.com',
      address: { country: 'HK', city: '810200', district: '810205', detail: '1 Hung To Road' },
      petName: 'Wawa',
      locker: 'B07',
      size: 'L',
      likes: ['jam', 'tea', 'tea'],
      anniversary: '2020-02-29',
      children: 2,
      paperless: true,
    }
    const answer = await signUp(company, token, { mobile: '51110001', ...typed })
    expect(answer.code).toBe(0)
    const member = memberIn(answer)
    expect(member).toMatchObject({
      firstName: 'Mei',
      lastName: 'Chan',
      countryCode: '852',
      mobile: '51110001',
      gender: 'F',
      birthday: '1990-02-28',
      email: 'Mei.Chan@Example.com',
      address: { ...typed.address, province: null },
      addressLine: '1 Hung To Road, Kwun Tong, Kowloon, Hong Kong',
      registrationDate: today,
      registrationStore: { code: 'S1' },
      tnc: { acceptedVersion: '2', needsResign: false },
      marketingOptIn: false,
      tier: { code: 'associate' },
      customFields: {
        petName: 'Wawa',
        locker: 'B07',
        size: 'L',
        likes: ['jam', 'tea'],
        anniversary: '2020-02-29',
        children: 2,
        paperless: true,
      },
      version: 1,
    })
    expect(member.memberCode).toMatch(/^M[2-9A-Z]{10}$/)
    expect(member.cardNumber).toMatch(/^[1-9]\d{15}$/)
    expect(luhn(member.cardNumber)).toBe(0)
    const { memberCode: code, cardNumber, uniCustomerNo } = member
    for (const query of [{ code }, { cardNumber }, { uniCustomerNo }, { email: typed.email }]) {
      expect((await ok(company, getOneCustomer, query, { token })).memberCode).toBe(code)
    }
  })

  test('writes two consents, one audit row and one event', async () => {
    const answer = await signUp(company, token, { marketingOptIn: true }, { language: 'zh-HK' })
    const { memberCode } = memberIn(answer)
    const trace = await company.database.transaction(company.id, (tx) =>
      tx.one(readTrace, [company.id, memberCode]),
    )
    const joined = { memberCode, registrationDate: today }
    expect(trace).toEqual({
      consents: [
        ['marketing', true, '2', 'zh-HK', 'S1', true],
        ['terms', true, '2', 'zh-HK', 'S1', true],
      ],
      audits: [['member.create', 'S1']],
      told: [{ ...joined, registrationStore: 'S1', marketingOptIn: true }],
    })
  })

  test('stores the language that the customer read, one of the company’s', async () => {
    const asking = (consentLanguage: string) =>
      signUp(company, token, { consentLanguage }, { language: 'en-US' })
    expect(refusedFields(await asking('zh-CN'))).toEqual(['consentLanguage:notAllowed'])
    const { memberCode } = memberIn(await asking('zh-HK'))
    const { items } = await ok(company, listConsents, { memberCode }, { token })
    expect(items.map(({ language }) => language)).toEqual(['zh-HK', 'zh-HK'])
  })

  test('sent twice with one idempotency key creates one member', async () => {
    const [input, key] = [newForm(), crypto.randomUUID()]
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call(company, createCustomer, input, { token, key })),
    )
    expect(new Set(answers.map((answer) => memberIn(answer).memberCode)).size).toBe(1)
  })

  test('assigns numbers that are independent of each other', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(company, token)))
    const members = answers.map(memberIn)
    for (const name of ['memberCode', 'cardNumber', 'uniCustomerNo'] as const) {
      const beginnings = members.map((member) => member[name].slice(0, 6))
      expect(new Set(beginnings).size).toBe(20)
    }
  })

  test('refuses a contact of another member, in any spelling', async () => {
    await signUp(company, token, {
      countryCode: '886',
      mobile: '0912345001',
      email: 'a@example.com',
    })
    for (const [changes, taken] of [
      [{ countryCode: '886', mobile: '912345001' }, 'mobile'],
      [{ countryCode: '８８６', mobile: '０９１２３４５００１' }, 'mobile'],
      [{ email: ' A@EXAMPLE.com ' }, 'email'],
      [{ countryCode: '886', mobile: '912345001', email: 'a@example.com' }, 'mobile'],
    ] as const) {
      const answer = await signUp(company, token, changes)
      expect([answer.status, answer.code, answer.data]).toEqual([200, 111103, { field: taken }])
    }
  })
})

describe('the form decides', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['an unknown field', { vip: true, shoe: 38 }, ['vip:unknownField', 'shoe:unknownField']],
    ['a missing name', { firstName: null }, ['firstName:required']],
    ['a missing mobile', { mobile: undefined, countryCode: undefined }, ['mobile:required']],
    ['half a mobile', { countryCode: undefined }, ['countryCode:required']],
    ['outdated terms', { tncVersion: '1' }, ['tncVersion:outdated']],
    ['an unknown gender', { gender: 'X' }, ['gender:notAllowed']],
    ['an unknown option', { size: 'M' }, ['size:notAllowed']],
    ['an unknown option among several', { likes: ['tea', 'rum'] }, ['likes:notAllowed']],
    ['one instead of several', { likes: 'tea' }, ['likes:wrongType']],
    ['a text that does not match the pattern', { locker: 'B7' }, ['locker:format']],
    [
      'a text that matches the pattern only at its beginning',
      { locker: 'B07 x' },
      ['locker:format'],
    ],
    ['a number as text', { children: '2' }, ['children:wrongType']],
    ['half a number', { children: 1.5 }, ['children:wrongType']],
    ['the number 0', { children: 0 }, ['children:tooSmall']],
    ['a number that is too large', { children: 1e15 }, ['children:tooLarge']],
    ['a word for yes', { paperless: 'yes' }, ['paperless:wrongType']],
    ['a day that does not exist', { anniversary: '2026-02-30' }, ['anniversary:format']],
    ['a control character', { petName: 'a\u0000b' }, ['petName:text']],
    ['a long text', { petName: 'x'.repeat(201) }, ['petName:tooLong']],
    ['a list instead of a text', { petName: ['a'] }, ['petName:wrongType']],
    ['an object instead of a text', { petName: { a: 1 } }, ['petName:wrongType']],
    ['an address without a country', { address: { city: 'Paris' } }, ['address.country:required']],
    ['an unknown country', { address: { country: 'ZZ' } }, ['address.country:notAllowed']],
    [
      'a city of another region',
      { address: { country: 'HK', city: '440300' } },
      ['address.city:notAllowed'],
    ],
    [
      'a province in a country without provinces',
      { address: { country: 'TW', province: '710000' } },
      ['address.province:notAllowed'],
    ],
    [
      'a district without its city',
      { address: { country: 'HK', district: '810205' } },
      ['address.district:notAllowed'],
    ],
    [
      'a city as text where cities have codes',
      { address: { country: 'CN', city: 'Shenzhen' } },
      ['address.city:notAllowed'],
    ],
    ['several at once', { gender: 'X', size: 'M' }, ['gender:notAllowed']],
  ])('%s is refused at the field', async (_case, changes, fields) => {
    expect(await refused(changes)).toEqual(fields)
  })

  test('an address in a country without codes is stored as typed', async () => {
    const address = { country: 'GB', city: 'Llanfairpwll', detail: 'Station Road 1' }
    const { addressLine } = memberIn(await signUp(company, token, { address }))
    expect(addressLine).toBe('Station Road 1, Llanfairpwll, United Kingdom')
  })

  test('an address in Chinese is written from large to small', async () => {
    const beijing = { country: 'CN', province: '110000', city: '110100', district: '110105' }
    expect(await line({ ...beijing, detail: '建国路1号' }, 'zh-CN')).toBe(
      '中国北京市朝阳区建国路1号',
    )
    const taipei = { country: 'TW', city: '710100', district: '710107', detail: '市府路1號' }
    expect(await line(taipei, 'zh-TW')).toBe('台灣臺北市信義區市府路1號')
    expect(await line({ country: 'US', city: 'New York', detail: 'Broadway 1' }, 'zh-HK')).toBe(
      '美國New York Broadway 1',
    )
  })

  test('without the permission to register no member is created', async () => {
    const answer = await signUp(company, await logIn(company, 'ben'))
    expect(answer.code).toBe(10000)
  })

  test('a form without a first name accepts a last name alone, but not neither', async () => {
    const fields = [field('lastName', 'text'), field('nickname', 'text')]
    const other = await testCompany({ register: { ...testRegister, fields } })
    const theirs = await logIn(other)
    const send = (typed: object) =>
      call(
        other,
        createCustomer,
        { tncVersion: '2', marketingOptIn: true, ...typed },
        { token: theirs },
      )
    expect(memberIn(await send({ lastName: 'Chan' }))).toMatchObject({ firstName: '' })
    expect(refusedFields(await send({ nickname: 'Mei' }))).toEqual(['firstName:required'])
    await other.close()
  })

  test('a required checkbox must be ticked, an optional one need not be', async () => {
    const must = field('agree', 'boolean', { required: true })
    const fields = [field('lastName', 'text'), must, field('paperless', 'boolean')]
    const other = await testCompany({ register: { ...testRegister, fields } })
    const theirs = await logIn(other)
    const typed = { tncVersion: '2', marketingOptIn: true, lastName: 'Chan', paperless: false }
    const send = (ticks: object) =>
      call(other, createCustomer, { ...typed, ...ticks }, { token: theirs })
    for (const ticks of [{}, { agree: null }, { agree: false }]) {
      expect(refusedFields(await send(ticks))).toEqual(['agree:required'])
    }
    const { customFields } = memberIn(await send({ agree: true }))
    expect(customFields).toEqual({ agree: true, paperless: false })
    await other.close()
  })
})

describe('a birthday', () => {
  test('is in the past, and the customer is old enough', async () => {
    const sixteen = addMonths(today, -16 * 12)
    for (const [birthday, outcome] of [
      [addDays(today, 1), ['birthday:future']],
      [today, ['birthday:tooYoung']],
      [addDays(sixteen, 1), ['birthday:tooYoung']],
      ['1850-01-01', ['birthday:notAllowed']],
      ['0000-00-00', ['birthday:format']],
      ['1990-02-29', ['birthday:format']],
      ['28/02/1990', ['birthday:format']],
    ] as const) {
      expect([birthday, await refused({ birthday })]).toEqual([birthday, outcome])
    }
    for (const birthday of [sixteen, '1992-02-29', '1904-02-29']) {
      expect(memberIn(await signUp(company, token, { birthday })).birthday).toBe(birthday)
    }
  })
})

function luhn(digits: string): number {
  return (
    Array.from(digits, Number)
      .toReversed()
      .map((digit, index) => (index % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)))
      .reduce((sum, digit) => sum + digit) % 10
  )
}
