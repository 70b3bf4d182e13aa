import { QueryClient } from '@tanstack/react-query'
import type { Coupon } from '@tillside/contract/coupon'
import { expect, test } from 'vitest'
import { couponUsed, usableCouponsQuery } from './coupons.ts'

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

test('a used coupon leaves the list and moves its count, before anybody is asked again', () => {
  const queries = known()
  couponUsed(queries, 'M1', { ...coupon('A'), status: 'USED' })
  const left = queries.getQueryData(queryKey)
  expect(left?.items.map(({ code }) => code)).toEqual(['B'])
  expect(left?.counts).toEqual({ ISSUED: 1, USED: 2, EXPIRED: 0 })
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true)
})

test('an answer heard twice counts once', () => {
  const queries = known()
  couponUsed(queries, 'M1', { ...coupon('A'), status: 'USED' })
  couponUsed(queries, 'M1', { ...coupon('A'), status: 'USED' })
  expect(queries.getQueryData(queryKey)?.counts.ISSUED).toBe(1)
})

test('another member’s coupons stay as they are', () => {
  const queries = known()
  couponUsed(queries, 'M2', { ...coupon('A'), status: 'USED' })
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(false)
})
