import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decideExchange,
  decideGift,
  type ExchangeDecision,
  type GiftDecision,
  shareLimit,
  worth,
} from './exchange.ts'

const rule = { minimum: 200, maximum: 5000, increment: 100, pointValue: '0.01', maxShare: 0.5 }
const plenty = 1_000_000

/** A decision in one word, with its limit where it has one. */
function inShort(decision: ExchangeDecision | GiftDecision): string {
  if (decision.outcome === 'takes') return `takes ${decision.points} for ${decision.amount}`
  if (decision.outcome === 'invalid') return `${decision.path} ${decision.reason}`
  return 'limit' in decision ? `${decision.reason} ${decision.limit}` : decision.reason
}

describe('points against a transaction', () => {
  it.each([
    // Each boundary with its neighbours.
    [199, '1000.00', plenty, 'pointsBelowMinimum 200'],
    [200, '1000.00', plenty, 'takes 200 for 2.00'],
    [201, '1000.00', plenty, 'pointsNotMultiple 100'],
    [4999, '1000.00', plenty, 'pointsNotMultiple 100'],
    [5000, '1000.00', plenty, 'takes 5000 for 50.00'],
    [5001, '1000.00', plenty, 'pointsAboveMaximum 5000'],
    [299, '1000.00', plenty, 'pointsNotMultiple 100'],
    [300, '1000.00', plenty, 'takes 300 for 3.00'],
    [301, '1000.00', plenty, 'pointsNotMultiple 100'],
    // Half of 10.00 is 500 points; a cent less, and the increment takes the rest.
    [500, '9.99', plenty, 'pointsAboveShare 400'],
    [500, '10.00', plenty, 'takes 500 for 5.00'],
    [600, '10.00', plenty, 'pointsAboveShare 500'],
    [600, '11.99', plenty, 'pointsAboveShare 500'],
    [600, '12.00', plenty, 'takes 600 for 6.00'],
    [200, '0.00', plenty, 'pointsAboveShare 0'],
    [300, '1000.00', 299, 'pointsAboveBalance 299'],
    [300, '1000.00', 300, 'takes 300 for 3.00'],
    [300, '1000.00', 301, 'takes 300 for 3.00'],
    // Numbers that are never valid.
    [0, '1000.00', plenty, 'points tooSmall'],
    [-1, '1000.00', plenty, 'points tooSmall'],
    [-300, '1000.00', plenty, 'points tooSmall'],
  ])('%i of a sale of %s with %i: %s', (points, transactionAmount, valid, expected) => {
    expect(inShort(decideExchange(rule, { points, transactionAmount }, valid))).toBe(expected)
  })

  it.each([
    // After 300 of 1000.00, the minimum is reached, and the limits are what is left.
    [100, 300, '1000.00', 'takes 100 for 1.00'],
    [150, 300, '1000.00', 'pointsNotMultiple 100'],
    [4700, 300, '1000.00', 'takes 4700 for 47.00'],
    [4800, 300, '1000.00', 'pointsAboveMaximum 4700'],
    [200, 300, '10.00', 'takes 200 for 2.00'],
    [300, 300, '10.00', 'pointsAboveShare 200'],
    [100, 600, '10.00', 'pointsAboveShare 0'],
    [100, 50, '1000.00', 'pointsBelowMinimum 200'],
    // A partial return may leave points that are no multiple.
    [100, 250, '1000.00', 'takes 100 for 1.00'],
    [150, 250, '1000.00', 'pointsNotMultiple 100'],
    [4800, 250, '1000.00', 'pointsAboveMaximum 4700'],
    [500, 250, '10.00', 'pointsAboveShare 200'],
  ])('%i after %i for a sale of %s: %s', (points, paidBefore, transactionAmount, expected) => {
    const asked = { points, transactionAmount, paidBefore }
    expect(inShort(decideExchange(rule, asked, plenty))).toBe(expected)
  })

  it('looks in the order that the contract states', () => {
    const tight = { minimum: 200, maximum: 300, increment: 200, pointValue: '1', maxShare: 0.5 }
    const of = (points: number, transactionAmount?: string) =>
      inShort(decideExchange(tight, { points, transactionAmount }, 0))
    expect(inShort(decideExchange(null, { points: 0 }, 0))).toBe('pointsNotConfigured')
    expect(of(0)).toBe('points tooSmall')
    // Several rules are violated; the first in the contract's order is returned.
    expect(of(150)).toBe('pointsBelowMinimum 200')
    expect(of(350)).toBe('pointsAboveMaximum 300')
    expect(of(250)).toBe('pointsNotMultiple 200')
    expect(of(200)).toBe('transactionAmount required')
    expect(of(200, '399.99')).toBe('pointsAboveShare 0')
    expect(of(200, '400.00')).toBe('pointsAboveBalance 0')
  })

  it('asks for no amount where there is no share rule', () => {
    const open = { ...rule, maxShare: null }
    expect(inShort(decideExchange(open, { points: 200 }, plenty))).toBe('takes 200 for 2.00')
    const tiny = { points: 200, transactionAmount: '0.01' }
    expect(inShort(decideExchange(open, tiny, plenty))).toBe('takes 200 for 2.00')
  })

  it.each([
    // Where floats would lose or win a point: 0.29 × 100 is 28.999…, 0.1 + 0.2 is not 0.3.
    [0.29, '100.00', '1', 1, 29],
    [0.3, '1.00', '0.1', 1, 3],
    [0.57, '100.00', '1', 1, 57],
    [1, '0.03', '0.01', 1, 3],
    [0.000_000_1, '10000000.00', '1', 1, 1],
    [0.5, '999999999999999.99', '0.0001', 1, Number.MAX_SAFE_INTEGER],
    [1, '999.99', '1', 250, 750],
    [1, '999.99', '0.00', 1, 0],
  ])('%d of %s at %s in steps of %i is %i', (maxShare, amount, pointValue, increment, expected) => {
    expect(shareLimit({ maxShare, pointValue, increment }, amount)).toBe(expected)
  })

  it('never lets points pay more than the share', () => {
    const share = fc.integer({ min: 1, max: 100 })
    const cents = fc.bigInt({ min: 0n, max: 10n ** 9n })
    const value = fc.integer({ min: 1, max: 50_000 })
    fc.assert(
      fc.property(share, cents, value, (percent, amount, tenThousandths) => {
        const pointValue = (tenThousandths / 10_000).toFixed(4)
        const of = { maxShare: percent / 100, pointValue, increment: 1 }
        const limit = shareLimit(of, money(amount))
        const exact = (points: number) => BigInt(points) * BigInt(tenThousandths) * 100n
        const allowed = amount * BigInt(percent) * 100n
        expect(exact(limit) <= allowed && exact(limit + 1) > allowed).toBe(true)
        const paid = BigInt(worth(limit, pointValue).replace('.', ''))
        expect(paid * 100n <= amount * BigInt(percent)).toBe(true)
      }),
    )
  })
})

describe('what points are worth', () => {
  it.each([
    // 1.515 and 1.005: half a cent is the company's, so that points never pay more than the share.
    [101, '0.015', '1.51'],
    [67, '0.015', '1.00'],
    [1000, '0.1', '100.00'],
    [3, '0.01', '0.03'],
    [7, '2', '14.00'],
    [1, '0.0099', '0.00'],
  ])('%i points at %s are %s', (points, pointValue, expected) => {
    expect(worth(points, pointValue)).toBe(expected)
    const each = { minimum: 1, maximum: 5000, increment: 1, pointValue, maxShare: 1 }
    const decision = decideExchange(each, { points, transactionAmount: '1000.00' }, null)
    expect(inShort(decision)).toBe(`takes ${points} for ${expected}`)
  })

  it('takes every decimal of the share', () => {
    // With six decimals 1/3 would allow 333.333, and 2/3 would allow 666.667, a point too many.
    const of = { pointValue: '0.001', increment: 1 }
    expect(shareLimit({ ...of, maxShare: 1 / 3 }, '1000000.00')).toBe(333_333_333)
    expect(shareLimit({ ...of, maxShare: 2 / 3 }, '1000000.00')).toBe(666_666_666)
    expect(shareLimit({ ...of, maxShare: 0.000_000_4 }, '10000.00')).toBe(4)
  })
})

describe('a gift', () => {
  const gift = { points: 50, remaining: 3, perMemberLimit: 4 }
  it.each([
    ['all that is left', gift, 3, 0, 150, 'takes 150 for null'],
    ['one more than there is', gift, 4, 0, plenty, 'giftOutOfStock'],
    ['up to the limit', gift, 3, 1, plenty, 'takes 150 for null'],
    ['past the limit', gift, 3, 2, plenty, 'giftLimit'],
    ['a point short', gift, 3, 0, 149, 'pointsAboveBalance 149'],
    [
      'unlimited',
      { ...gift, remaining: null, perMemberLimit: null },
      10,
      99,
      500,
      'takes 500 for null',
    ],
    ['sold out', { ...gift, remaining: 0 }, 1, 9, 0, 'giftOutOfStock'],
    ['at the limit with nothing to pay', gift, 1, 4, 0, 'giftLimit'],
    ['that is none', null, 1, 9, 0, 'giftUnknown'],
  ])('%s', (_case, terms, quantity, has, valid, expected) => {
    const supply = terms && { ...terms, memberHas: has }
    expect(inShort(decideGift(supply, quantity, valid))).toBe(expected)
  })
})

function money(cents: bigint): string {
  const digits = cents.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
