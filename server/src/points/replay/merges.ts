import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import type { LockedAccount } from '../ledger.ts'
import type { LifeEvent } from './life.ts'

// Members that were merged into one had points of their own before. The rows that a merge lists
// were the merged member's; the first merge that lists a row names its owner.

// The tables of merges are read by functions of the database: `points` does not know that feature.
const readMerges = statement(
  'select merged_id, survivor_id, seq, day from merge_places($1, $2)',
  z.object({ merged_id: z.string(), survivor_id: z.string(), seq: z.int(), day: z.string() }),
)
const readOwners = statement(
  'select name, owner from owners_before_merges($1, $2)',
  z.object({ name: z.string(), owner: z.string() }),
)

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
  const owners = new Map(rows.map(({ name, owner }) => [name, owner]))
  return {
    ownerOf: (id) => owners.get(id) ?? null,
    events: merges.map((row) => {
      const { merged_id: from, survivor_id: into, day } = row
      return { seq: row.seq + 0.5, day, kind: 'merge', from, into }
    }),
  }
}
