import type { Named } from '@tillside/contract/rules/person'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { insertOf, insertRows } from '../../database/insert.ts'
import { dropSome, type Old } from '../../database/reads/each.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { loadNameFolding } from './fold.ts'

const readSearched = statement(
  `select exists (
     select from staff_group
     where company_id = $1 and 'homeMemberSearchByName' = any (permissions)
   ) as searched`,
  z.object({ searched: z.boolean() }),
)
const insertKeys = insertOf(
  'member_name_key (company_id, member_id, key)',
  '($1, $2, $3)',
  'on conflict do nothing',
  z.unknown(),
)
const dropKeys = statement(
  'delete from member_name_key where company_id = $1 and member_id = $2',
  z.unknown(),
)
const all: Old = {
  find: wholeCompany(
    'select member_id, key from member_name_key where company_id = $1 limit $2',
    z.object({ member_id: z.string(), key: z.string() }),
  ),
  drop: statement(
    'delete from member_name_key where company_id = $1 and member_id = $2 and key = $3',
    z.unknown(),
  ),
}
const dropWalk = statement('delete from member_name_walk where company_id = $1', z.unknown())
const readWalk = statement(
  'select last_member, finished from member_name_walk where company_id = $1',
  z.object({ last_member: z.nullable(z.string()), finished: z.boolean() }),
)
const readNext = wholeCompany(
  `select member_id, first_name, last_name from member
   where company_id = $1 and ($2::uuid is null or member_id > $2) order by member_id limit $3`,
  z.object({ member_id: z.string(), first_name: z.string(), last_name: z.string() }),
)
const keepWalk = statement(
  `insert into member_name_walk (company_id, last_member, finished) values ($1, $2, $3)
   on conflict (company_id)
     do update set last_member = excluded.last_member, finished = excluded.finished`,
  z.unknown(),
)

type NamedMember = Named & { memberId: string }

/** Whether a clerk of the company may search by name; only then the names are folded. */
async function isSearched(tx: Transaction, companyId: string): Promise<boolean> {
  return (await tx.one(readSearched, [companyId])).searched
}

/** Deletes the keys of a member's name, in the transaction that changes the name. */
export async function dropNameKeys(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await tx.run(dropKeys, [companyId, memberId])
}

/**
 * Writes the keys of new names, in the transaction that writes the names. Those of a former name
 * are deleted before (`dropNameKeys`).
 */
export async function writeNameKeys(
  tx: Transaction,
  companyId: string,
  members: readonly NamedMember[],
): Promise<void> {
  if (await isSearched(tx, companyId)) await insertFor(tx, companyId, members)
}

async function insertFor(
  tx: Transaction,
  companyId: string,
  members: readonly NamedMember[],
): Promise<void> {
  const { keysOf } = await loadNameFolding()
  const rows = members.flatMap((member) => keysOf(member).map((key) => [member.memberId, key]))
  await insertRows(tx, insertKeys, companyId, rows)
}

/**
 * Folds the names of members from before the company had the search, one batch after another. For
 * a company that has it no longer, deletes the keys.
 * @param limit of members
 * @returns the number of members, or of deleted keys, and whether more are left
 */
export async function walkNames(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<{ done: number; left: boolean }> {
  if (!(await isSearched(tx, companyId))) {
    const done = await dropSome(tx, all, companyId, limit)
    await tx.run(dropWalk, [companyId])
    return { done, left: done >= limit }
  }
  const walk = await tx.maybe(readWalk, [companyId])
  if (walk?.finished === true) return { done: 0, left: false }
  const rows = await tx.all(readNext, [companyId, walk?.last_member ?? null, limit])
  const members = rows.map((row) => ({
    memberId: row.member_id,
    firstName: row.first_name,
    lastName: row.last_name,
  }))
  await insertFor(tx, companyId, members)
  const last = rows.at(-1)?.member_id ?? walk?.last_member ?? null
  const left = rows.length >= limit
  await tx.run(keepWalk, [companyId, last, !left])
  return { done: rows.length, left }
}
