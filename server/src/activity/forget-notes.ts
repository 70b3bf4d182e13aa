import { noteDays } from '@tillside/contract/activity'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const forgetOld = statement(
  `delete from shift_note where company_id = $1 and note_id in (
     select note_id from shift_note
     where company_id = $1 and written_at < now() - make_interval(days => ${noteDays})
     limit $2
   )`,
  z.unknown(),
)

/**
 * Deletes the notes that are no longer shown, with their confirmations.
 * @param limit the maximum number of notes
 * @returns the number of deleted notes
 */
export async function forgetShiftNotes(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  return tx.run(forgetOld, [companyId, limit])
}

// A clerk may write a number with spaces or hyphens.
const squeezed = (sql: string) => String.raw`regexp_replace(lower(${sql}), '[\s-]', '', 'g')`
const naming = `exists (
  select from unnest($2::text[]) word
  where position(${squeezed('word')} in ${squeezed('text')}) > 0)`
const countNaming = statement(
  `select count(*)::int as count from shift_note where company_id = $1 and ${naming}`,
  z.object({ count: z.int() }),
)
const dropNaming = statement(
  `delete from shift_note where company_id = $1 and ${naming}`,
  z.unknown(),
)

/**
 * The number of notes that have one of these words.
 * @param words whole names, contacts and codes of a member
 */
export async function countNotesNaming(
  tx: Transaction,
  companyId: string,
  words: readonly string[],
): Promise<number> {
  return (await tx.one(countNaming, [companyId, words])).count
}

/** Deletes the notes that name a member to be erased. @param words as for `countNotesNaming` */
export async function forgetNotesNaming(
  tx: Transaction,
  companyId: string,
  words: readonly string[],
): Promise<void> {
  await tx.run(dropNaming, [companyId, words])
}
