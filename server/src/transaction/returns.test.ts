import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import type { Recorded } from './record.ts'

const { points } = testDefinition('a')
const refused = (reason: string): Recorded =>
  expect.objectContaining({ outcome: 'refused', reason })

describe('a return', () => {
  let s: Shop
  beforeAll(async () => {
    s = await testShop({ points: { ...points, perUnit: '1.5' } })
  })
  afterEach(async () => {
    expect(await s.violations()).toEqual([])
  })
  afterAll(() => s.close())

  /** Sells two pieces of A and three of B for 10.00 each. */
  async function soldTwoAndThree(memberId: string) {
    const sale = receipt([
      ['A', '10.00', 2],
      ['B', '10.00', 3],
    ])
    await s.send(memberId, sale)
    return nameOf(sale)
  }

  it('takes back the returned share of the award, and all of it in the end', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '3.33', 3]])
    expect(await s.send(member.id, sale)).toMatchObject({ points: 14 })
    const original = nameOf(sale)
    const back = () => receipt([['A', '3.33', -1]], { original })
    expect(await s.send(member.id, back())).toMatchObject({ points: -4 })
    expect(await s.send(member.id, back())).toMatchObject({ points: -5 })
    expect(await s.send(member.id, back())).toMatchObject({ points: -5 })
    expect(await s.send(member.id, back())).toEqual(refused('originalReturned'))
    expect(await s.entries(member.id)).toEqual([
      [0, 14],
      [8, -4],
      [8, -5],
      [8, -5],
    ])
    expect((await s.standing(member.id)).gradeSpend).toBe('0.00')
  })

  it('recognizes a repeated return, even if nothing is left to return', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '20.00', 1]])
    await s.send(member.id, sale)
    const back = receipt([['A', '20.00', -1]], { original: nameOf(sale) })
    await s.send(member.id, back)
    expect(await s.send(member.id, back)).toMatchObject({ outcome: 'unchanged' })
  })

  it('accepts only one of two concurrent returns of the same goods', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '20.00', 1]])
    await s.send(member.id, sale)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        s.send(member.id, receipt([['A', '20.00', -1]], { original: nameOf(sale) })),
      ),
    )
    expect(answers.filter((a) => a.outcome === 'created')).toHaveLength(1)
    expect((await s.totals(member.id)).balance).toBe(0)
  })

  it('refuses more pieces than the sale has left, also for money that is left', async () => {
    const member = await testMember(s)
    const original = await soldTwoAndThree(member.id)
    const back = (sku: string, price: string, quantity: number) =>
      s.send(member.id, receipt([[sku, price, quantity]], { original }))
    expect(await back('A', '10.00', -3)).toEqual(refused('originalReturned'))
    expect(await back('A', '10.00', -1)).toMatchObject({ points: -15 })
    expect(await back('A', '10.00', -2)).toEqual(refused('originalReturned'))
    expect(await back('A', '10.00', -1)).toMatchObject({ points: -15 })
    // Goods that the sale did not have are limited by money.
    expect(await back('C', '10.00', -3)).toMatchObject({ points: -45 })
    expect(await back('B', '10.00', -1)).toEqual(refused('originalReturned'))
  })

  it('counts the pieces of a return with a discount on its whole receipt', async () => {
    const member = await testMember(s)
    const original = await soldTwoAndThree(member.id)
    const money = { netSpend: '-15.00', totalAmount: '-15.00' }
    const back = receipt([['A', '10.00', -2]], { original, ...money })
    expect(await s.send(member.id, back)).toMatchObject({ outcome: 'created' })
    const again = receipt([['A', '10.00', -1]], { original })
    expect(await s.send(member.id, again)).toEqual(refused('originalReturned'))
  })

  it('leaves returned points out of both totals, but none that were never earned', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '20.00', 2]])
    await s.send(member.id, sale)
    await s.send(member.id, receipt([['A', '20.00', -1]], { original: nameOf(sale) }))
    const half = { balance: 30, earned: 30, redeemedOrExpired: 0 }
    expect(await s.totals(member.id)).toMatchObject(half)
    await s.send(member.id, receipt([['B', '40.00', -1]]))
    const debt = { balance: -30, valid: 0, earned: 0, redeemedOrExpired: 30 }
    expect(await s.totals(member.id)).toMatchObject(debt)
  })

  it('finds the member by the original sale, and refuses another member’s sale', async () => {
    const [member, other] = [await testMember(s), await testMember(s)]
    const sale = receipt([['A', '20.00', 2]])
    await s.send(member.id, sale)
    const original = nameOf(sale)
    expect(await s.send(other.id, receipt([['A', '20.00', -1]], { original }))).toEqual(
      refused('originalOtherMember'),
    )
    expect(await s.send(null, receipt([['A', '20.00', -1]], { original }))).toMatchObject({
      points: -30,
    })
    const lost = { invoiceNumber: 'NONE', source: 1 }
    expect(await s.send(member.id, receipt([['A', '2.00', -1]], { original: lost }))).toEqual(
      refused('originalUnknown'),
    )
    expect((await s.totals(member.id)).balance).toBe(30)
  })

  it('takes no more than the balance under the policy clamp, and names the rest', async () => {
    const rules = { ...points, perUnit: '1.5', refundPolicy: 'clamp' } as const
    const t = await testShop({ points: rules })
    const member = await testMember(t)
    await t.send(member.id, receipt([['A', '10.00', 1]]))
    expect(await t.send(member.id, receipt([['A', '3.33', -1]]))).toMatchObject({ points: -4 })
    expect(await t.send(member.id, receipt([['A', '50.00', -1]]))).toMatchObject({
      points: -11,
      returned: { forgiven: 64, moneyBack: '50.00', pointsBack: 0 },
    })
    expect((await t.totals(member.id)).balance).toBe(0)
    expect(await t.violations()).toEqual([])
    await t.close()
  })

  it('makes a debt by default, which new points repay first', async () => {
    const t = await testShop({ points })
    const member = await testMember(t)
    await t.send(member.id, receipt([['A', '10.00', 1]]))
    await t.send(member.id, receipt([['A', '40.00', -1]]))
    expect(await t.totals(member.id)).toMatchObject({ balance: -30, valid: 0 })
    await t.send(member.id, receipt([['A', '12.00', 1]]))
    expect(await t.totals(member.id)).toMatchObject({ balance: -18, valid: 0 })
    await t.send(member.id, receipt([['A', '20.00', 1]]))
    expect(await t.totals(member.id)).toMatchObject({ balance: 2, valid: 2 })
    expect(await t.violations()).toEqual([])
    // Expired points cannot cover a return: they are written off, and the rest becomes a debt.
    const late = { occurredAt: '2027-06-01T04:00:00Z' }
    await t.send(member.id, receipt([['A', '5.00', -1]], late))
    expect(await t.entries(member.id)).toEqual([
      [0, 10],
      [8, -40],
      [0, 12],
      [0, 20],
      [12, -2],
      [8, -5],
    ])
    expect(await t.violations()).toEqual([])
    await t.close()
  })

  it('assigns lines without an original to the newest sale with goods left', async () => {
    const member = await testMember(s)
    await s.send(member.id, receipt([['A', '10.00', 2]], at('01')))
    await s.send(member.id, receipt([['A', '10.00', 1]], at('02')))
    await s.send(member.id, receipt([['A', '11.00', 9]], at('03')))
    await s.send(member.id, receipt([['A', '10.00', 5]], at('05')))
    const back = (quantity: number) =>
      receipt([['A', '10.00', quantity]], { ...at('04'), original: 'newest' })
    expect(await s.send(member.id, back(-2))).toMatchObject({ points: -30 })
    expect(await s.send(member.id, back(-2))).toMatchObject({ points: -30 })
    expect(await s.entries(member.id)).toEqual([
      [0, 30],
      [0, 15],
      [0, 148],
      [0, 75],
      [8, -15],
      [8, -15],
      [8, -15],
      [8, -15],
    ])
  })

  it('applies both sides of an exchange', async () => {
    const member = await testMember(s)
    const sale = receipt([['A', '20.00', 1]])
    await s.send(member.id, sale)
    const swap = receipt(
      [
        ['A', '20.00', -1],
        ['B', '30.00', 1],
      ],
      { invoiceType: 'exchange', original: nameOf(sale) },
    )
    expect(await s.send(member.id, swap)).toMatchObject({ points: 15 })
    expect(await s.entries(member.id)).toEqual([
      [0, 30],
      [0, 45],
      [8, -30],
    ])
    // The exchange can itself be the original sale of the goods bought in it.
    const back = receipt([['B', '30.00', -1]], { original: nameOf(swap) })
    expect(await s.send(member.id, back)).toMatchObject({ points: -45 })
    expect((await s.totals(member.id)).balance).toBe(0)
  })
})

function at(day: string) {
  return { occurredAt: `2026-02-${day}T04:00:00Z` }
}
