import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

const { tierRules, tiers } = testDefinition('a')
const readAudit = statement(
  `select action, details from audit where company_id = $1 and member_id = $2
     and action like 'tier.%' order by at`,
  z.object({ action: z.string(), details: z.record(z.string(), z.unknown()) }),
)

describe('the tier after a return', () => {
  let s: Shop
  beforeAll(async () => {
    s = await testShop()
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })

  it('is that of a member who never bought', async () => {
    const { id } = await testMember(s)
    const before = await tierOf(s, id, '2026-05-01')
    const giveBack = await buy(s, id, '4000.00', '2026-03-10')
    expect(await tierOf(s, id, '2026-03-10')).toEqual(['gold', '2026-03-10', '2027-03-31'])
    await giveBack('900.00', '2026-04-20')
    expect(await tierOf(s, id, '2026-04-20')).toEqual(['green', '2026-03-10', '2027-03-31'])
    await giveBack('3100.00', '2026-04-21')
    expect(await tierOf(s, id, '2026-04-21')).toEqual(before)
    const rows = await s.database.reading(s.id, (tx) => tx.all(readAudit, [s.id, id]))
    expect(rows.map(({ action, details }) => [action, details.from, details.code])).toEqual([
      ['tier.reevaluate', 'gold', 'green'],
      ['tier.reevaluate', 'green', 'associate'],
    ])
  })

  it('begins on the day of the sale that still reaches it', async () => {
    const { id } = await testMember(s)
    const giveBack = await buy(s, id, '1000.00', '2026-03-10')
    await buy(s, id, '1000.00', '2026-04-15')
    expect((await tierOf(s, id, '2026-04-15'))[1]).toBe('2026-03-10')
    await giveBack('1000.00', '2026-04-20')
    expect(await tierOf(s, id, '2026-04-20')).toEqual(['green', '2026-04-15', '2027-04-30'])
  })

  it('counts the return on the day of its sale', async () => {
    const { id } = await testMember(s)
    const giveBack = await buy(s, id, '500.00', '2025-03-10')
    await buy(s, id, '400.00', '2026-04-01')
    await giveBack('500.00', '2026-04-20')
    // The old sale has left the window, and its return with it.
    expect((await s.standing(id, '2026-04-20')).gradeSpend).toBe('400.00')
  })

  it('stays until the review if the company keeps it', async () => {
    const t = await testShop({ tierRules: { ...tierRules, tierAfterReturn: 'keep' } })
    const { id } = await testMember(t)
    const giveBack = await buy(t, id, '4000.00', '2026-03-10')
    await giveBack('4000.00', '2026-04-20')
    expect(await tierOf(t, id, '2026-04-20')).toEqual(['gold', '2026-03-10', '2027-03-31'])
    await t.close()
  })

  it('is reviewed before a sale whose period has ended, so that the job may be late', async () => {
    const double = tiers.map((tier) =>
      tier.code === 'gold' ? Object.assign(tier, { multiplier: '2' }) : tier,
    )
    const t = await testShop({ tiers: double })
    const { id } = await testMember(t)
    await buy(t, id, '4000.00', '2024-03-10')
    // Gold ended with March 2025, and the member stepped down to green.
    await t.send(id, receipt([['A', '100.00', 1]], on('2025-04-01')))
    expect(await t.entries(id)).toEqual([
      [0, 4000],
      [0, 100],
    ])
    expect(await tierOf(t, id, '2025-04-01')).toEqual(['green', '2025-04-01', '2026-03-31'])
    await t.close()
  })

  it('is not reviewed by a receipt that is refused', async () => {
    const { id } = await testMember(s)
    const sale = receipt([['A', '4000.00', 1]], on('2024-03-10'))
    await s.send(id, sale)
    const late = on('2025-04-01')
    const refused = [
      receipt([['A', '10.00', 1]], { storeCode: 'NOWHERE', ...late }),
      receipt([['A', '5000.00', -1]], { original: nameOf(sale), ...late }),
    ]
    for (const one of refused) {
      expect(await s.send(id, one)).toMatchObject({ outcome: 'refused' })
    }
    const rows = () => s.database.reading(s.id, (tx) => tx.all(readAudit, [s.id, id]))
    expect(await rows()).toEqual([])
    expect(await s.send(id, receipt([['A', '10.00', 1]], late))).toMatchObject({
      outcome: 'created',
    })
    expect((await rows()).map(({ action }) => action)).toEqual(['tier.stepDown'])
  })
})

function on(day: string) {
  return { occurredAt: `${day}T04:00:00Z` }
}

/** @returns a function that gives a part of it back */
async function buy(shop: Shop, id: string, price: string, day: string) {
  const sale = receipt([['A', price, 1]], on(day))
  await shop.send(id, sale)
  return (part: string, later: string) =>
    shop.send(id, receipt([['A', part, -1]], { original: nameOf(sale), ...on(later) }))
}

async function tierOf(shop: Shop, id: string, day: string) {
  const { code, startDate, expiryDate } = await shop.standing(id, day)
  return [code, startDate, expiryDate]
}
