import * as library from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { phonesOf } from '../member/phones.ts'
import {
  anyLookUp,
  caretBehind,
  digitsBefore,
  lookUpOf,
  type Method,
  methodFor,
  plainMobile,
  unstuck,
} from './typed.ts'

const phones = phonesOf(library)

describe('what was typed', () => {
  test.each<[Method, string, unknown]>([
    ['mobile', '', 'mobileReq'],
    ['mobile', '   ', 'mobileReq'],
    ['mobile', '5123 456', 'mobileBad'],
    ['mobile', '5123 4567', { countryCode: '852', mobile: '51234567' }],
    ['mobile', '+86 131 2345 6789', { countryCode: '86', mobile: '13123456789' }],
    ['card', '', 'cardReq'],
    ['card', ' - ', 'cardReq'],
    ['card', '6200 0000 3000 1', { cardNumber: '6200000030001' }],
    ['code', '', 'codeReq'],
    ['code', 'HAR-10001 ', { code: 'HAR10001' }],
    ['code', 'HAR_10001', 'codeBad'],
    ['code', '會員', 'codeBad'],
    ['email', '', 'emailReq'],
    ['email', 'meiling', 'emailBad'],
    ['email', 'a@b', 'emailBad'],
    ['email', ' a@b.hk ', { email: 'a@b.hk' }],
  ])('as %s %j', (method, text, expected) =>
    expect(lookUpOf(method, text, (typed) => phones.read(typed, '852'))).toEqual(expected),
  )

  test('a number with its trunk zero is the number without it', () =>
    expect(phones.read('0912 345 678', '886')).toEqual({
      countryCode: '886',
      mobile: '912345678',
    }))

  test.each([
    ['(201) 555-0123', { countryCode: '1', mobile: '2015550123' }],
    ['12', null],
    ['twelve', null],
  ])('without the rules %s still counts as digits', (text, expected) =>
    expect(plainMobile(text, '1')).toEqual(expected),
  )
})

test.each<[string, Method, Method]>([
  ['meiling@example.com', 'mobile', 'email'],
  ['+852 5123 4567', 'card', 'mobile'],
  ['+852 5123 4567', 'email', 'mobile'],
  ['HAR10001', 'mobile', 'code'],
  ['HAR10001', 'card', 'card'],
  ['HAR10001', 'code', 'code'],
  ['6200000030001', 'mobile', 'card'],
  ['13123456789', 'mobile', 'mobile'],
  ['51234567', 'code', 'code'],
  ['51234567', 'card', 'card'],
  ['陳美玲', 'mobile', 'mobile'],
])('%s pasted into %s belongs to %s', (text, present, expected) =>
  expect(methodFor(text, present)).toBe(expected),
)

test.each([
  ['5123 4567', { countryCode: '852', mobile: '51234567' }],
  ['+86 13123456789', { countryCode: '86', mobile: '13123456789' }],
  ['6200000030001', { cardNumber: '6200000030001' }],
  ['00012', { cardNumber: '00012' }],
  ['HAR10001', { code: 'HAR10001' }],
  ['a@b.hk', { email: 'a@b.hk' }],
  ['陳美玲', null],
  ['', null],
])('%s in the one field for all names %j', (text, expected) =>
  expect(anyLookUp(text, (typed) => phones.read(typed, '852'))).toEqual(expected),
)

test('the caret stays behind the digit that was typed', () => {
  expect(digitsBefore('5123 4567', 6)).toBe(5)
  expect(caretBehind('5123 4567', 5)).toBe(6)
  expect(caretBehind('5123 4567', 4)).toBe(4)
  expect(caretBehind('5123 4567', 0)).toBe(0)
  expect(caretBehind('+852 5123', 9)).toBe(9)
})

test.each([
  ['(555)', '(555', '55'],
  ['5123 4', '5123 ', '5123 '],
  ['5123 4567', '51234567', '51234567'],
  ['51', '5', '5'],
  ['5', '51', '51'],
])('%s becoming %s means %s', (before, after, meant) => expect(unstuck(before, after)).toBe(meant))

test('digits stand in the groups of their country', () => {
  expect(phones.grouped('51234567', '852')).toBe('5123 4567')
  expect(phones.grouped('13123456789', '86')).toBe('131 2345 6789')
})
