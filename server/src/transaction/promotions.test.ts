import { afterEach, describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import type { Definition } from '../company/definition.ts'
import { findCompany } from '../company/find.ts'
import { applyCompany } from '../setup/apply.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { record } from './record.ts'

type Promotion = NonNullable<z.input<typeof Definition>['points']['promotions']>[number]

const { points, tiers } = testDefinition('a')
const names = { 'en-US': 'Spring', 'zh-HK': '春日' }
const spring = { id: 'SPRING', names, from: '2026-03-01', to: '2026-03-31' }

let s: Shop
afterEach(async () => {
  expect(await s.violations()).toEqual([])
  await s.close()
})

async function shopWith(promotions: Promotion[], changes: Parameters<typeof testShop>[0] = {}) {
  s = await testShop({ points: { ...points, promotions }, ...changes })
  return testMember(s)
}

const earned = 0
const promoted = 1
const returned = 8

describe('a promotion', () => {
  it('with a multiplier adds the extra points as a separate entry and lot', async () => {
    const { id } = await shopWith([{ ...spring, award: { multiplier: '2.5' } }])
    const sale = receipt([['A', '9.99', 1]])
    expect(await s.send(id, sale)).toMatchObject({ outcome: 'created', points: 23 })
    expect(await s.entries(id)).toEqual([
      [earned, 9],
      [promoted, 14],
    ])
    expect(await s.totals(id)).toMatchObject({ balance: 23, valid: 23 })
    expect((await s.receipts()).map((row) => row.points_earned)).toEqual([23])
    expect(await s.send(id, sale)).toMatchObject({ outcome: 'unchanged' })
  })

  it('with a multiplier also applies the multiplier of the tier', async () => {
    const [lowest, ...others] = tiers
    if (lowest === undefined) throw new Error('no tiers')
    const { id } = await shopWith([{ ...spring, award: { multiplier: '2' } }], {
      tiers: [{ ...lowest, multiplier: '1.5' }, ...others],
    })
    await s.send(id, receipt([['A', '10.00', 1]]))
    expect(await s.entries(id)).toEqual([
      [earned, 15],
      [promoted, 15],
    ])
  })

  it('begins and ends on days of the company', async () => {
    const { id } = await shopWith([{ ...spring, award: { bonus: 5 } }])
    const at = (occurredAt: string) => s.send(id, receipt([['A', '1.00', 1]], { occurredAt }))
    // Hong Kong is eight hours ahead.
    expect(await at('2026-02-28T15:59:59Z')).toMatchObject({ points: 1 })
    expect(await at('2026-02-28T16:00:00Z')).toMatchObject({ points: 6 })
    expect(await at('2026-03-31T15:59:59Z')).toMatchObject({ points: 6 })
    expect(await at('2026-03-31T16:00:00Z')).toMatchObject({ points: 1 })
  })

  it('applies to its stores only', async () => {
    const { id } = await shopWith([{ ...spring, stores: ['S2'], award: { bonus: 5 } }])
    const at = (storeCode: string | null) => s.send(id, receipt([['A', '1.00', 1]], { storeCode }))
    expect(await at('S1')).toMatchObject({ points: 1 })
    expect(await at('S2')).toMatchObject({ points: 6 })
    expect(await at(null)).toMatchObject({ points: 1 })
  })

  it('applies to its goods only, and to no more than the amount paid', async () => {
    const { id } = await shopWith([{ ...spring, skus: ['B', 'C'], award: { multiplier: '3' } }])
    const basket = receipt([
      ['A', '10.00', 1],
      ['B', '7.00', 1],
      ['C', '3.00', 1],
    ])
    expect(await s.send(id, basket)).toMatchObject({ points: 20 + 2 * 10 })
    expect(await s.send(id, receipt([['A', '10.00', 1]]))).toMatchObject({ points: 10 })
    const discounted = receipt([['B', '10.00', 1]], { orderDiscount: '4.00', netSpend: '6.00' })
    expect(await s.send(id, discounted)).toMatchObject({ points: 6 + 2 * 6 })
  })

  it('for the first purchase is given once, not for a deposit or a cancelled sale', async () => {
    const first = { ...spring, firstPurchase: true, award: { bonus: 100 } }
    const { id } = await shopWith([first])
    const sell = (changes = {}) => s.send(id, receipt([['A', '1.00', 1]], changes))
    expect(await sell({ status: 'deposit' })).toMatchObject({ points: 0 })
    expect(await sell({ status: 'cancelled' })).toMatchObject({ points: 0 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => sell()))
    const got = answers.map((answer) => ('points' in answer ? answer.points : 0))
    expect(got.toSorted((a, b) => b - a)).toEqual([101, 1, 1, 1, 1])
  })

  it('is added to other promotions, in the order of the company’s list', async () => {
    const { id } = await shopWith([
      { ...spring, award: { bonus: 7 } },
      { ...spring, id: 'DOUBLE', award: { multiplier: '2' } },
    ])
    await s.send(id, receipt([['A', '10.00', 1]]))
    expect(await s.entries(id)).toEqual([
      [earned, 10],
      [promoted, 7],
      [promoted, 10],
    ])
  })

  it('gives nothing for a return, a deposit, or a sale without a member', async () => {
    const { id } = await shopWith([{ ...spring, award: { bonus: 5 } }])
    const back = receipt([['A', '10.00', -1]])
    // Goods whose sale is unknown cost what they would earn, but no bonus.
    expect(await s.send(id, back)).toMatchObject({ points: -10 })
    expect(await s.send(null, receipt([['A', '10.00', 1]]))).toMatchObject({ points: 0 })
    expect(await s.entries(id)).toEqual([[8, -10]])
  })
})

describe('a return takes the points of a promotion back', () => {
  it('and a first purchase that was returned completely was none', async () => {
    const first = { ...spring, firstPurchase: true, award: { bonus: 10 } }
    const { id } = await shopWith([first])
    const buy = async () => {
      const sale = receipt([['A', '10.00', 1]])
      await s.send(id, sale)
      return receipt([['A', '10.00', -1]], { original: nameOf(sale) })
    }
    await s.send(id, await buy())
    await buy()
    expect(await s.entries(id)).toEqual([
      [earned, 10],
      [promoted, 10],
      [8, -10],
      [8, -10],
      [earned, 10],
      [promoted, 10],
    ])
  })

  it('in proportion, and completely with the last part', async () => {
    const { id } = await shopWith([{ ...spring, award: { bonus: 10 } }])
    const sale = receipt([['A', '10.00', 3]])
    await s.send(id, sale)
    const back = () => s.send(id, receipt([['A', '10.00', -1]], { original: nameOf(sale) }))
    expect(await back()).toMatchObject({ points: -13 })
    expect(await back()).toMatchObject({ points: -13 })
    expect(await back()).toMatchObject({ points: -14 })
    expect((await s.totals(id)).balance).toBe(0)
  })

  it('only for the goods of the promotion', async () => {
    const { id } = await shopWith([{ ...spring, skus: ['B'], award: { bonus: 50 } }])
    const sale = receipt([
      ['A', '90.00', 1],
      ['B', '5.00', 2],
    ])
    expect(await s.send(id, sale)).toMatchObject({ points: 150 })
    const back = (sku: string, price: string) =>
      s.send(id, receipt([[sku, price, -1]], { original: nameOf(sale) }))
    expect(await back('B', '5.00')).toMatchObject({ points: -5 - 25 })
    expect(await back('A', '90.00')).toMatchObject({ points: -90 })
    expect(await back('B', '5.00')).toMatchObject({ points: -5 - 25 })
    expect((await s.entries(id)).slice(2)).toEqual([
      [returned, -5],
      [returned, -25],
      [returned, -90],
      [returned, -5],
      [returned, -25],
    ])
    expect((await s.totals(id)).balance).toBe(0)
  })

  it('in proportion to the whole sale if the return has no lines', async () => {
    const { id } = await shopWith([{ ...spring, skus: ['B'], award: { bonus: 30 } }])
    const sale = receipt([
      ['A', '60.00', 1],
      ['B', '30.00', 1],
    ])
    await s.send(id, sale)
    const back = (netSpend: string) =>
      s.send(id, receipt([], { invoiceType: 'return', netSpend, original: nameOf(sale) }))
    // A third of the sale counts as a third of the promotion's goods.
    for (let n = 0; n < 3; n++) expect(await back('-30.00')).toMatchObject({ points: -40 })
    expect((await s.totals(id)).balance).toBe(0)
  })

  it('by the promotion at the time of the sale, not by the current one', async () => {
    const { id } = await shopWith([{ ...spring, skus: ['B'], award: { bonus: 30 } }])
    const sale = receipt([
      ['A', '60.00', 1],
      ['B', '30.00', 1],
    ])
    await s.send(id, sale)
    const { identifier, database } = s
    const definition = testDefinition(identifier)
    await applyCompany(database, { definition, logo: '<svg/>', checksum: 'over' })
    const now = await findCompany(database, identifier)
    if (now === null) throw new Error('no company')
    const back = receipt([['B', '30.00', -1]], { original: nameOf(sale) })
    const answer = await database.transaction(now.id, (tx) => record(tx, now, id, back))
    expect(answer).toMatchObject({ points: -60 })
    // The removed promotion does not apply to new sales.
    const another = receipt([['B', '30.00', 1]])
    const sold = await database.transaction(now.id, (tx) => record(tx, now, id, another))
    expect(sold).toMatchObject({ points: 30 })
  })
})
