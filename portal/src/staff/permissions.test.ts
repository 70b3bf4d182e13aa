import { type AppMenu, getPermission } from '@tillside/contract/company'
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
  const { modules, areas } = grantsOf([
    entry('booking', { sort: 2 }),
    entry('member', { sort: 1 }),
    entry('tours', { parentId: 'booking', sort: 4 }),
    entry('guides', { parentId: 'tours', sort: 3 }),
    entry('search', { parentId: 'member' }),
    entry('reports', { parentId: 'not-granted', sort: 5 }),
    entry('itself', { parentId: 'itself', sort: 6 }),
    entry('coupon', { type: 'button', parentId: 'member' }),
  ])
  expect(modules.map(({ menu, children }) => [menu.id, children.map((child) => child.id)])).toEqual(
    [
      ['member', ['search']],
      ['booking', ['guides', 'tours']],
      ['reports', []],
      ['itself', []],
    ],
  )
  expect(areas.has('guides')).toBe(true)
  expect(areas.has('coupon')).toBe(false)
})

test('without menus, every permission is off', () => {
  expect(getPermission.data.parse({})).toEqual({ appMenus: [] })
  expect(grantsOf([]).permissions.size).toBe(0)
})

test('permissions are the known names, at any level of the tree', () => {
  const { permissions } = grantsOf([
    entry('member'),
    entry('coupon', { type: 'button', parentId: 'member' }),
    entry('somethingNew', { type: 'button' }),
    // A menu of this name opens a page; it grants nothing.
    entry('register', { parentId: 'member' }),
  ])
  expect([...permissions]).toEqual(['coupon'])
})
