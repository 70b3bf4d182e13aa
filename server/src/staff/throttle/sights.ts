import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { insertOf, insertRows } from '../../database/insert.ts'
import type { Old } from '../../database/reads/each.ts'
import { wholeCompany } from '../../database/reads/whole.ts'

// The rows of `look_up`, which are with the clerk: the members that a clerk has seen lately, and
// when the clerk last typed the password. The limit of look-ups reads them (allowance/seen.ts).

/** Ids of no member: the password was typed, and the company was alerted. */
export const passwordTyped = '00000000-0000-0000-0000-000000000000'
export const companyAlerted = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const insert = statement(
  `insert into look_up (company_id, staff_id, at, seen_id) values ($1, $2, now(), $3)
   on conflict do nothing`,
  z.unknown(),
)
const insertMany = insertOf(
  'look_up (company_id, staff_id, at, seen_id)',
  '($1, $2, $3, $4)',
  'on conflict do nothing',
  z.unknown(),
)

/** Notes at the commit that a clerk has seen a member, or that the clerk has typed the password. */
export function noteSight(
  tx: Transaction,
  companyId: string,
  staffId: string,
  seenId: string,
): void {
  tx.atCommit(insert, [companyId, staffId, seenId])
}

/** A member or a search that a clerk has seen at a time. */
export type Sight = { staffId: string; at: string; seenId: string }

/**
 * Notes the members that clerks have seen. The audit rows of the transaction are written after it.
 */
export async function noteSights(
  tx: Transaction,
  companyId: string,
  sights: readonly Sight[],
): Promise<void> {
  const rows = sights.map(({ staffId, at, seenId }) => [staffId, at, seenId])
  await insertRows(tx, insertMany, companyId, rows)
}

/** No limit looks back further than an hour. */
const isPast = `at < now() - interval '2 hours'`
export const pastSights: Old = {
  find: wholeCompany(
    `select distinct staff_id from look_up where company_id = $1 and ${isPast} limit $2`,
    z.object({ staff_id: z.string() }),
  ),
  drop: statement(
    `delete from look_up where company_id = $1 and staff_id = $2 and ${isPast}`,
    z.unknown(),
  ),
}
