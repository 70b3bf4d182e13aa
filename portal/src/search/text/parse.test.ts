import * as library from 'libphonenumber-js/min'
import { checkCharacter } from '@tillside/contract/rules/coupon-code'
import { describe, expect, test } from 'vitest'
import { phonesOf, plainMobile } from '../../member/phones.ts'
import {
  type Candidate,
  isNumber,
  type Kind,
  type Method,
  toHalfWidth,
  parse,
  understand,
} from './parse.ts'

const phones = phonesOf(library)
const companies = {
  harbour: ['852', '853', '86', '1'],
  lotus: ['86', '852', '886', '1'],
  formosa: ['886', '852', '86', '1'],
  macau: ['853', '852', '86'],
  aurora: ['1', '852', '86', '886'],
}
type Company = keyof typeof companies
const reader =
  (company: Company = 'harbour') =>
  (text: string) =>
    phones.readAll(text, companies[company])

const number = (countryCode: string, mobile: string) => ({ countryCode, mobile })
const coupon = `7H2K9QXW3RT${checkCharacter('7H2K9QXW3RT')}`
const digitCoupon = `20155501234${checkCharacter('20155501234')}`

const candidatesOf = (text: string, narrow: Method | null = null, company: Company = 'harbour') => {
  const read = understand(text, reader(company), narrow)
  return typeof read === 'string' ? read : read.candidates
}

describe('narrowed to a method', () => {
  test.each<[Method, string, unknown]>([
    ['mobile', '', 'mobileReq'],
    ['mobile', '   ', 'mobileReq'],
    ['mobile', '\u200b', 'mobileReq'],
    ['mobile', '5123 456', 'mobileBad'],
    ['mobile', '陳美玲', 'mobileBad'],
    ['mobile', '5123 4567', [number('852', '51234567')]],
    ['mobile', '+86 131 2345 6789', [number('86', '13123456789')]],
    ['mobile', 'Tel: 5123 4567', [number('852', '51234567')]],
    [
      'mobile',
      'HAR10001',
      [{ code: 'HAR10001' }, { cardNumber: 'HAR10001' }, { coupon: 'HAR10001' }],
    ],
    ['mobile', 'a@b.hk', [{ email: 'a@b.hk' }]],
    [
      'mobile',
      '6200000030001',
      [{ cardNumber: '6200000030001' }, { code: '6200000030001' }, { coupon: '6200000030001' }],
    ],
    ['card', '', 'cardReq'],
    ['card', ' - ', 'cardReq'],
    ['card', '6200 0000 3000 1', [{ cardNumber: '6200000030001' }]],
    ['card', '51234567', [{ cardNumber: '51234567' }]],
    ['code', '', 'codeReq'],
    ['code', 'HAR-10001 ', [{ code: 'HAR10001' }, { coupon: 'HAR10001' }]],
    ['code', coupon, [{ coupon }, { code: coupon }]],
    ['code', 'HAR_10001', 'codeBad'],
    ['code', '會員', 'codeBad'],
    ['email', '', 'emailReq'],
    ['email', 'meiling', 'emailBad'],
    ['email', 'a@b', 'emailBad'],
    ['email', ' a@b.hk ', [{ email: 'a@b.hk' }]],
    ['email', 'ａ＠ｂ．hk', [{ email: 'a@b.hk' }]],
  ])('as %s %j', (method, text, expected) => {
    expect(candidatesOf(text, method)).toEqual(expected)
  })
})

test.each([
  ['', 'anyReq'],
  [' - ', 'anyReq'],
  ['陳美玲', 'anyReq'],
  ['HAR_10001', 'anyReq'],
  ['a@b', 'emailBad'],
])('without a method, %j is the error %s', (text, expected) =>
  expect(candidatesOf(text)).toBe(expected),
)

describe('a mobile number, as each country writes it', () => {
  test.each<[Company, string, unknown]>([
    ['lotus', '131 2345 6789', number('86', '13123456789')],
    ['lotus', '131-2345-6789', number('86', '13123456789')],
    ['lotus', '８６１３１２３４５６７８９', number('86', '13123456789')],
    ['lotus', '0086 131 2345 6789', number('86', '13123456789')],
    ['lotus', '86-13123456789', number('86', '13123456789')],
    ['lotus', '+86 (0)131 2345 6789', number('86', '13123456789')],
    ['harbour', '5123-4567', number('852', '51234567')],
    ['harbour', '５１２３　４５６７', number('852', '51234567')],
    ['harbour', '852 5123 4567', number('852', '51234567')],
    ['harbour', '(852) 5123 4567', number('852', '51234567')],
    ['harbour', '+852-5123-4567', number('852', '51234567')],
    ['harbour', '00852 51234567', number('852', '51234567')],
    ['harbour', '13123456789', number('86', '13123456789')],
    ['harbour', '86 131 2345 6789', number('86', '13123456789')],
    ['harbour', '853 6612 3456', number('853', '66123456')],
    ['macau', '6612 3456', number('853', '66123456')],
    ['macau', '853 6612 3456', number('853', '66123456')],
    ['macau', '00853-66123456', number('853', '66123456')],
    ['macau', '+852 5123 4567', number('852', '51234567')],
    ['formosa', '0912 345 678', number('886', '912345678')],
    ['formosa', '0912-345-678', number('886', '912345678')],
    ['formosa', '912345678', number('886', '912345678')],
    ['formosa', '886912345678', number('886', '912345678')],
    ['formosa', '+886 0912345678', number('886', '912345678')],
    ['formosa', '+886 912 345 678', number('886', '912345678')],
    ['aurora', '(201) 555-0123', number('1', '2015550123')],
    ['aurora', '201.555.0123', number('1', '2015550123')],
    ['aurora', '1-201-555-0123', number('1', '2015550123')],
    ['aurora', '+1 201 555 0123', number('1', '2015550123')],
    ['aurora', '0912345678', number('886', '912345678')],
    ['aurora', '85251234567', number('852', '51234567')],
    ['aurora', '+44 7400 123456', number('44', '7400123456')],
  ])('%s: %s', (company, text, expected) => {
    const [first] = candidatesOf(text, null, company)
    expect(first).toEqual(expected)
    expect(understand(text, reader(company), 'mobile')).toMatchObject({ kind: 'mobile' })
  })

  test.each<[Company, string]>([
    ['harbour', '5123 456'],
    ['harbour', '1234 5678'],
    ['harbour', '852 1234 5678'],
    ['lotus', '131 2345 678'],
    ['aurora', '201555'],
    ['aurora', '0912 345 67'],
  ])('%s: %s is not a number', (company, text) => {
    expect(candidatesOf(text, 'mobile', company)).toBe('mobileBad')
  })

  test.each([
    ['(201) 555-0123', number('1', '2015550123')],
    ['２０１ ５５５ ０１２３', number('1', '2015550123')],
    ['12', null],
    ['twelve', null],
  ])('without the library, %s is accepted as digits', (text, expected) =>
    expect(plainMobile(text, '1')).toEqual(expected),
  )
})

const card = { cardNumber: '6200000030001' }
const har = { code: 'HAR10001' }

const codesOf = (text: string) => [{ cardNumber: text }, { code: text }, { coupon: text }]
describe('any text', () => {
  test.each<[string, Kind, Candidate[]]>([
    ['https://shop.example/m?code=HAR10001', 'code', [har]],
    ['HTTPS://SHOP.EXAMPLE/?utm=x&cardNumber=6200000030001', 'card', [card]],
    ['https://s.example/?countryCode=852&mobile=51234567', 'mobile', [number('852', '51234567')]],
    ['https://s.example/?email=a%40b.hk', 'email', [{ email: 'a@b.hk' }]],
    ['tillside://m?uniCustomerNo=UHAR10001', 'customer', [{ uniCustomerNo: 'UHAR10001' }]],
    ['{"code":"HAR10001"}', 'code', [har]],
    ['{"cardNumber":6200000030001,"name":"x"}', 'card', [card]],
    [' {"countryCode":852,"mobile":"51234567"} ', 'mobile', [number('852', '51234567')]],
    ['6200000030001', 'card', codesOf('6200000030001')],
    ['6200 0000 3000 1', 'card', codesOf('6200000030001')],
    ['00012', 'card', codesOf('00012')],
    ['HAR10001', 'code', [har, { cardNumber: 'HAR10001' }, { coupon: 'HAR10001' }]],
    ['\u202aHAR-10001\u202c', 'code', [har, { cardNumber: 'HAR10001' }, { coupon: 'HAR10001' }]],
    [coupon, 'coupon', [{ coupon }, { code: coupon }, { cardNumber: coupon }]],
    [
      '7h2k-9qxw-3rt' + coupon.slice(-1),
      'coupon',
      [
        { coupon },
        { code: '7h2k9qxw3rt' + coupon.slice(-1) },
        { cardNumber: '7h2k9qxw3rt' + coupon.slice(-1) },
      ],
    ],
    ['5123 4567', 'mobile', [number('852', '51234567'), ...codesOf('51234567')]],
    ['+86 13123456789', 'mobile', [number('86', '13123456789')]],
    ['a@b.hk', 'email', [{ email: 'a@b.hk' }]],
    ['MEILING', 'code', [{ code: 'MEILING' }, { cardNumber: 'MEILING' }, { coupon: 'MEILING' }]],
  ])('%s', (text, kind, candidates) => {
    expect(parse(text, reader())).toMatchObject({ kind, candidates })
  })

  test('twelve digits with a valid check character may also be a coupon', () => {
    expect(parse(digitCoupon, reader())?.candidates).toContainEqual({ coupon: digitCoupon })
  })

  test.each([
    '',
    '陳美玲',
    'https://shop.example/',
    'https://shop.example/?code=HAR10001&email=a@b.hk',
    'https://shop.example/?mobile=51234567',
    'https://',
    '{"code":""}',
    '{"code":"HAR10001","cardNumber":"6200000030001"}',
    '{"cardNumber":12345678901234567890}',
    '{"code":{"code":"HAR10001"}}',
    '{"code":',
    '["HAR10001"]',
    'WIFI:S:shop;T:WPA;P:secret;;',
    'BEGIN:VCARD',
    'A'.repeat(33),
  ])('%s is not a look-up', (text) => expect(parse(text, reader())).toBeNull())
})

test.each<[Company, string, unknown[]]>([
  // The same eight digits are a number of Hong Kong and of Macau.
  ['harbour', '6612 3456', [number('852', '66123456'), number('853', '66123456')]],
  ['macau', '6612 3456', [number('853', '66123456'), number('852', '66123456')]],
  // A landline of Taiwan, but a mobile number of Hong Kong.
  ['formosa', '51234567', [number('852', '51234567'), number('886', '51234567')]],
  ['harbour', '13123456789', [number('86', '13123456789'), number('1', '3123456789')]],
])('%s: %s is tried in each country that it fits', (company, text, expected) => {
  expect(candidatesOf(text, 'mobile', company)).toEqual(expected)
})

const grace = number('1', '2015550123')
describe('a text with a label', () => {
  test.each<[string, Kind, Candidate]>([
    ['Tel: 201-555-0123', 'mobile', grace],
    ['tel:+12015550123', 'mobile', grace],
    ['Tel. 201 555 0123', 'mobile', grace],
    ['Phone number: (201) 555-0123', 'mobile', grace],
    ['Mobile no. 201.555.0123', 'mobile', grace],
    ['M: 2015550123', 'mobile', grace],
    ['WhatsApp +1 201 555 0123', 'mobile', grace],
    ['电话：201-555-0123', 'mobile', grace],
    ['電話 201-555-0123', 'mobile', grace],
    ['手機2015550123', 'mobile', grace],
    ['手机号码：2015550123', 'mobile', grace],
    ['聯絡電話: 2015550123', 'mobile', grace],
    ['Card no. 6200 0000 1000 1', 'card', { cardNumber: '6200000010001' }],
    ['Card: AUR10001', 'card', { cardNumber: 'AUR10001' }],
    ['Loyalty card #62000001', 'card', { cardNumber: '62000001' }],
    ['会员卡号：6200000010001', 'card', { cardNumber: '6200000010001' }],
    ['卡號 6200000010001', 'card', { cardNumber: '6200000010001' }],
    ['Member code: AUR10001', 'code', { code: 'AUR10001' }],
    ['Member No.: 10001', 'code', { code: '10001' }],
    ['会员号：AUR10001', 'code', { code: 'AUR10001' }],
    ['會員編號 AUR-10001', 'code', { code: 'AUR10001' }],
    ['ID 2015550123', 'code', { code: '2015550123' }],
    ['E-mail: grace.lee@example.com', 'email', { email: 'grace.lee@example.com' }],
    ['mailto:grace.lee@example.com', 'email', { email: 'grace.lee@example.com' }],
    ['電郵：grace.lee@example.com', 'email', { email: 'grace.lee@example.com' }],
    ['邮箱 grace.lee@example.com', 'email', { email: 'grace.lee@example.com' }],
    ['Coupon: PAPER-77', 'coupon', { coupon: 'PAPER77' }],
    ['優惠券編號：PAPER77', 'coupon', { coupon: 'PAPER77' }],
    ['Grace Lee, Tel: 201-555-0123', 'mobile', grace],
    ['Grace Lee\nEmail: grace.lee@example.com\n', 'email', { email: 'grace.lee@example.com' }],
  ])('%j is a %s', (text, kind, first) => {
    const read = parse(text, reader('aurora'))
    expect(read?.kind).toBe(kind)
    expect(read?.candidates[0]).toEqual(first)
  })

  test('tries the other kinds after the one of its label', () =>
    expect(parse('会员号 6200000010001', reader('aurora'))?.candidates).toEqual([
      { code: '6200000010001' },
      { cardNumber: '6200000010001' },
      { coupon: '6200000010001' },
    ]))

  test.each(['CARD1', 'TEL5', 'ID-7'])('%s is a code without a label', (text) =>
    expect(parse(text, reader('aurora'))?.candidates).toContainEqual({
      code: text.replace('-', ''),
    }),
  )

  test.each(['Tel:', '电话', 'Tel: soon', 'Email: none yet', 'Notes: a, b; c'])(
    '%s is not a look-up',
    (text) => expect(parse(text, reader('aurora'))).toBeNull(),
  )
})

test('only the characters of a phone number are grouped', () => {
  expect(isNumber('+852 (5123)-4567')).toBe(true)
  expect(isNumber('5123 4567x')).toBe(false)
})

test('full-width characters become plain ones', () => {
  expect(toHalfWidth('＋８５２　５１２３－４５６７')).toBe('+852 5123-4567')
  expect(toHalfWidth('陳，')).toBe('陳,')
})

test('digits are grouped by their country’s rules', () => {
  expect(phones.grouped('51234567', '852')).toBe('5123 4567')
  expect(phones.grouped('13123456789', '86')).toBe('131 2345 6789')
})
