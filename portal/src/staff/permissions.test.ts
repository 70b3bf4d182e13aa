import type { AppMenu } from '@tillside/contract/company'
import { expect, test } from 'vitest'
import { grantsOf } from './permissions.ts'

function entry(identifier: string, over: Partial<AppMenu> = {}): AppMenu {
  const base = {
    id: identifier,
    parentId: null,
    type: 'menu',
    url: null,
    icon: null,
    sort: 0,
  } as const
  return { ...base, identifier, name: identifier, ...over }
}

test('modules are the menus at the root, in the company’s order', () => {
  const { menus } = grantsOf([
    entry('booking', { sort: 2 }),
    entry('member', { sort: 1 }),
    entry('search', { parentId: 'member' }),
    entry('coupon', { type: 'button', parentId: 'member' }),
  ])
  expect(menus.map(({ identifier }) => identifier)).toEqual(['member', 'booking'])
})

test('permissions are the known names, at any level of the tree', () => {
  const { permissions } = grantsOf([
    entry('member'),
    entry('coupon', { type: 'button', parentId: 'member' }),
    entry('somethingNew', { type: 'button' }),
  ])
  expect([...permissions]).toEqual(['coupon'])
})
