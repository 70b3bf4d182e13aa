import { randomUUID } from 'node:crypto'
import { getPermission } from '@tillside/contract/company'
import { getStoreAssignedCoupons, issueCouponByPoints } from '@tillside/contract/coupon'
import { membershipInfo } from '@tillside/contract/member'
import { listGifts, redeemPoints } from '@tillside/contract/points'
import { operationStatus } from '@tillside/contract/wire/operation'
import { permissions } from '@tillside/contract/wire/permissions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePermission } from '../setup/permissions.ts'
import { call, ok } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { testClerk } from '../testing/factories/staff.ts'
import {
  callsShowing,
  callsWith,
  crawlFacts,
  factCompany,
  factTexts,
  guardedCalls,
} from '../testing/hostile/fact-crawl.ts'

let company: Awaited<ReturnType<typeof factCompany>>
beforeAll(async () => {
  company = await factCompany()
})
afterAll(() => company.close())

test('a clerk with all permissions sees each fact, and no call is refused', async () => {
  const all = await crawlFacts(company, 'full')
  expect(callsWith(all, ({ code }) => code !== 0)).toEqual([])
  const shown = Object.entries(factTexts(all)).map(([name, text]) => [
    name,
    callsShowing(all, text),
  ])
  expect(Object.fromEntries(shown)).toEqual({
    homeMembertier: [
      'getDictionary',
      'getOneCustomer',
      'createCustomer',
      'updateCustomer',
      'resignTnc',
      'membershipInfo',
      'listTiers',
      'explainTier',
      'explainPoints',
    ],
    coupon: ['membershipInfo', 'getCustomerCoupons'],
    point: [
      'membershipInfo',
      'pointHistory',
      'explainPoints',
      'listGifts',
      'previewPoints',
      'redeemPoints',
      'cancelPoints',
      'issueCouponByPoints',
      'listTransactions',
      'transactionDetail',
    ],
    transaction: [
      'explainTier',
      'pointHistory',
      'explainPoints',
      'listTransactions',
      'transactionDetail',
    ],
    userInfo: ['getOneCustomer', 'createCustomer', 'updateCustomer', 'resignTnc', 'listConsents'],
    homeIssuecoupon: ['getStoreAssignedCoupons'],
    couponRedeem: [
      'getCustomerCoupons',
      'couponCodeDetail',
      'issueCoupon',
      'issueCouponByPoints',
      'cancelCouponRedeem',
    ],
    couponView: [
      'getCustomerCoupons',
      'getStoreAssignedCoupons',
      'couponCodeDetail',
      'issueCoupon',
      'redeemCoupon',
      'cancelCouponRedeem',
      'batchRedeemCoupons',
    ],
    register: [],
    pointRedeem: ['listGifts'],
    pointExchange: ['getOtherConfig', 'getByCodes', 'getStoreAssignedCoupons'],
    scanQrCode: [],
    storeShift: ['storeActivity'],
    homeMemberSearchByName: [],
  })
})

test.each(permissions)('without %s no answer has its facts', async (permission) => {
  const crawled = await crawlFacts(company, `but-${permission}`)
  expect(callsShowing(crawled, factTexts(crawled)[permission])).toEqual([])
  expect(callsWith(crawled, ({ code }) => code === 10000)).toEqual(guardedCalls[permission])
  expect(callsWith(crawled, ({ code }) => code !== 0)).toEqual(guardedCalls[permission])
})

describe('without point', () => {
  test('neither a reward nor a refusal says how many points are missing', async () => {
    const token = await testClerk(company, 'poor', { groupCode: 'but-point' })
    const member = await testMember(company)
    const { memberCode } = member
    await givePoints(company, member, 49)
    const { items } = await ok(company, listGifts, { memberCode }, { token })
    expect(items.map(({ affordable }) => affordable)).toEqual([null, null])
    const gift = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
    const refused = { code: 114005, data: { limit: null } }
    expect(await call(company, redeemPoints, gift, { token })).toMatchObject({
      ...refused,
      message: 'Not enough points.',
    })
    expect(await call(company, redeemPoints, gift, { token, language: 'zh-TW' })).toMatchObject({
      ...refused,
      message: '點數不足。',
    })
  })
})

test('without coupon the coupons to issue do not say how many the member has', async () => {
  const token = await testClerk(company, 'issuer', { groupCode: 'only-homeIssuecoupon' })
  const { memberCode } = await testMember(company)
  const { items } = await ok(company, getStoreAssignedCoupons, { memberCode }, { token })
  expect(items.map(({ memberHas }) => memberHas)).toEqual(items.map(() => null))
})

test('a stored answer has only the facts that its clerk may see now', async () => {
  const groupCode = 'but-scanQrCode'
  const token = await testClerk(company, 'stored', { groupCode })
  const member = await testMember(company)
  const { memberCode } = member
  await givePoints(company, member, 130)
  const done = { token, key: randomUUID() }
  const short = { token, key: randomUUID() }
  const latte = { memberCode, couponId: 'LATTE', quantity: 1 }
  expect((await ok(company, issueCouponByPoints, latte, done)).balance).toBe(30)
  expect(await call(company, issueCouponByPoints, latte, short)).toMatchObject({
    message: 'Not enough points. The balance is 30.',
    data: { limit: 30 },
  })
  await company.database.transaction(company.id, (tx) =>
    changePermission(tx, company.id, groupCode, 'point', false),
  )
  await ok(company, getPermission, {}, { token })
  expect((await ok(company, membershipInfo, { memberCode }, { token })).points).toBeNull()
  expect((await ok(company, issueCouponByPoints, latte, done)).balance).toBeNull()
  const poor = { code: 114005, message: 'Not enough points.', data: { limit: null } }
  expect(await call(company, issueCouponByPoints, latte, short)).toMatchObject(poor)
  const { answer } = await ok(company, operationStatus, { key: short.key }, { token })
  expect(answer).toEqual(poor)
  const status = await ok(company, operationStatus, { key: done.key }, { token })
  expect(status.answer?.data).toMatchObject({ pointsSpent: 100, balance: null })
})
