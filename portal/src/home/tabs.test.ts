import type { Permission } from '@tillside/contract/wire/permissions'
import { describe, expect, test } from 'vitest'
import { tabIn, tabsOf } from './tabs.ts'

const granted = (...names: Permission[]) => new Set(names)

describe('the pages of a member', () => {
  test('the overview is there for everybody who finds a member', () => {
    expect(tabsOf(granted())).toEqual(['view'])
  })
  test('they stand in one order, whatever the order of the permissions', () => {
    expect(tabsOf(granted('pointExchange', 'point'))).toEqual(['view', 'point', 'point-redeem'])
  })
  test('receipts stand before the profile', () => {
    expect(tabsOf(granted('userInfo', 'transaction'))).toEqual(['view', 'transaction', 'userinfo'])
  })
  test('either way of spending points opens the page for it', () => {
    expect(tabsOf(granted('pointRedeem'))).toContain('point-redeem')
    expect(tabsOf(granted('pointExchange'))).toContain('point-redeem')
  })
  test('what is not granted and what does not exist are alike', () => {
    expect(tabIn('point', granted())).toBeNull()
    expect(tabIn('points', granted('point'))).toBeNull()
    expect(tabIn(undefined, granted('point'))).toBeNull()
    expect(tabIn('point', granted('point'))).toBe('point')
  })
})
