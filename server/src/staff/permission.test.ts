import { getPermission, getSupportedLanguages } from '@tillside/contract/company'
import { getCustomerCoupons, getStoreAssignedCoupons } from '@tillside/contract/coupon'
import { getOneCustomer, membershipInfo, revealContact } from '@tillside/contract/member'
import { type Permission, permissions } from '@tillside/contract/wire/permissions'
import { listTiers } from '@tillside/contract/tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePermission } from '../setup/permissions.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { testClerk } from '../testing/factories/staff.ts'

let company: TestCompany
let memberCode: string
beforeAll(async () => {
  company = await testCompany({
    menus: [
      {
        id: 'member',
        identifier: 'member',
        url: '/member',
        icon: 'users',
        names: { 'en-US': 'Member', 'zh-HK': '會員' },
        sort: 1,
      },
      {
        id: 'booking',
        identifier: 'booking',
        url: 'https://booking.example.com/',
        names: { 'en-US': 'Booking' },
        sort: 2,
      },
    ],
    groups: [
      { code: 'full', permissions: [...permissions], menus: ['member', 'booking'] },
      { code: 'viewer', permissions: ['homeMembertier', 'coupon'], menus: ['member'] },
      { code: 'empty', permissions: [], menus: [] },
      { code: 'hidden', permissions: [...permissions], menus: ['booking'] },
    ],
  })
  await testClerk(company, 'eve', { groupCode: 'hidden' })
  ;({ memberCode } = await testMember(company))
})
afterAll(() => company.close())

const change = (group: string, permission: Permission, granted: boolean) =>
  company.database.transaction(company.id, (tx) =>
    changePermission(tx, company.id, group, permission, granted),
  )
const menusOf = async (token: string, language = 'en-US') =>
  (await ok(company, getPermission, {}, { token, language })).appMenus
const ask = (token: string) => call(company, getCustomerCoupons, { memberCode }, { token })
const buttonsOf = async (token: string) =>
  (await menusOf(token)).filter((menu) => menu.type === 'button').map((menu) => menu.identifier)

describe('the menus and buttons of a clerk', () => {
  test('with every permission', async () => {
    const menus = await menusOf(await logIn(company))
    expect(menus.slice(0, 2)).toEqual([
      {
        id: 'member',
        parentId: null,
        identifier: 'member',
        type: 'menu',
        url: '/member',
        icon: 'users',
        name: 'Member',
        sort: 1,
      },
      {
        id: 'booking',
        parentId: null,
        identifier: 'booking',
        type: 'menu',
        url: 'https://booking.example.com/',
        icon: null,
        name: 'Booking',
        sort: 2,
      },
    ])
    const buttons = menus.slice(2)
    expect(buttons.map((button) => button.identifier)).toEqual([...permissions])
    for (const button of buttons) {
      expect(button).toMatchObject({ type: 'button', parentId: 'member', url: null })
    }
  })

  test('with permission to view only', async () => {
    const token = await logIn(company, 'ben')
    expect((await menusOf(token)).map((menu) => menu.identifier)).toEqual([
      'member',
      'homeMembertier',
      'coupon',
    ])
  })

  test('without permissions are empty', async () => {
    expect(await menusOf(await logIn(company, 'dan'))).toEqual([])
  })

  test('are named in the caller’s language', async () => {
    const [member] = await menusOf(await logIn(company), 'zh-HK')
    expect(member?.name).toBe('會員')
    const names = async (language: string) =>
      (await menusOf(await logIn(company), language)).slice(2).map(({ name }) => name)
    expect(await names('en-US')).toEqual([
      'Member tier',
      'Coupons',
      'Points',
      'Transactions',
      'Edit member',
      'Issue coupon',
      'Redeem coupon',
      'View coupon',
      'Register member',
      'Redeem points',
      'Exchange points',
      'Scan QR code',
      'Shifts of the store',
      'Search by name',
    ])
    expect((await names('zh-HK'))[0]).toBe('會員級別')
  })
})

describe('a permission', () => {
  test('that is missing is refused before the input is checked', async () => {
    const token = await logIn(company, 'dan')
    const answer = await call(company, getCustomerCoupons, { wrong: 1 }, { token })
    expect(answer).toMatchObject({ status: 200, code: 10000, message: 'NO_PERMISSION', data: null })
  })

  test('one of the permissions that a call accepts is enough', async () => {
    await change('viewer', 'pointExchange', true)
    const token = await logIn(company, 'ben')
    const answer = await call(company, getStoreAssignedCoupons, { memberCode }, { token })
    expect(answer.code).toBe(0) // pointExchange without homeIssuecoupon
    await change('viewer', 'pointExchange', false)
  })

  test('revoked during a session is refused at the next call', async () => {
    const token = await logIn(company, 'ben')
    const later = await logIn(company, 'ben')
    expect((await ask(token)).code).toBe(0)
    await change('viewer', 'coupon', false)
    expect(await ask(token)).toMatchObject({ code: 10000, message: 'NO_PERMISSION' })
    // Every call that needs a permission relied on the old set, not only those that need this one.
    expect((await call(company, listTiers, {}, { token })).code).toBe(10000)
    // Calls without a permission still work; the session has not ended.
    expect((await call(company, getSupportedLanguages, {}, { token })).code).toBe(0)

    // Reading the permissions again updates this session, and only this one.
    expect(await buttonsOf(token)).toEqual(['homeMembertier'])
    expect((await call(company, listTiers, {}, { token })).code).toBe(0)
    expect((await ask(token)).code).toBe(10000)
    expect((await call(company, listTiers, {}, { token: later })).code).toBe(10000)
    await change('viewer', 'coupon', true)
  })

  test('granted during a session works after reading the permissions or a new login', async () => {
    await change('viewer', 'coupon', false)
    const token = await logIn(company, 'ben')
    await change('viewer', 'coupon', true)
    expect((await ask(token)).code).toBe(10000)
    await menusOf(token)
    expect((await ask(token)).code).toBe(0)
    expect((await ask(await logIn(company, 'ben'))).code).toBe(0)
  })

  test('decides at every call which parts of a member’s summary are returned', async () => {
    const token = await logIn(company, 'ben')
    const glance = () => ok(company, membershipInfo, { memberCode }, { token })
    expect((await glance()).couponCounts).toEqual({ ISSUED: 0, USED: 0, EXPIRED: 0 })
    await change('viewer', 'coupon', false)
    expect((await glance()).couponCounts).toBeNull()
    await change('viewer', 'coupon', true)
  })

  test('has no effect without the menu of the member module', async () => {
    const token = await logIn(company, 'eve')
    expect((await menusOf(token)).map((menu) => menu.identifier)).toEqual(['booking'])
    const refused = { status: 200, code: 10000, message: 'NO_PERMISSION', data: null }
    expect(await ask(token)).toEqual(refused)
    // These need no permission, but they return facts about a member.
    expect(await call(company, getOneCustomer, { code: memberCode }, { token })).toEqual(refused)
    expect(await call(company, membershipInfo, { memberCode }, { token })).toEqual(refused)
    const contact = { memberCode, field: 'mobile' }
    expect(await call(company, revealContact, contact, { token })).toEqual(refused)
  })

  test('set to its current value changes nothing', async () => {
    const token = await logIn(company, 'ben')
    await change('viewer', 'coupon', true)
    expect((await ask(token)).code).toBe(0)
  })
})
