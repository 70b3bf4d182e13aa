import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'

// The function `share_of_award` of migration 0123.
const readShares = statement(
  `select share_of_award($1, $2, before, now) as share
   from unnest($3::numeric[], $4::numeric[]) with ordinality as r (before, now, n) order by n`,
  z.object({ share: z.int() }),
)

let database: Database
beforeAll(() => {
  database = openDatabase(inject('databaseUrl'))
})
afterAll(() => database.close())

/** The shares of an award for parts of its money, as pairs of earlier and present money. */
async function sharesOf(award: number, amount: string, parts: readonly [string, string][]) {
  const [before, now] = [parts.map((part) => part[0]), parts.map((part) => part[1])]
  const rows = await database.withoutCompany((tx) =>
    tx.all(readShares, [award, amount, before, now]),
  )
  return rows.map((row) => row.share)
}

describe('the share of an award', () => {
  it('is the whole award in the end, and never more than the returned money’s share', async () => {
    const returns = fc.array(fc.bigInt({ min: 1n, max: 50_000n }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), returns, async (award, parts) => {
        const sums = parts.map((_, n) => parts.slice(0, n + 1).reduce((sum, part) => sum + part))
        const whole = sums.at(-1) ?? 0n
        const asked = parts.map((part, n): [string, string] => [
          decimals((sums[n] ?? 0n) - part),
          decimals(part),
        ])
        let taken = 0n
        for (const [n, share] of (await sharesOf(award, decimals(whole), asked)).entries()) {
          expect(share).toBeGreaterThanOrEqual(0)
          taken += BigInt(share)
          expect(taken).toBe((BigInt(award) * (sums[n] ?? 0n)) / whole)
        }
        expect(taken).toBe(BigInt(award))
      }),
    )
  })

  it('is limited to the award if more money is returned than earned it', async () => {
    const late: [string, string][] = [
      ['4.00', '3.00'],
      ['5.00', '3.00'],
    ]
    expect(await sharesOf(10, '5.00', late)).toEqual([2, 0])
    expect(await sharesOf(10, '0.00', [['0.00', '3.00']])).toEqual([0])
    expect(await sharesOf(1_000_000_000_000, '0.03', [['0.01', '0.01']])).toEqual([333_333_333_333])
  })
})

function decimals(units: bigint): string {
  const digits = units.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
