import { describe, expect, it } from 'vitest'
import { findCompany } from '../company/find.ts'
import type { Transaction } from '../database/database.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { reviewTier } from './review.ts'
import { readStanding } from './standing.ts'

describe('standing', () => {
  it('counts twelve months back, to the day', async () => {
    const s = await testShop()
    const member = await testMember(s)
    await spend(s, member.id, '600.00', '2025-03-10')
    await spend(s, member.id, '500.00', '2025-09-01')
    expect(await s.standing(member.id, '2026-03-09')).toMatchObject({
      code: 'green',
      startDate: '2025-09-01',
      expiryDate: '2026-09-30',
      gradeSpend: '1100.00',
      // At the end of September 2026 only spend after September 2025 counts.
      gapToRenew: '800.00',
    })
    expect(await s.standing(member.id, '2026-03-10')).toMatchObject({ gradeSpend: '500.00' })
    await spend(s, member.id, '300.00', '2026-03-10')
    expect(await s.standing(member.id)).toMatchObject({
      gradeSpend: '800.00',
      gapToRenew: '500.00',
    })
    await spend(s, member.id, '900.00', '2026-03-10')
    expect(await s.standing(member.id)).toMatchObject({ gapToRenew: '0.00' })
    await s.close()
  })

  it('counts a calendar year, in the days of the company', async () => {
    const s = await testShop({ tierRules: { window: 'calendarYear', validityMonths: null } })
    const member = await testMember(s)
    await spend(s, member.id, '900.00', '2025-12-31')
    // Half past midnight on New Year's Day in Hong Kong.
    const input = receipt([['A', '200.00', 1]], { occurredAt: '2025-12-31T16:30:00Z' })
    await s.send(member.id, input)
    expect(await s.standing(member.id, '2026-01-01')).toMatchObject({
      code: 'associate',
      gradeSpend: '200.00',
      gapToNextTier: '800.00',
    })
    await spend(s, member.id, '800.00', '2026-02-01')
    expect(await s.standing(member.id, '2026-02-01')).toMatchObject({
      code: 'green',
      startDate: '2026-02-01',
      expiryDate: null,
      gapToRenew: null,
    })
    await s.close()
  })

  it('is read again when the job reviews the tier between two statements', async () => {
    const s = await testShop()
    const member = await testMember(s)
    await spend(s, member.id, '1200.00', '2024-03-10')
    const found = await findCompany(s.database, s.identifier)
    if (found === null) throw new Error('no company')
    const today = '2026-03-10'
    expect(await s.standing(member.id, '2024-03-10')).toMatchObject({ code: 'green' })
    let reads = 0
    const standing = await s.database.reading(s.id, (tx) => {
      const between: Transaction = {
        ...tx,
        async one(statement, values) {
          reads += 1
          if (reads === 2) {
            await s.database.transaction(s.id, (job) =>
              reviewTier(job, found, member.id, today, found.settings.tierRules),
            )
          }
          return tx.one(statement, values)
        },
      }
      return readStanding(between, found, member.id, today, found.settings, 'en-US')
    })
    expect(reads).toBeGreaterThan(2)
    expect(standing).toEqual(await s.standing(member.id, today))
    expect(standing).toMatchObject({ code: 'associate' })
    await s.close()
  })

  it('names the end of its period from the day after it until the review', async () => {
    const s = await testShop()
    const member = await testMember(s)
    await spend(s, member.id, '1200.00', '2024-03-10')
    const found = await findCompany(s.database, s.identifier)
    if (found === null) throw new Error('no company')
    const endedOn = async (today: string) => (await s.standing(member.id, today)).endedOn
    expect(await endedOn('2025-03-31')).toBeNull()
    const late = '2025-04-01'
    expect(await endedOn(late)).toBe('2025-03-31')
    await s.database.transaction(s.id, (job) =>
      reviewTier(job, found, member.id, late, found.settings.tierRules),
    )
    expect(await endedOn(late)).toBeNull()
    await s.close()
  })
})

async function spend(s: Shop, memberId: string, amount: string, day: string): Promise<void> {
  await s.send(memberId, receipt([['A', amount, 1]], { occurredAt: `${day}T04:00:00Z` }))
}
