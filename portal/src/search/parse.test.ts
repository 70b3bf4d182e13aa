import * as library from 'libphonenumber-js/min'
import { checkCharacter } from '@tillside/contract/rules/coupon-code'
import { describe, expect, test } from 'vitest'
import { phonesOf, plainMobile } from '../member/phones.ts'
import {
  type Candidate,
  type Kind,
  type Method,
  methodFor,
  toHalfWidth,
  parse,
  parseAs,
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
    phones.read(text, companies[company][0] ?? '', companies[company])

const number = (countryCode: string, mobile: string) => ({ countryCode, mobile })
const coupon = `7H2K9QXW3RT${checkCharacter('7H2K9QXW3RT')}`
const digitCoupon = `20155501234${checkCharacter('20155501234')}`

describe('under a method', () => {
  test.each<[Method, string, unknown]>([
    ['mobile', '', 'mobileReq'],
    ['mobile', '   ', 'mobileReq'],
    ['mobile', '\u200b', 'mobileReq'],
    ['mobile', '5123 456', 'mobileBad'],
    ['mobile', '陳美玲', 'mobileBad'],
    ['mobile', '5123 4567', [number('852', '51234567')]],
    ['mobile', '+86 131 2345 6789', [number('86', '13123456789')]],
    [
      'mobile',
      'HAR10001',
      [{ code: 'HAR10001' }, { cardNumber: 'HAR10001' }, { coupon: 'HAR10001' }],
    ],
    ['mobile', 'a@b.hk', [{ email: 'a@b.hk' }]],
    ['mobile', '6200000030001', [{ cardNumber: '6200000030001' }, { code: '6200000030001' }]],
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
    const read = parseAs(method, text, reader())
    expect(typeof read === 'string' ? read : read.candidates).toEqual(expected)
  })
})

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
    expect(parseAs('mobile', text, reader(company))).toEqual({
      kind: 'mobile',
      candidates: [expected],
    })
  })

  test.each<[Company, string]>([
    ['harbour', '5123 456'],
    ['harbour', '1234 5678'],
    ['harbour', '852 1234 5678'],
    ['lotus', '131 2345 678'],
    ['aurora', '201555'],
    ['aurora', '0912 345 67'],
  ])('%s: %s is not a number', (company, text) => {
    expect(parseAs('mobile', text, reader(company))).toBe('mobileBad')
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
    ['6200000030001', 'card', [card, { code: '6200000030001' }]],
    ['6200 0000 3000 1', 'card', [card, { code: '6200000030001' }]],
    ['00012', 'card', [{ cardNumber: '00012' }, { code: '00012' }]],
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
    [
      '5123 4567',
      'mobile',
      [number('852', '51234567'), { cardNumber: '51234567' }, { code: '51234567' }],
    ],
    ['+86 13123456789', 'mobile', [number('86', '13123456789')]],
    ['a@b.hk', 'email', [{ email: 'a@b.hk' }]],
    ['MEILING', 'code', [{ code: 'MEILING' }, { cardNumber: 'MEILING' }]],
  ])('%s', (text, kind, candidates) => {
    expect(parse(text, reader())).toEqual({ kind, candidates })
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

test.each<[string, Method, Method]>([
  ['meiling@example.com', 'mobile', 'email'],
  ['+852 5123 4567', 'card', 'mobile'],
  ['+852 5123 4567', 'email', 'mobile'],
  ['HAR10001', 'mobile', 'code'],
  ['HAR10001', 'email', 'code'],
  ['HAR10001', 'card', 'card'],
  ['HAR10001', 'code', 'code'],
  [coupon, 'mobile', 'code'],
  ['6200000030001', 'mobile', 'card'],
  ['6200000030001', 'code', 'code'],
  ['8613123456789', 'mobile', 'mobile'],
  ['13123456789', 'mobile', 'mobile'],
  ['51234567', 'code', 'code'],
  ['51234567', 'card', 'card'],
  ['陳美玲', 'mobile', 'mobile'],
  ['https://shop.example/?code=HAR10001', 'mobile', 'code'],
  ['{"cardNumber":"6200000030001"}', 'code', 'card'],
  ['https://shop.example/?uniCustomerNo=U1', 'card', 'card'],
])('%s pasted into %s selects %s', (text, present, expected) =>
  expect(methodFor(text, present, reader())).toBe(expected),
)

test('full-width characters become plain ones', () => {
  expect(toHalfWidth('＋８５２　５１２３－４５６７')).toBe('+852 5123-4567')
  expect(toHalfWidth('陳，')).toBe('陳,')
})

test('digits are grouped by their country’s rules', () => {
  expect(phones.grouped('51234567', '852')).toBe('5123 4567')
  expect(phones.grouped('13123456789', '86')).toBe('131 2345 6789')
})
