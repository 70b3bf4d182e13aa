import { describe, expect, test } from 'vitest'
import { decimal } from './decimal.ts'
import { currencyDecimals, moneyPattern, moneyText, readMoney } from './money.ts'

describe('the decimals of a currency', () => {
  test.each([
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['USD', 2],
    ['CNY', 2],
    ['TWD', 2],
    // People write these without decimals, but ISO 4217 has them.
    ['IDR', 2],
    ['IQD', 3],
    ['KWD', 3],
    [null, 2],
  ])('%s has %i', (code, places) => expect(currencyDecimals(code)).toBe(places))
})

test.each([
  ['12.345', 0, '12'],
  ['12.5', 0, '13'],
  ['-12.5', 0, '-13'],
  ['12.345', 2, '12.35'],
  ['12', 3, '12.000'],
  ['-0.0004', 3, '0.000'],
])('%s with %i decimals is %s', (amount, places, text) => {
  expect(moneyText(decimal(amount), places)).toBe(text)
})

test('an amount is read if it has no more decimals', () => {
  expect(readMoney('12.5', 3)).toBe('12.500')
  expect(readMoney('12.5', 2)).toBe('12.50')
  expect(readMoney('12.00', 0)).toBe('12')
  expect(readMoney('12.5', 0)).toBeNull()
  expect(readMoney('a lot', 2)).toBeNull()
})

test('an amount on the wire has exactly the decimals', () => {
  const written = ['12', '12.3', '12.34', '12.345', '-12.34', '.5', '12.', '1234.00']
  const of = (places: number) => written.filter((text) => moneyPattern(places, 3).test(text))
  expect(of(0)).toEqual(['12'])
  expect(of(2)).toEqual(['12.34', '-12.34'])
  expect(of(3)).toEqual(['12.345'])
})
