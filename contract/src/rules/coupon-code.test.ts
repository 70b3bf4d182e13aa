import { expect, test } from 'vitest'
import { isCouponCode, readCouponCode } from './coupon-code.ts'

test.each([
  ['2R0Q 0RNC VWVM', '2R0Q0RNCVWVM'],
  ['2roq-ornc-vwvm', '2R0Q0RNCVWVM'],
  ['２Ｒ０Ｑ　０ＲＮＣ', '2R0Q0RNC'],
  // Characters of Chinese keyboards: a full-width hyphen, a dash, full-width letters.
  ['２ｒ０ｑ－ｏｌ—ｎｉ', '2R0Q01N1'],
  [' il1 ', '111'],
  [' - ', ''],
])('%s is read as %s', (typed, code) => expect(readCouponCode(typed)).toBe(code))

// Worked out without this program: printed coupons have to stay valid.
const code = '7H2K9QXW3RTQ'

test.each([
  [code, true],
  [code.toLowerCase().replaceAll(/(.{4})/g, '$1 '), true],
  [`8${code.slice(1)}`, false],
  [code.slice(0, -1), false],
  [`${code}0`, false],
  ['6200000030001', false],
  ['HAR10001', false],
  ['', false],
])('whether %s is a coupon code: %s', (text, expected) => {
  expect(isCouponCode(text)).toBe(expected)
})
