import type { Permission } from '@tillside/contract/wire/permissions'
import { describe, expect, test } from 'vitest'
import { tabIn, tabsOf } from './tabs.ts'

const granted = (...names: Permission[]) => new Set(names)

describe('the pages of a member', () => {
  test('every clerk who finds a member has the overview', () => {
    expect(tabsOf(granted())).toEqual(['view'])
  })
  test('their order does not depend on the order of the permissions', () => {
    expect(tabsOf(granted('pointExchange', 'point'))).toEqual(['view', 'point', 'point-redeem'])
  })
  test('receipts are before the profile', () => {
    expect(tabsOf(granted('userInfo', 'transaction'))).toEqual(['view', 'transaction', 'userinfo'])
  })
  test('each permission to spend points opens the page for it', () => {
    expect(tabsOf(granted('pointRedeem'))).toContain('point-redeem')
    expect(tabsOf(granted('pointExchange'))).toContain('point-redeem')
  })
  test('each permission for coupons but points opens their page', () => {
    for (const name of ['coupon', 'couponView', 'couponRedeem', 'homeIssuecoupon'] as const) {
      expect(tabsOf(granted(name))).toEqual(['view', 'coupon'])
    }
  })
  test('a page without permission is like one that does not exist', () => {
    expect(tabIn('point', granted())).toBeNull()
    expect(tabIn('points', granted('point'))).toBeNull()
    expect(tabIn(undefined, granted('point'))).toBeNull()
    expect(tabIn('point', granted('point'))).toBe('point')
  })
})
