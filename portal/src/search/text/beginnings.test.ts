import * as library from 'libphonenumber-js/min'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { session } from '../../kit/call/session.ts'
import { phonesOf } from '../../member/phones.ts'
import { mayGoOn, rememberBeginning, rememberTyped } from './beginnings.ts'

const phones = phonesOf(library)

beforeEach(() => {
  vi.stubGlobal('localStorage', { setItem: vi.fn(), removeItem: vi.fn(), getItem: () => null })
  session.close()
  return () => vi.unstubAllGlobals()
})

describe('a whole number', () => {
  test.each([
    ['852', '5123 4567', true],
    ['852', '5123 456', false],
    ['852', '+852 5123 4567', true],
    // A landline is seldom a member's number, and may be the beginning of another one.
    ['852', '2123 4567', false],
    ['1', '(201) 555-0123', true],
    // Complete in Hong Kong, and the beginning of an American number.
    ['1', '61755501', false],
    ['86', '13812345678', true],
    ['86', '1381234567', false],
    ['886', '0912345678', true],
    ['853', '66123456', true],
    // A country whose forms only the library knows.
    ['65', '81234567', true],
    ['65', '8123456', false],
    // German numbers have 10 to 11 digits, so that one more can follow.
    ['49', '15123456789', false],
  ])('of +%s: %s is one: %s', (callingCode, text, isWhole) => {
    expect(phones.isWhole(text, callingCode)).toBe(isWhole)
  })
})

describe('a number that may go on', () => {
  test('begins like a card that was seen', () => {
    expect(mayGoOn('6200 0000')).toBe(false)
    rememberBeginning('6200000010001')
    expect(mayGoOn('6200 0000')).toBe(true)
    expect(mayGoOn('6201 0000')).toBe(false)
    // The card itself is complete.
    expect(mayGoOn('6200000010001')).toBe(false)
  })
  test('begins like one that a clerk has typed on', () => {
    rememberTyped('6200 0000', '6200 00001')
    expect(mayGoOn('6200 0000')).toBe(true)
    rememberTyped('5123 4567', '5123 456')
    rememberTyped('5123 4567', '9')
    expect(mayGoOn('5123 4567')).toBe(false)
  })
  test('is no code with letters', () => {
    rememberBeginning('AUR10001')
    expect(mayGoOn('10001')).toBe(false)
  })
  test('is forgotten at a logout', () => {
    rememberBeginning('6200000010001')
    session.open({
      token: 't',
      expiresAt: -1,
      staff: { account: 'amy', firstName: 'Amy', lastName: 'Lee' },
      store: { name: 'Main', code: 'M1' },
    })
    session.close()
    expect(mayGoOn('6200 0000')).toBe(false)
  })
})
