import { decimal, minus } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import { Texts } from '../company/definition.ts'
import { statement, type Transaction } from '../database/database.ts'

const readLadder = statement(
  `select tier_code, names, level, threshold, renew_threshold, multiplier from tier
   where company_id = $1 and not stopped order by level`,
  z.object({
    tier_code: z.string(),
    names: Texts,
    level: z.int(),
    threshold: z.string(),
    renew_threshold: z.string(),
    multiplier: z.string(),
  }),
)

export type LadderTier = {
  code: string
  names: Texts
  level: number
  threshold: string
  renewThreshold: string
  multiplier: string
}

// The ladder of the newest known revision of each company. The ladder of a revision never changes.
const cache = new Map<string, { revision: number; ladder: readonly LadderTier[] }>()

/** Returns the company's tiers at the revision that this request has read, lowest first. */
export async function ladderOf(
  tx: Transaction,
  company: { id: string; revision: number },
): Promise<readonly LadderTier[]> {
  const known = cache.get(company.id)
  if (known?.revision === company.revision) return known.ladder
  const rows = await tx.all(readLadder, [company.id])
  const ladder = rows.map((row) => ({
    code: row.tier_code,
    names: row.names,
    level: row.level,
    threshold: row.threshold,
    renewThreshold: row.renew_threshold,
    multiplier: row.multiplier,
  }))
  cache.set(company.id, { revision: company.revision, ladder })
  return ladder
}

/** The tiers of exactly this revision, if this process knows them. */
export function ladderAt(company: { id: string; revision: number }): readonly LadderTier[] | null {
  const known = cache.get(company.id)
  return known?.revision === company.revision ? known.ladder : null
}

/** Whether the spend reaches the threshold; both are decimal strings. */
export function reaches(spent: string, threshold: string): boolean {
  return minus(decimal(spent), decimal(threshold)).units >= 0n
}
