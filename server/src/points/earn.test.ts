import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lifeOf, pointsFor } from './earn.ts'

describe('points for spend', () => {
  it.each([
    ['9.99', '1', '1', 9],
    ['0.99', '1', '1', 0],
    ['100.00', '0.01', '1', 1],
    ['99.99', '0.01', '1', 0],
    ['33.33', '3', '1.5', 149],
    // As floats, 1.1 × 1.1 is not exactly 1.21.
    ['100.00', '1.1', '1.1', 121],
    ['4.35', '100', '1', 435],
    ['1.15', '100', '1', 115],
    ['-5.00', '1', '1', 0],
    ['0.00', '1', '1', 0],
    ['9999999999999.99', '1', '1', 9999999999999],
    ['250.00', '1', '0', 0],
  ])('%s at %s times %s is %i', (amount, perUnit, multiplier, expected) => {
    expect(pointsFor(amount, { perUnit, multiplier })).toBe(expected)
  })

  it('throws if the result is not a safe integer', () => {
    const rate = { perUnit: '999999', multiplier: '100' }
    expect(() => pointsFor('9999999999999.99', rate)).toThrow('more points')
  })

  it('never gives more than the exact product, nor a whole point less', () => {
    const cents = fc.bigInt({ min: 0n, max: 10n ** 12n })
    const thousandths = fc.bigInt({ min: 0n, max: 99_999n })
    fc.assert(
      fc.property(cents, thousandths, thousandths, (amount, rate, times) => {
        const points = pointsFor(decimals(amount, 2), {
          perUnit: decimals(rate, 3),
          multiplier: decimals(times, 3),
        })
        const left = amount * rate * times - BigInt(points) * 10n ** 8n
        expect(left >= 0n && left < 10n ** 8n).toBe(true)
      }),
    )
  })
})

describe('the first and last day of points', () => {
  it.each([
    ['2026-03-10', 0, { kind: 'none' }, '2026-03-10', null],
    ['2026-03-10', 14, { kind: 'months', months: 12 }, '2026-03-24', '2027-03-31'],
    ['2026-01-31', 0, { kind: 'months', months: 1 }, '2026-01-31', '2026-02-28'],
    ['2024-01-31', 0, { kind: 'months', months: 1 }, '2024-01-31', '2024-02-29'],
    ['2026-12-31', 1, { kind: 'months', months: 2 }, '2027-01-01', '2027-02-28'],
    ['2026-12-30', 0, { kind: 'fixed', dates: ['12-31'] }, '2026-12-30', '2026-12-31'],
    // A sale on the date itself gets the next date. Pending days may also pass a date.
    ['2026-12-31', 0, { kind: 'fixed', dates: ['12-31'] }, '2026-12-31', '2027-12-31'],
    ['2026-06-28', 7, { kind: 'fixed', dates: ['06-30', '12-31'] }, '2026-07-05', '2026-12-31'],
  ] as const)('%s, pending %i days, %j: %s to %s', (day, pendingDays, rule, from, to) => {
    const expiry = rule.kind === 'fixed' ? { ...rule, dates: [...rule.dates] } : rule
    expect(lifeOf(day, { pendingDays, expiry })).toEqual({ activeFrom: from, expiresOn: to })
  })
})

function decimals(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0')
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
