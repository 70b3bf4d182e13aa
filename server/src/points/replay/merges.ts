import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import type { LockedAccount } from '../ledger.ts'
import type { LifeEvent } from './life.ts'

// Members that were merged into one had points of their own before. The rows that a merge lists
// were the merged member's; the first merge that lists a row names its owner.

// The tables of merges are read by functions of the database: `points` does not know that feature.
const readMerges = statement(
  'select merged_id, survivor_id, seq, day from places_of_merges($1, $2)',
  z.object({ merged_id: z.string(), survivor_id: z.string(), seq: z.int(), day: z.string() }),
)
const readOwners = statement(
  'select name, owner from owners_of_merged($1, $2)',
  z.object({ name: z.string(), owner: z.string() }),
)

const addMerge = statement(
  `update point_account set merges = merges || $3::uuid
   where company_id = $1 and member_id = $2 and $3 <> all (merges)`,
  z.unknown(),
)
const dropMerge = statement(
  `update point_account set merges = array_remove(merges, $3::uuid)
   where company_id = $1 and member_id = $2 and $3 = any (merges)`,
  z.unknown(),
)

/** Names a merge at the account of its survivor, or no longer once it is undone. */
export async function nameMerge(
  tx: Transaction,
  companyId: string,
  { survivorId, mergeId, holds }: { survivorId: string; mergeId: string; holds: boolean },
): Promise<void> {
  await tx.run(holds ? addMerge : dropMerge, [companyId, survivorId, mergeId])
}

/** The merges of a member that hold, and the owner of each entry and fact from before them. */
export type MergeHistory = {
  /** By the id of an entry or a fact; null: it is younger, or was always this member's. */
  ownerOf: (id: string) => string | null
  events: readonly LifeEvent[]
}

/** Reads what a replay must know of a member's merges. */
export async function readMergeHistory({
  tx,
  companyId,
  memberId,
}: LockedAccount): Promise<MergeHistory> {
  const [merges, rows] = await Promise.all([
    tx.all(readMerges, [companyId, memberId]),
    tx.all(readOwners, [companyId, memberId]),
  ])
  // Of several owners of a row the first is kept.
  const owners = new Map(rows.toReversed().map(({ name, owner }) => [name, owner]))
  return {
    ownerOf: (id) => owners.get(id) ?? null,
    events: merges.map((row) => {
      const { merged_id: from, survivor_id: into, day } = row
      return { seq: row.seq + 0.5, day, kind: 'merge', from, into }
    }),
  }
}
