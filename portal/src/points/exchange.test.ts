import { decimalText } from '@tillside/contract/rules/decimal'
import { worth } from '@tillside/contract/rules/exchange'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  difference,
  type Exchange,
  minimumPoints,
  readAmount,
  readPoints,
  suggestions,
  exchangeErrorOf,
} from './exchange.ts'

const rule = { minimum: 500, maximum: 5000, increment: 100, pointValue: '0.1', maxShare: 0.5 }
const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  rule,
  usable: 12_480,
  amount: null,
  ...more,
})

describe('reading input', () => {
  test.each([
    ['1000', 1000],
    [' 1,000 ', 1000],
    ['１０００', 1000],
    ['0', null],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1,5', null],
    ['1e3', null],
    ['9007199254740993', null],
  ])('%s as points', (text, points) => {
    expect(readPoints(text)).toBe(points)
  })
  test.each([
    ['286', '286.00'],
    ['1,286.5', '1286.50'],
    ['0.05', '0.05'],
    ['007.10', '7.10'],
    ['１２.３４', '12.34'],
    ['1.234', null],
    ['-5', null],
    ['.5', null],
    ['', null],
  ])('%s as an amount', (text, amount) => {
    expect(readAmount(text)).toBe(amount)
  })
  test.each([
    ['1,286', 0, '1286'],
    ['1286.5', 0, null],
    ['12.3', 3, '12.300'],
    ['12.345', 3, '12.345'],
    ['12.3456', 3, null],
  ])('%s as an amount of a currency with %i decimals', (text, places, amount) => {
    expect(readAmount(text, places)).toBe(amount)
  })
})

describe('reports the first broken rule', () => {
  test.each([
    [null, { kind: 'positiveInt' }],
    [499, { kind: 'min', limit: 500 }],
    [5001, { kind: 'max', limit: 5000 }],
    [1050, { kind: 'step', limit: 100, near: [1000, 1100] }],
    [500, null],
    [501, { kind: 'step', limit: 100, near: [500, 600] }],
    [5000, null],
    [12_500, { kind: 'max', limit: 5000 }],
  ])('%s', (points, error) => {
    expect(exchangeErrorOf(points, exchange())).toEqual(error)
  })
  test.each([
    [499, 'min'],
    [5001, 'max'],
    [550, 'step'],
    [700, 'share'],
    [600, 'balance'],
    [500, undefined],
  ])('in the server’s order: for %i, which breaks several rules, %s', (points, kind) => {
    const usable = 500
    expect(exchangeErrorOf(points, exchange({ usable, amount: '120.00' }))?.kind).toBe(kind)
  })
  test('the suggested steps respect the share and the balance', () => {
    const near = (usable: number) => exchangeErrorOf(1050, exchange({ usable, amount: '200.00' }))
    expect(near(12_480)).toEqual({ kind: 'step', limit: 100, near: [1000] })
    expect(near(999)).toEqual({ kind: 'step', limit: 100, near: [] })
    expect(exchangeErrorOf(1500, exchange({ amount: '280.00' }))).toEqual({
      kind: 'share',
      limit: 1400,
    })
    expect(exchangeErrorOf(1450, exchange({ amount: '280.00' }))).toEqual({
      kind: 'step',
      limit: 100,
      near: [1400],
    })
  })
  test.each([
    [100, null],
    [1050, null],
    [5100, { kind: 'max', limit: 5000 }],
    [1500, { kind: 'share', limit: 1400 }],
    [1100, { kind: 'balance', limit: 1000 }],
  ])('%i points for a sale that others may pay for already', (points, error) => {
    const named = { named: true, usable: 1000, amount: '280.00' }
    expect(exchangeErrorOf(points, exchange(named))).toEqual(error)
  })
  test('an invisible balance is left to the server', () => {
    expect(exchangeErrorOf(4000, exchange({ usable: null }))).toBeNull()
  })
})

describe('suggestions', () => {
  test('the maximum, then round numbers below it', () => {
    expect(suggestions(exchange({ amount: '280.00' }))).toEqual([1400, 1000, 500])
    expect(suggestions(exchange())).toEqual([5000, 2000, 1000])
  })
  test('none if no number is allowed', () => {
    expect(suggestions(exchange({ usable: 499 }))).toEqual([])
    expect(suggestions(exchange({ amount: '0.00' }))).toEqual([])
  })
  test('every suggestion is valid, for all rules', () => {
    const cases = fc.record({
      minimum: fc.integer({ min: 1, max: 3000 }),
      span: fc.integer({ min: 0, max: 50_000 }),
      increment: fc.integer({ min: 1, max: 700 }),
      usable: fc.option(fc.integer({ min: -50, max: 60_000 })),
      cents: fc.option(fc.bigInt({ min: 0n, max: 1_200_000n })),
    })
    fc.assert(
      fc.property(cases, ({ minimum, span, increment, usable, cents }) => {
        const given = {
          rule: { ...rule, minimum, maximum: minimum + span, increment },
          usable,
          amount: cents === null ? null : decimalText({ units: cents, scale: 2 }),
        }
        for (const one of suggestions(given)) expect(exchangeErrorOf(one, given)).toBeNull()
      }),
    )
  })
  test('the minimum is a multiple of the increment', () => {
    expect(minimumPoints(rule)).toBe(500)
    expect(minimumPoints({ ...rule, minimum: 550 })).toBe(600)
  })
})

describe('the remaining amount', () => {
  test('is the sale minus the value of the points, to the cent', () => {
    expect(difference('286.00', worth(1000, '0.1'))).toBe('186.00')
    expect(difference('1.00', '1.50')).toBe('-0.50')
  })
  test('equals the server’s amount if a point is worth half a cent', () => {
    expect(worth(101, '0.015')).toBe('1.51')
    expect(difference('10.00', worth(101, '0.015'))).toBe('8.49')
  })
  test('uses every decimal of the share', () => {
    const seven = { ...rule, minimum: 1, maximum: 9_000_000, increment: 1, maxShare: 0.666_666_7 }
    const given = { rule: { ...seven, pointValue: '0.01' }, usable: null, amount: '99999.00' }
    expect(exchangeErrorOf(6_666_600, given)).toBeNull()
    expect(exchangeErrorOf(6_666_601, given)).toEqual({ kind: 'share', limit: 6_666_600 })
  })
})
