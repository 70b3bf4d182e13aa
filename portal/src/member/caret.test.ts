import { expect, test } from 'vitest'
import { caretAfterDigits, digitsBefore, resolveDeletion } from './caret.ts'

test('the caret stays after the typed digit', () => {
  expect(digitsBefore('5123 4567', 6)).toBe(5)
  expect(caretAfterDigits('5123 4567', 5)).toBe(6)
  expect(caretAfterDigits('5123 4567', 4)).toBe(4)
  expect(caretAfterDigits('5123 4567', 0)).toBe(0)
  expect(caretAfterDigits('+852 5123', 9)).toBe(9)
})

test.each([
  ['(555)', '(555', '55'],
  ['5123 4', '5123 ', '5123 '],
  ['5123 4567', '51234567', '51234567'],
  ['51', '5', '5'],
  ['5', '51', '51'],
])('%s becoming %s means %s', (before, after, meant) =>
  expect(resolveDeletion(before, after)).toBe(meant),
)
