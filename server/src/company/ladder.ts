import { decimal, minus } from '@tillside/contract/rules/decimal'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { Outdated } from '../values/outdated.ts'
import { Texts } from './definition.ts'
import { ofRevision } from './settings.ts'

const readTiers = statement(
  `select tier_code, names, level, threshold, renew_threshold, multiplier, stopped from tier
   where company_id = $1 order by level`,
  z.object({
    tier_code: z.string(),
    names: Texts,
    level: z.int(),
    threshold: z.string(),
    renew_threshold: z.string(),
    multiplier: z.string(),
    stopped: z.boolean(),
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
/**
 * The tiers of one company. The ladder has them lowest first, without the stopped ones, which
 * members may still have.
 */
export type Tiers = { ladder: readonly LadderTier[]; byCode: ReadonlyMap<string, LadderTier> }
type AtRevision = { id: string; revision: number }

const remembered = ofRevision(async (tx, companyId): Promise<Tiers> => {
  const rows = await tx.all(readTiers, [companyId])
  const tiers = rows.map((row) => ({
    code: row.tier_code,
    names: row.names,
    level: row.level,
    threshold: row.threshold,
    renewThreshold: row.renew_threshold,
    multiplier: row.multiplier,
  }))
  return {
    ladder: tiers.filter((_, n) => rows[n]?.stopped === false),
    byCode: new Map(tiers.map((tier) => [tier.code, tier])),
  }
})

/**
 * Returns the company's tiers at the revision that this request has read. A statement about a
 * member reads only the tier's code and takes the rest from here: a join costs PostgreSQL as much
 * as reading the member.
 */
export const tiersOf = remembered.read

/** Returns the tiers of the ladder. */
export async function ladderOf(
  tx: Transaction,
  company: AtRevision,
): Promise<readonly LadderTier[]> {
  return (await tiersOf(tx, company)).ladder
}

/** The ladder of exactly this revision, if this process knows it. */
export function ladderAt(company: AtRevision): readonly LadderTier[] | null {
  return remembered.known(company)?.ladder ?? null
}

/**
 * A tier that a row names.
 * @throws Outdated if `company apply` has added it since this request read the revision
 */
export function tierIn({ byCode }: Tiers, code: string): LadderTier {
  const tier = byCode.get(code)
  if (tier === undefined) throw new Outdated(`tier ${code} is newer than the revision`)
  return tier
}

/** Whether the spend reaches the threshold; both are decimal strings. */
export function reaches(spent: string, threshold: string): boolean {
  return minus(decimal(spent), decimal(threshold)).units >= 0n
}
