import * as pg from 'pg'
import * as z from 'zod/mini'
import { placedForeignKey, widened } from '../../cluster/keys.ts'
import { columnOf } from '../../cluster/placement.ts'
import { adaptFunctions } from '../../cluster/schema.ts'

// Placed tables as partitions on one PostgreSQL: each row is in the part that its table's column
// chooses, as it would be on a node of a cluster. PostgreSQL then refuses a key without the column,
// and its locks tell which parts a call touched.

/** How many parts each placed table has: `PARTS`, or 4. */
export const partCount = Number(process.env['PARTS'] ?? 4)

const Saved = z.object({ table: z.string(), name: z.string(), definition: z.string() })
type Saved = z.infer<typeof Saved>
const ForeignKey = z.extend(Saved, { target: z.string() })
const Grant = z.object({ table: z.string(), privilege: z.string(), columns: z.string() })
const Routine = z.object({ definition: z.string(), drop: z.string() })
const Change = z.object({ change: z.string() })
const Found = z.object({ table: z.string(), column: z.string() })

/**
 * The placed tables whose column exists and is never null, and that column. A table that is placed
 * by its company stays whole: all rows of a company are on one node.
 */
async function readPlaced(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query(
    `select c.relname as table, a.attname as column from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and a.attnotnull
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  )
  const columns = rows.map((row) => Found.parse(row))
  return new Map(
    [...columnOf].filter(
      ([table, column]) =>
        column !== 'company_id' &&
        columns.some((one) => one.table === table && one.column === column),
    ),
  )
}

async function readAll<T>(
  client: pg.Client,
  row: z.ZodMiniType<T>,
  text: string,
  tables: readonly string[],
): Promise<T[]> {
  const { rows } = await client.query(text, [tables])
  return rows.map((one) => row.parse(one))
}

const readForeignKeys = `select c.conrelid::regclass::text as table, c.conname as name,
    pg_get_constraintdef(c.oid) as definition, c.confrelid::regclass::text as target
  from pg_constraint c
  where c.contype = 'f' and (c.conrelid::regclass::text = any ($1)
    or c.confrelid::regclass::text = any ($1))
  order by 1, 2`
const readConstraints = `select c.conrelid::regclass::text as table, c.conname as name,
    pg_get_constraintdef(c.oid) as definition
  from pg_constraint c
  where c.contype in ('p', 'u', 'x') and c.conrelid::regclass::text = any ($1) order by 1, 2`
const readIndexes = `select x.indrelid::regclass::text as table, i.relname as name,
    pg_get_indexdef(i.oid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indrelid::regclass::text = any ($1)
    and not exists (select from pg_constraint c where c.conindid = i.oid and c.contype <> 'f')
  order by 1, 2`
const readPolicies = `select tablename as table, policyname as name,
    format('for %s using (%s) %s', cmd, coalesce(qual, 'true'),
      'with check (' || coalesce(with_check, qual) || ')') as definition
  from pg_policies where schemaname = 'public' and tablename = any ($1) order by 1, 2`
const readGrants = `select g.table_name as table, g.privilege_type as privilege, '' as columns
  from information_schema.table_privileges g
  where g.grantee = 'tillside_app' and g.table_schema = 'public' and g.table_name = any ($1)
  union all
  select c.relname, p.privilege_type, '(' || quote_ident(a.attname) || ')'
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attacl is not null
    cross join lateral aclexplode(a.attacl) p
  where p.grantee = 'tillside_app'::regrole and c.relname = any ($1)
  union all
  select c.relname, p.privilege_type, '' from pg_class c cross join lateral aclexplode(c.relacl) p
  where p.grantee = 'tillside_app'::regrole and p.privilege_type = 'MAINTAIN'
    and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`
// Functions whose body is parsed when they are made, or that have a row of a table as a type.
const readRoutines = `select distinct pg_get_functiondef(p.oid) as definition,
    'drop routine ' || p.oid::regprocedure::text as drop
  from pg_depend d join pg_proc p on p.oid = d.objid and d.classid = 'pg_proc'::regclass
    left join pg_type t on t.oid = d.refobjid and d.refclassid = 'pg_type'::regclass
    join pg_class c on c.oid = case when d.refclassid = 'pg_class'::regclass then d.refobjid
      else t.typrelid end
  where c.relname = any ($1)`

/**
 * Lays the placed tables of an empty database out in parts, by the column of `placement.ts`. A key
 * without the column gets it. Foreign keys between rows that can be on different nodes go, and
 * triggers, which Citus does not have.
 * @returns the tables that are in parts
 */
export async function layOutInParts(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const placed = await readPlaced(client)
    await client.query('begin')
    await layOut(client, placed)
    await planEachCall(client)
    await adaptFunctions(client)
    await client.query('commit')
    return [...placed.keys()]
  } finally {
    await client.end()
  }
}

/** A plan that is kept for all values locks every part before it leaves some out. */
async function planEachCall(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select format('alter database %I set plan_cache_mode = force_custom_plan', current_database())
       as change`,
  )
  await client.query(Change.parse(rows[0]).change)
}

async function layOut(client: pg.Client, placed: ReadonlyMap<string, string>): Promise<void> {
  const tables = [...placed.keys()]
  const foreign = await readAll(client, ForeignKey, readForeignKeys, tables)
  const routines = await readAll(client, Routine, readRoutines, tables)
  const dressed = await restore(client, placed)
  const all = [
    ...foreign.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    ...routines.map(({ drop }) => drop),
    ...[...placed].flatMap(([table, column]) => makeParts(table, column)),
    ...dressed,
    ...routines.map(({ definition }) => definition),
    ...foreign.flatMap(({ table, name, definition, target }) => {
      const kept = placedForeignKey({ table, name, target, definition }, placed)
      return kept === null ? [] : [`alter table ${table} add constraint ${name} ${kept}`]
    }),
  ]
  for (const text of all) {
    await client.query(text).catch((cause: unknown) => {
      throw new Error(`cannot lay out: ${text}`, { cause })
    })
  }
}

/** The statements that replace an empty table by one in parts, without its keys and indexes. */
function makeParts(table: string, column: string): string[] {
  const numbers = Array.from({ length: partCount }, (_, n) => n)
  return [
    `alter table ${table} rename to plain`,
    `create table ${table} (like plain including all excluding indexes)
       partition by hash (${column})`,
    'drop table plain',
    ...numbers.map(
      (n) => `create table ${table}_${n} partition of ${table}
         for values with (modulus ${partCount}, remainder ${n})`,
    ),
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
  ]
}

/** The statements that give the tables their keys, indexes, policies and grants back. */
async function restore(client: pg.Client, placed: ReadonlyMap<string, string>): Promise<string[]> {
  const tables = [...placed.keys()]
  const constraints = await readAll(client, Saved, readConstraints, tables)
  const indexes = await readAll(client, Saved, readIndexes, tables)
  const policies = await readAll(client, Saved, readPolicies, tables)
  const grants = await readAll(client, Grant, readGrants, tables)
  return [
    ...constraints.map(
      ({ table, name, definition }) =>
        `alter table ${table} add constraint ${name} ${widened(definition, placed.get(table))}`,
    ),
    ...indexes.map(({ table, definition }) =>
      definition.startsWith('CREATE UNIQUE') ? widened(definition, placed.get(table)) : definition,
    ),
    ...policies.map(
      ({ table, name, definition }) => `create policy ${name} on ${table} ${definition}`,
    ),
    ...grants.map(
      ({ table, privilege, columns }) =>
        `grant ${privilege} ${columns} on ${table} to tillside_app`,
    ),
  ]
}
