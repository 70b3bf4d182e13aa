import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { divide, soldLines, sumsOf, unitOf } from './amounts.ts'

describe('divide', () => {
  it('gives parts that add up and differ from the exact share by less than a cent', () => {
    const shares = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(fc.nat(1_000_000), shares, (cents, weights) => {
        const whole = weights.reduce((a, b) => a + b, 0)
        const parts = divide(cents, weights)
        expect(parts.reduce((a, b) => a + b, 0)).toBe(whole === 0 ? 0 : cents)
        for (const [n, part] of parts.entries()) {
          const exact = whole === 0 ? 0 : (cents * (weights[n] ?? 0)) / whole
          expect(Math.abs(part - exact)).toBeLessThan(1.000_001)
        }
      }),
    )
  })
})

describe('a receipt', () => {
  const lines = [
    { sku: 'BEAN-250', quantity: 2 },
    { sku: 'LATTE', quantity: 3 },
  ] as const
  const coupons = [
    { code: 'A', name: '3 off', kind: 'amount' as const, value: '3.00' },
    { code: 'B', name: '15 %', kind: 'percent' as const, value: '15' },
  ]
  it('has lines that add up to its sums, and units that add up to their line', () => {
    const sums = sumsOf(lines, coupons, 1000)
    expect(sums).toEqual({ total: 4850, discount: 983, byPoints: 1000, toPay: 2867 })
    const sold = soldLines(lines, sums)
    const added = (field: 'total' | 'discount' | 'spend') =>
      sold.reduce((sum, line) => sum + line[field], 0)
    expect([added('total'), added('discount'), added('spend')]).toEqual([4850, 983, 2867])
    for (const line of sold) {
      const units = Array.from({ length: line.quantity }, (_, n) => unitOf(line, n))
      expect(units.reduce((sum, unit) => sum + unit.spend, 0)).toBe(line.spend)
    }
  })
  it('never costs less than nothing', () => {
    const large = [{ code: 'C', name: '99 off', kind: 'amount' as const, value: '99.00' }]
    expect(sumsOf([{ sku: 'LATTE', quantity: 1 }], large, 500)).toEqual({
      total: 550,
      discount: 550,
      byPoints: 0,
      toPay: 0,
    })
  })
})
