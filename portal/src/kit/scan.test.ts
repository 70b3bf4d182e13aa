import { expect, test } from 'vitest'
import { scanner } from './scan.ts'

/** Presses the keys of a text, each so long after the last, and tells what was heard of each. */
function press(text: string, gap: number, end = 'Enter', hear = scanner(), begin = 0) {
  const codes = Array.from(text, (one) =>
    /\d/.test(one) ? `Digit${one}` : one === '-' ? 'Minus' : one === ' ' ? 'Space' : `Key${one}`,
  )
  return [...codes, end].map((code, index) =>
    hear({ code, shift: code.startsWith('Key'), at: begin + index * gap }),
  )
}

test.each([
  ['a coupon code', '2R0Q0RNCVWVM', 10, 'Enter'],
  ['one in groups', '2R0Q 0RNC-VWVM', 35, 'Tab'],
])('%s at the speed of a scanner is heard whole', (_case, text, gap, end) => {
  const heard = press(text, gap, end)
  expect(heard.at(-1)).toEqual({ scanned: text })
  expect(new Set(heard.slice(1, -1))).toEqual(new Set(['burst']))
})

test.each([
  ['at the speed of a hand', '2R0Q0RNCVWVM', 36],
  ['too short for a code', '12345', 10],
  ['nothing but an Enter', '', 10],
])('%s is not', (_case, text, gap) => {
  expect(press(text, gap).at(-1)).toBe('nothing')
})

test('what a hand pressed before is no part of it', () => {
  const hear = scanner()
  press('AB', 200, 'KeyC', hear)
  expect(press('123456', 10, 'Enter', hear, 2000).at(-1)).toEqual({ scanned: '123456' })
})

test('each scan begins anew', () => {
  const hear = scanner()
  press('123456', 10, 'Enter', hear)
  expect(press('654321', 10, 'Enter', hear, 500).at(-1)).toEqual({ scanned: '654321' })
})
