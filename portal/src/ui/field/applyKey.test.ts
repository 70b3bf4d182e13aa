import { expect, test } from 'vitest'
import { applyKey } from './applyKey.ts'

test.each<[string, [number, number], string, string, number]>([
  ['', [0, 0], '5', '5', 1],
  ['51', [2, 2], '2', '512', 3],
  ['5123 4567', [4, 4], '9', '51239 4567', 5],
  ['5123', [0, 4], '6', '6', 1],
  ['5123', [4, 4], 'delete', '512', 3],
  ['5123', [2, 2], 'delete', '523', 1],
  ['5123', [1, 3], 'delete', '53', 1],
  ['5123', [0, 0], 'delete', '5123', 0],
  ['', [0, 0], 'delete', '', 0],
])('%j with %j selected and %s pressed', (text, chosen, key, expected, caret) => {
  expect(applyKey(text, chosen, key)).toEqual({ text: expected, caret })
})
