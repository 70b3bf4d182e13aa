import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  capOf,
  difference,
  type Exchange,
  least,
  readAmount,
  readPoints,
  suggestions,
  troubleWith,
  worth,
} from './exchange.ts'

const rule = { minimum: 500, maximum: 5000, increment: 100, pointValue: '0.1', maxShare: 0.5 }
const exchange = (more: Partial<Exchange> = {}): Exchange => ({
  rule,
  usable: 12_480,
  cap: null,
  ...more,
})

describe('what is typed', () => {
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
})

describe('the first rule that is broken is the one that is said', () => {
  test.each([
    [null, { kind: 'positiveInt' }],
    [499, { kind: 'min', limit: 500 }],
    [5001, { kind: 'max', limit: 5000 }],
    [1050, { kind: 'step', limit: 100, near: [1000, 1100] }],
    [500, null],
    [501, { kind: 'step', limit: 100, near: [500, 600] }],
    [5000, null],
    [12_500, { kind: 'max', limit: 5000 }],
  ])('%s', (points, trouble) => {
    expect(troubleWith(points, exchange())).toEqual(trouble)
  })
  test.each([
    [499, 'min'],
    [5001, 'max'],
    [550, 'step'],
    [700, 'share'],
    [600, 'balance'],
    [500, undefined],
  ])('in the order of the server: of %i, with more wrong behind it, %s', (points, kind) => {
    const usable = 500
    expect(troubleWith(points, exchange({ usable, cap: 600 }))?.kind).toBe(kind)
  })
  test('the steps beside a number keep to the share and to the balance', () => {
    const near = (usable: number) => troubleWith(1050, exchange({ usable, cap: 1000 }))
    expect(near(12_480)).toEqual({ kind: 'step', limit: 100, near: [1000] })
    expect(near(999)).toEqual({ kind: 'step', limit: 100, near: [] })
    expect(troubleWith(1500, exchange({ cap: 1400 }))).toEqual({ kind: 'share', limit: 1400 })
    expect(troubleWith(1450, exchange({ cap: 1400 }))).toEqual({
      kind: 'step',
      limit: 100,
      near: [1400],
    })
  })
  test('an unseen balance is left to the server', () => {
    expect(troubleWith(4000, exchange({ usable: null }))).toBeNull()
  })
})

describe('what is offered', () => {
  test('the most, then round numbers below it', () => {
    expect(suggestions(exchange({ cap: 1400 }))).toEqual([1400, 1000, 500])
    expect(suggestions(exchange())).toEqual([5000, 2000, 1000])
  })
  test('nothing where nothing fits', () => {
    expect(suggestions(exchange({ usable: 499 }))).toEqual([])
    expect(suggestions(exchange({ cap: 0 }))).toEqual([])
  })
  test('whatever the rules, every suggestion keeps to them', () => {
    const cases = fc.record({
      minimum: fc.integer({ min: 1, max: 3000 }),
      span: fc.integer({ min: 0, max: 50_000 }),
      increment: fc.integer({ min: 1, max: 700 }),
      usable: fc.option(fc.integer({ min: -50, max: 60_000 })),
      cap: fc.option(fc.integer({ min: 0, max: 60_000 })),
    })
    fc.assert(
      fc.property(cases, ({ minimum, span, increment, usable, cap }) => {
        const given = {
          rule: { ...rule, minimum, maximum: minimum + span, increment },
          usable,
          cap,
        }
        for (const one of suggestions(given)) expect(troubleWith(one, given)).toBeNull()
      }),
    )
  })
  test('the fewest are a multiple too', () => {
    expect(least(rule)).toBe(500)
    expect(least({ ...rule, minimum: 550 })).toBe(600)
  })
})

describe('money', () => {
  test('the share of a sale in points, down to the step', () => {
    expect(capOf(rule, '286.00')).toBe(1400)
    expect(capOf(rule, '0.00')).toBe(0)
    expect(capOf({ ...rule, maxShare: 0.3, pointValue: '0.01', increment: 1 }, '0.10')).toBe(3)
    expect(capOf({ ...rule, maxShare: 1, pointValue: '3', increment: 1 }, '10.00')).toBe(3)
  })
  test('no cent is lost', () => {
    expect(worth(1000, '0.1')).toBe('100.0')
    expect(worth(3, '0.01')).toBe('0.03')
    expect(worth(7, '2')).toBe('14')
    expect(difference('286.00', worth(1000, '0.1'))).toBe('186.00')
    expect(difference('1.00', '1.50')).toBe('-0.50')
  })
})
