import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import type { Recorded } from './record.ts'

const { points, tiers } = testDefinition('a')
const refused = (reason: string): Recorded =>
  expect.objectContaining({ outcome: 'refused', reason })

describe('record', () => {
  let s: Shop
  beforeAll(async () => {
    s = await testShop({ points: { ...points, perUnit: '1.5' } })
  })
  afterEach(async () => {
    expect(await s.violations()).toEqual([])
  })
  afterAll(() => s.close())

  it('gives points for the net spend, rounded down, valid until the end of a month', async () => {
    const member = await testMember(s)
    expect(await s.send(member.id, receipt([['A', '9.99', 1]]))).toMatchObject({
      outcome: 'created',
      points: 14,
    })
    expect(await s.totals(member.id)).toEqual({
      balance: 14,
      valid: 14,
      earned: 14,
      redeemedOrExpired: 0,
      expiringSoon: [{ points: 14, expiryDate: '2027-03-31' }],
    })
  })

  it('counts a receipt on the day in the company’s time zone', async () => {
    const member = await testMember(s)
    // 17:00 UTC on 31 March is already 1 April in Hong Kong.
    await s.send(member.id, receipt([['A', '10.00', 1]], { occurredAt: '2026-03-31T17:00:00Z' }))
    expect((await s.totals(member.id)).expiringSoon).toEqual([
      { points: 15, expiryDate: '2027-04-30' },
    ])
  })

  it('ignores an unchanged repeat and refuses a changed one', async () => {
    const member = await testMember(s)
    const input = receipt([['A', '10.00', 1]])
    const first = await s.send(member.id, input)
    expect(await s.send(member.id, input)).toEqual({
      outcome: 'unchanged',
      transactionId: first.outcome === 'created' ? first.transactionId : '',
    })
    expect(await s.send(member.id, { ...input, netSpend: '11.00' })).toEqual(refused('changed'))
    expect(await s.send(member.id, { ...input, source: 100000029 })).toMatchObject({
      outcome: 'created',
    })
    expect((await s.totals(member.id)).balance).toBe(30)
  })

  it('records a receipt once if it arrives many times concurrently', async () => {
    const member = await testMember(s)
    const input = receipt([['A', '10.00', 1]])
    const answers = await Promise.all(Array.from({ length: 20 }, () => s.send(member.id, input)))
    expect(answers.filter((a) => a.outcome === 'created')).toHaveLength(1)
    expect(answers.filter((a) => a.outcome === 'unchanged')).toHaveLength(19)
    const free = receipt([['A', '10.00', 1]])
    const others = await Promise.all(Array.from({ length: 20 }, () => s.send(null, free)))
    expect(others.filter((a) => a.outcome === 'created')).toHaveLength(1)
    expect((await s.totals(member.id)).balance).toBe(15)
  })

  it('stores deposits, cancelled receipts and those without a member, without points', async () => {
    const member = await testMember(s)
    const before = await s.receipts()
    for (const status of ['deposit', 'cancelled'] as const) {
      expect(await s.send(member.id, receipt([['A', '10.00', 1]], { status }))).toMatchObject({
        outcome: 'created',
        points: 0,
      })
    }
    await s.send(null, receipt([['A', '10.00', 1]]))
    expect((await s.totals(member.id)).balance).toBe(0)
    expect((await s.standing(member.id)).gradeSpend).toBe('0.00')
    const after = await s.receipts()
    expect(after).toHaveLength(before.length + 3)
  })

  it('refuses a store that the company does not have', async () => {
    const member = await testMember(s)
    expect(await s.send(member.id, receipt([['A', '1.00', 1]], { storeCode: 'NONE' }))).toEqual(
      refused('storeUnknown'),
    )
  })

  it('upgrades the tier at once and applies its multiplier from the next sale on', async () => {
    const t = await testShop({
      tiers: tiers.map((tier) =>
        tier.code === 'green' ? Object.assign(tier, { multiplier: '1.25' }) : tier,
      ),
    })
    const member = await testMember(t)
    expect(await t.send(member.id, receipt([['A', '999.99', 1]]))).toMatchObject({ points: 999 })
    expect(await t.standing(member.id)).toMatchObject({ code: 'associate', gapToNextTier: '0.01' })
    expect(await t.send(member.id, receipt([['A', '100.00', 1]]))).toMatchObject({ points: 100 })
    expect(await t.standing(member.id)).toEqual({
      code: 'green',
      name: 'Green',
      endedOn: null,
      level: 2,
      gradeSpend: '1099.99',
      startDate: '2026-03-10',
      expiryDate: '2027-03-31',
      nextTier: { code: 'gold', name: 'Gold', threshold: '3250.00' },
      gapToNextTier: '2150.01',
      // Spend before April will be outside the window when the period ends.
      gapToRenew: '800.00',
    })
    expect(await t.send(member.id, receipt([['A', '100.00', 1]]))).toMatchObject({ points: 125 })
    // The member moves directly to the top tier, and the return of that sale moves her back.
    const big = receipt([['B', '3000.00', 1]])
    await t.send(member.id, big)
    await t.send(member.id, receipt([['B', '3000.00', -1]], { original: nameOf(big) }))
    expect(await t.standing(member.id)).toMatchObject({
      code: 'green',
      startDate: '2026-03-10',
      gradeSpend: '1199.99',
    })
    await t.close()
  })

  it('evaluates the tier on the newest day with spend if a sale arrives late', async () => {
    const member = await testMember(s)
    await s.send(member.id, receipt([['A', '600.00', 1]]))
    await s.send(member.id, receipt([['A', '600.00', 1]], { occurredAt: '2026-01-10T04:00:00Z' }))
    expect(await s.standing(member.id)).toMatchObject({ code: 'green', startDate: '2026-03-10' })
    await s.send(member.id, receipt([['A', '9000.00', 1]], { occurredAt: '2025-03-01T04:00:00Z' }))
    expect(await s.standing(member.id)).toMatchObject({ code: 'green', gradeSpend: '1200.00' })
  })
})
