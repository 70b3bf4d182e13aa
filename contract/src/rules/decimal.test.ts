import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  thousandths,
  decimal,
  decimalText,
  floor,
  larger,
  minus,
  plus,
  rounded,
  smaller,
  times,
} from './decimal.ts'

const amounts = fc
  .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.integer({ min: 0, max: 4 }))
  .map(([units, scale]) => ({ units, scale }))

describe('decimal', () => {
  it.each([
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['0.0049', 2, '0.00'],
    ['2.675', 2, '2.68'],
    ['-2.674', 2, '-2.67'],
    ['3', 2, '3.00'],
    ['999.995', 2, '1000.00'],
  ])('rounds %s to %i digits as %s', (text, scale, expected) => {
    expect(decimalText(rounded(decimal(text), scale))).toBe(expected)
  })

  it.each([
    ['1.99', 1n],
    ['-1.01', -2n],
    ['-1.00', -1n],
    ['0.00', 0n],
    ['-0.01', -1n],
  ])('floors %s to %i', (text, expected) => {
    expect(floor(decimal(text))).toBe(expected)
  })

  it('does not drift as floats do', () => {
    expect(decimalText(times(decimal('1.15'), decimal('100')))).toBe('115.00')
    expect(decimalText(plus(decimal('0.1'), decimal('0.2')))).toBe('0.3')
    expect(decimalText(minus(decimal('0.10'), decimal('0.3')))).toBe('-0.20')
  })

  it.each(['', ' 1', '1.', '.5', '1e3', '+1', '--1', '１', 'NaN', '1,000'])(
    'refuses %j',
    (text) => {
      expect(() => decimal(text)).toThrow('not a decimal')
    },
  )

  it.each([
    ['999999999999999.99', 999_999_999_999_999_990n],
    ['-128.00', -128_000n],
    ['0.0005', 1n],
    ['free', null],
  ])('has %s in thousandths', (amount, expected) => {
    expect(thousandths(amount)).toBe(expected)
  })

  it('reads what it writes, and orders like numbers', () => {
    fc.assert(
      fc.property(amounts, amounts, (a, b) => {
        expect(decimal(decimalText(a))).toEqual(a)
        expect(larger(a, b) === a).toBe(minus(a, b).units >= 0n)
        expect(minus(smaller(a, b), larger(a, b)).units <= 0n).toBe(true)
        expect(minus(plus(a, b), b).units * 10n ** BigInt(a.scale)).toBe(
          a.units * 10n ** BigInt(Math.max(a.scale, b.scale)),
        )
      }),
    )
  })
})
