import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { mergedInto } from '../merge/unmerge.ts'

// Every table with a member id or a transaction id, so that tables added later are included.
const readTables = statement(
  `select c.relname::text as name, bool_or(a.attname = 'member_id') as by_member
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   join pg_attribute a on a.attrelid = c.oid and a.attname in ('member_id', 'transaction_id')
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (
     select from pg_attribute o where o.attrelid = c.oid and o.attname = 'company_id')
   group by c.relname order by c.relname`,
  z.object({ name: z.string(), by_member: z.boolean() }),
)

type Dossier = Record<string, unknown[]>

/** Exports all data of one member and of those merged into them, table by table. */
export async function exportMember(
  tx: Transaction,
  company: { id: string },
  memberId: string,
): Promise<Dossier> {
  const [tables, merged] = await Promise.all([
    tx.all(readTables, []),
    mergedInto(tx, company.id, memberId),
  ])
  const ids = [memberId, ...merged.map(({ id }) => id)]
  const rows = await Promise.all(
    tables.map(({ name, by_member: byMember }) =>
      tx.all(rowsOf(name, byMember), [company.id, ids]),
    ),
  )
  writeAudit(tx, { company, staff: null, store: null }, 'command', {
    action: 'member.export',
    memberId,
    details: {},
  })
  const filled = tables.flatMap(({ name }, index) => {
    const found = rows[index] ?? []
    return found.length === 0 ? [] : [[name, found.map(({ row }) => row)] as const]
  })
  return Object.fromEntries(filled)
}

/** Without the company's id, places and content hashes, which mean nothing to the member. */
function rowsOf(table: string, byMember: boolean) {
  const whose = byMember
    ? 'member_id = any ($2::uuid[])'
    : `transaction_id in (
         select transaction_id from transaction
         where company_id = $1 and place = any ($2::uuid[]) and member_id = any ($2::uuid[]))`
  return statement(
    `select to_jsonb(t) - '{company_id,place,content_hash}'::text[] as row from "${table}" t
     where company_id = $1 and ${whose} order by ctid`,
    z.object({ row: z.unknown() }),
  )
}
