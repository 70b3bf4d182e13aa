import { QueryClient } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { describe, expect, test } from 'vitest'
import { couponListQuery, applyRedemption, findByCode, usableCouponsQuery } from './coupons.ts'

const coupon = (code: string): Coupon => ({
  code,
  couponId: 'gift',
  name: 'Welcome gift',
  unionCode: null,
  description: null,
  kind: 'gift',
  value: null,
  status: 'ISSUED',
  issueDate: '2026-11-01',
  startDate: '2026-11-01',
  expiryDate: '2026-12-30',
  redeemDate: null,
  redeemStore: null,
  redeemable: true,
  notRedeemableReason: null,
})

const { queryKey } = usableCouponsQuery('M1')

function known() {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, {
    items: [coupon('A'), coupon('B')],
    nextCursor: null,
    counts: { ISSUED: 2, USED: 1, EXPIRED: 0 },
  })
  return queries
}

test('a used coupon leaves the list and changes the counts at once', () => {
  const queries = known()
  applyRedemption(queries, 'M1', [{ ...coupon('A'), status: 'USED' }])
  const left = queries.getQueryData(queryKey)
  expect(left?.items.map(({ code }) => code)).toEqual(['B'])
  expect(left?.counts).toEqual({ ISSUED: 1, USED: 2, EXPIRED: 0 })
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

test('the same answer twice counts once', () => {
  const queries = known()
  applyRedemption(queries, 'M1', [{ ...coupon('A'), status: 'USED' }])
  applyRedemption(queries, 'M1', [{ ...coupon('A'), status: 'USED' }])
  expect(queries.getQueryData(queryKey)?.counts.ISSUED).toBe(1)
})

test('another member’s coupons stay as they are', () => {
  const queries = known()
  applyRedemption(queries, 'M2', [{ ...coupon('A'), status: 'USED' }])
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(false)
})

test('several coupons leave all pages of the list at once', () => {
  const queries = known()
  const list = couponListQuery('M1', 'ISSUED').queryKey
  const counts = { ISSUED: 4, USED: 0, EXPIRED: 0 }
  queries.setQueryData(list, {
    pages: [
      { items: [coupon('A'), coupon('B')], nextCursor: 'next', counts },
      { items: [coupon('C'), coupon('D')], nextCursor: null, counts },
    ],
    pageParams: ['', 'next'],
  })
  applyRedemption(queries, 'M1', [coupon('B'), coupon('C')])
  const left = queries.getQueryData(list)?.pages.map(({ items }) => items.map(({ code }) => code))
  expect(left).toEqual([['A'], ['D']])
})

describe('a typed code', () => {
  const gift = { ...coupon('2R0Q0RNCVWVM'), unionCode: 'HB-BD' }
  const later = { ...coupon('6PC0S6WQDSDG'), unionCode: 'HB-BD', redeemable: false }

  test('finds the coupon with that code', () => {
    expect(findByCode([later, gift], '2roq ornc vwvm')).toBe(gift)
  })
  test('as a union code, finds the first usable coupon', () => {
    expect(findByCode([later, gift], 'hb-bd')).toBe(gift)
    expect(findByCode([later], 'HB BD')).toBe(later)
  })
  test('finds none of the loaded coupons', () => {
    expect(findByCode([later, gift], '2R0Q')).toBeNull()
  })
})
