import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import type { Shop } from '../../testing/factories/shop.ts'

// All rows that changes leave, to compare two members after the same changes.

const readTables = statement(
  `select c.relname::text as name, array_agg(a.attname::text order by a.attname) as columns
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid
       and a.attname in ('member_id', 'place')
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
     and c.relname not in ('member', 'member_key')
   group by 1 order by 1`,
  z.object({ name: z.string(), columns: z.array(z.string()) }),
)
const readCodes = statement(
  'select coupon_code as code from coupon where company_id = $1 and member_id = $2',
  z.object({ code: z.string() }),
)
const readGiven = statement(
  `select kind, sum(used)::int as used from given_today where company_id = $1 group by 1`,
  z.object({ kind: z.string(), used: z.int() }),
)
const readKeys = statement(
  `select to_jsonb(o) - 'key' - 'body_hash' as row from operation o
   where company_id = $1 and key = any ($2::uuid[])`,
  z.object({ row: z.unknown() }),
)

/** The rows of a member, by table, and of keys. Ids, codes, hashes and times are only named. */
export async function effectsOn(
  { database, id }: Pick<Shop, 'database' | 'id'>,
  member: { id: string },
  keys: readonly string[] = [],
): Promise<Record<string, string[]>> {
  return database.transaction(id, async (tx) => {
    const tables = await tx.all(readTables, [])
    const [codes, ofKeys, ...ofTables] = await Promise.all([
      tx.all(readCodes, [id, member.id]),
      tx.all(readKeys, [id, keys]),
      ...tables.map(({ name, columns }) => rowsIn(tx, name, columns, [id, member.id])),
    ])
    const found = tables.map(({ name }, n) => [name, named(ofTables[n] ?? [], codes)])
    return { ...Object.fromEntries(found), operation: named(ofKeys, codes) }
  })
}

function rowsIn(
  tx: Transaction,
  table: string,
  columns: readonly string[],
  values: readonly string[],
): Promise<{ row: unknown }[]> {
  const own = columns.map((column) => `${column} = $2`)
  const isLookUp = table === 'audit' ? ` and action not like 'member.lookUp%'` : ''
  const rows = statement(
    `select to_jsonb(t) - '{audit_id,id,request_id}'::text[] as row from "${table}" t
     where company_id = $1 and (${own.join(' or ')})${isLookUp}`,
    z.object({ row: z.unknown() }),
  )
  return tx.all(rows, values)
}

/** The rows as texts in order, without ids, codes and times. */
function named(rows: readonly { row: unknown }[], codes: readonly { code: string }[]): string[] {
  return rows.map(({ row }) => withNames(JSON.stringify(row), codes)).toSorted()
}

function withNames(text: string, codes: readonly { code: string }[]): string {
  return codes
    .reduce((sum, { code }) => sum.replaceAll(code, 'code'), text)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time')
    .replaceAll(/\\\\x[0-9a-f]{64}/g, 'hash')
    .replaceAll(/"[A-Z][0-9A-F]{12}"/g, '"member"')
    .replaceAll(/"R\d+"/g, '"receipt"')
}

/** The counts of a day for the limits of all clerks of a shop, by kind. */
export async function givenToday({
  database,
  id,
}: Pick<Shop, 'database' | 'id'>): Promise<Record<string, number>> {
  const rows = await database.reading(id, (tx) => tx.all(readGiven, [id]))
  return Object.fromEntries(rows.map(({ kind, used }) => [kind, used]))
}
