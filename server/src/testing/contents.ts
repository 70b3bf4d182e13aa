import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { allowWholeCompany } from '../database/reads/whole.ts'
import type { TestCompany } from './factories/company.ts'

const readTables = statement(
  `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and exists (
     select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')
   order by 1`,
  z.object({ name: z.string() }),
)

/**
 * The number and hash of rows of every table of the company, by table name. With it a test can
 * prove that a call changed nothing. The audit rows of look-ups, which are written a moment after
 * the answer, are left out.
 */
export async function contentsOf(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  return database.reading(id, async (tx) => {
    const tables = (await tx.all(readTables, [])).filter(({ name }) => !except.includes(name))
    const prints = readPrints(tables.map(({ name }) => name))
    const [, rows] = await Promise.all([allowWholeCompany(tx), tx.all(prints, [id])])
    return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
  })
}

/** One statement for all tables, because tests read the contents more than a thousand times. */
function readPrints(tables: readonly string[]) {
  const prints = tables.map(
    (name) =>
      `select '${name}' as name,
         concat(count(*), ' ', md5(string_agg(h, '' order by h))) as print from (
           select md5(t::text) as h from "${name}" t where company_id = $1
             ${name === 'audit' ? "and action not like 'member.lookUp%'" : ''}) rows`,
  )
  return statement(prints.join(' union all '), z.object({ name: z.string(), print: z.string() }))
}
