import { decimal, minus } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import { Texts } from '../company/definition.ts'
import { ofRevision } from '../company/settings.ts'
import { statement } from '../database/database.ts'

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

const remembered = ofRevision(async (tx, companyId): Promise<readonly LadderTier[]> => {
  const rows = await tx.all(readLadder, [companyId])
  return rows.map((row) => ({
    code: row.tier_code,
    names: row.names,
    level: row.level,
    threshold: row.threshold,
    renewThreshold: row.renew_threshold,
    multiplier: row.multiplier,
  }))
})
/** Returns the company's tiers at the revision that this request has read, lowest first. */
export const ladderOf = remembered.read
/** The tiers of exactly this revision, if this process knows them. */
export const ladderAt = remembered.known

/** Whether the spend reaches the threshold; both are decimal strings. */
export function reaches(spent: string, threshold: string): boolean {
  return minus(decimal(spent), decimal(threshold)).units >= 0n
}
