import { explainPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '@tillside/contract/rules/day'
import { applyCompany } from '../setup/apply.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { mug, testSpendingShop } from '../testing/factories/spending.ts'

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testSpendingShop()
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await shop.close()
})

describe('the explanation of a balance', () => {
  test('shows the lots in burn order, the pending points and the rule', async () => {
    const tiers = [
      {
        code: 'base',
        names: { 'en-US': 'Base' },
        threshold: '0',
        renewThreshold: '0',
        multiplier: '1.50',
      },
      { code: 'top', names: { 'en-US': 'Top' }, threshold: '9000', renewThreshold: '9' },
    ]
    const t = await testShop({
      languages: ['en-US'],
      tiers,
      points: {
        perUnit: '0.50',
        pendingDays: 3,
        expiry: { kind: 'months', months: 12 },
        names: { singular: { 'en-US': 'p' }, plural: { 'en-US': 'p' } },
      },
    })
    const member = await testMember(t)
    const day = await todayOf(t)
    await givePoints(t, member, 10)
    await givePoints(t, member, 20, addDays(day, -1))
    await givePoints(t, member, 30, addDays(day, 1))
    await t.send(member.id, receipt([['A', '100.00', 1]], { occurredAt: new Date().toISOString() }))
    const { memberCode } = member
    const told = await ok(t, explainPoints, { memberCode }, { token: await logIn(t) })
    expect(told).toMatchObject({ balance: 135, valid: 40, pending: 75 })
    expect(told.lots.map((lot) => [lot.points, lot.remaining, lot.type - 100000000])).toEqual([
      [20, 20, 2],
      [30, 30, 2],
      [75, 75, 0],
      [10, 10, 2],
    ])
    expect(told.lots[2]).toMatchObject({ earnDate: day, activeFrom: addDays(day, 3) })
    expect(told.rule).toEqual({
      perUnit: '0.5',
      multiplier: '1.5',
      pendingDays: 3,
      expiry: 'months',
      months: 12,
    })
    expect(await t.violations()).toEqual([])
    await t.close()
  })

  test('has the multiplier of the next sale when a tier has ended unreviewed', async () => {
    const names = { 'en-US': 'Tier' }
    const tiers = [
      { code: 'base', names, threshold: '0', renewThreshold: '0', multiplier: '1.50' },
      { code: 'top', names, threshold: '900', renewThreshold: '900', multiplier: '3' },
    ]
    const t = await testShop({ languages: ['en-US'], tiers })
    const { id, memberCode } = await testMember(t)
    const bearer = await logIn(t)
    const multiplierAfter = async (occurredAt: string, spent: string) => {
      await t.send(id, receipt([['A', spent, 1]], { occurredAt }))
      return (await ok(t, explainPoints, { memberCode }, { token: bearer })).rule.multiplier
    }
    expect(await multiplierAfter('2024-03-10T04:00:00Z', '1000.00')).toBe('1.5')
    expect(await multiplierAfter(new Date().toISOString(), '900.00')).toBe('3')
    await t.close()
  })

  test('names the promotion that gave points, in the requested language', async () => {
    const names = { 'en-US': 'Spring', 'zh-HK': '春日' }
    const all = { from: '2026-01-01', to: '2099-12-31', award: { multiplier: '2' } }
    const { points } = testDefinition('a')
    const t = await testShop({ points: { ...points, promotions: [{ id: 'P', names, ...all }] } })
    const { id, memberCode } = await testMember(t)
    const bearer = await logIn(t)
    await t.send(id, receipt([['A', '10.00', 1]]))
    const told = async (language: string) => {
      const { lots } = await ok(t, explainPoints, { memberCode }, { token: bearer, language })
      return lots.map((lot) => [lot.points, lot.promotion])
    }
    const shown = async (language: string) => {
      const input = { memberCode, types: [100000001] }
      const { items } = await ok(t, pointHistory, input, { token: bearer, language })
      return items.map((entry) => entry.subject)
    }
    for (const language of ['en-US', 'zh-HK'] as const) {
      expect(await told(language)).toEqual([
        [10, null],
        [10, names[language]],
      ])
      expect(await shown(language)).toEqual([names[language]])
    }
    // A removed promotion keeps the name that it had when it gave the points.
    await applyCompany(t.database, {
      definition: testDefinition(t.identifier, { points }),
      logo: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
      checksum: 'without promotions',
    })
    expect(await told('zh-HK')).toEqual([
      [10, null],
      [10, 'Spring'],
    ])
    expect(await shown('zh-HK')).toEqual(['Spring'])
    expect(await t.violations()).toEqual([])
    await t.close()
  })

  test('omits empty lots and shows the remaining points of the others', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 50, addDays(today, 3))
    await givePoints(shop, member, 70)
    const { memberCode } = member
    await ok(shop, redeemPoints, mug(memberCode, { quantity: 2 }), { token })
    const { lots, balance } = await ok(shop, explainPoints, { memberCode }, { token })
    expect(lots).toMatchObject([{ points: 70, remaining: 20, expiryDate: null }])
    expect(balance).toBe(20)
  })
})
