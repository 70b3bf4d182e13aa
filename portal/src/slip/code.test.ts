import { expect, test } from 'vitest'
import { operationCode, operationIn, shortOperation } from './code.ts'

const key = '7f3a91c2-5c1a-4e0a-9d55-0f6f0a6d3c11'

test('a scanned slip names its operation', () => {
  expect(operationIn(operationCode(key))).toBe(key)
  expect(operationIn(` ${operationCode(key)}\n`)).toBe(key)
})

test.each([
  '',
  key,
  'OP-',
  'OP-7F3A-91C2',
  `OP-${key}0`,
  '2015550123',
  'https://a.example/?code=1',
])('%j names none', (scanned) => expect(operationIn(scanned)).toBe(null))

test('the short form is two groups of four', () => {
  expect(shortOperation(key)).toBe('7F3A-91C2')
})
