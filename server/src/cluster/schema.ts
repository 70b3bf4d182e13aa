import type * as pg from 'pg'
import * as z from 'zod/mini'
import { placedForeignKey, widened } from './keys.ts'
import { columnOf, copied, formOnNodes } from './placement.ts'

// How the schema changes before its tables are placed: Citus has no triggers, and a node checks a
// key only among its own rows.

const Trigger = z.object({ table: z.string(), name: z.string() })
const Change = z.object({ change: z.string() })
const Key = z.object({ table: z.string(), name: z.string(), definition: z.string() })
const ForeignKey = z.extend(Key, { target: z.string(), writable: z.boolean() })

async function readAll<T>(
  client: pg.Client,
  row: z.ZodMiniType<T>,
  text: string,
  tables: readonly string[],
): Promise<T[]> {
  const { rows } = await client.query(text, [tables])
  return rows.map((one) => row.parse(one))
}

/** Citus has no triggers on placed tables; the program does without them. */
export async function dropTriggers(client: pg.Client, tables: readonly string[]): Promise<void> {
  const found = await readAll(
    client,
    Trigger,
    `select c.relname as table, t.tgname as name from pg_trigger t
       join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`,
    tables,
  )
  for (const { table, name } of found) await client.query(`drop trigger ${name} on ${table}`)
}

/** Rows move to another node by logical replication, which leaves out unlogged tables. */
export async function logTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  const found = await readAll(
    client,
    z.object({ table: z.string() }),
    `select relname as table from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'
       and relname = any ($1)`,
    tables,
  )
  for (const { table } of found) await client.query(`alter table ${table} set logged`)
}

const readConstraints = `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name,
    pg_get_constraintdef(c.oid) as definition
  from pg_constraint c
  where c.contype in ('p', 'u') and c.conrelid::regclass::text = any ($1) order by 1, 2`
const readIndexes = `select x.indrelid::regclass::text as table, quote_ident(i.relname) as name,
    pg_get_indexdef(i.oid) as definition
  from pg_index x join pg_class i on i.oid = x.indexrelid
  where x.indisunique and x.indrelid::regclass::text = any ($1)
    and not exists (select from pg_constraint c where c.conindid = i.oid and c.contype <> 'f')
  order by 1, 2`

/**
 * Adds the column that places a table's rows to each of its unique keys that does not contain it.
 * What such a key kept unique in a company, a small table keeps unique: `coupon_key` the codes of
 * coupons, `receipt_key` the numbers of receipts.
 */
export async function widenKeys(client: pg.Client, tables: readonly string[]): Promise<void> {
  for (const { table, name, definition } of await readAll(client, Key, readConstraints, tables)) {
    const wide = widened(definition, columnOf.get(table))
    if (wide === definition) continue
    await client.query(
      `alter table ${table} drop constraint ${name}, add constraint ${name} ${wide}`,
    )
  }
  for (const { table, name, definition } of await readAll(client, Key, readIndexes, tables)) {
    const wide = widened(definition, columnOf.get(table))
    if (wide === definition) continue
    await client.query(`drop index ${name}`)
    await client.query(wide)
  }
}

/**
 * Drops the foreign keys from and to the tables: a table can be placed only while no table refers
 * to it that is placed later.
 * @returns the statements that add those again that a node can check, those to copied tables first
 */
export async function dropForeignKeys(
  client: pg.Client,
  tables: readonly string[],
): Promise<string[]> {
  const keys = await readAll(
    client,
    ForeignKey,
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name,
       pg_get_constraintdef(c.oid) as definition, c.confrelid::regclass::text as target,
       has_table_privilege('tillside_app', c.confrelid, 'update') as writable
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and t.relnamespace = 'public'::regnamespace
       and (t.relname = any ($1) or c.confrelid::regclass::text = any ($1))
     order by 1, 2`,
    tables,
  )
  for (const { table, name } of keys) {
    await client.query(`alter table ${table} drop constraint ${name}`)
  }
  return keys
    .toSorted((a, b) => Number(copied.has(b.target)) - Number(copied.has(a.target)))
    .flatMap((key) => {
      // To write a row of a copied table, Citus locks the copied tables that it refers to, which
      // needs the right to update them.
      if (copied.has(key.table) && copied.has(key.target) && !key.writable) return []
      const kept = placedForeignKey(key, columnOf)
      return kept === null ? [] : [`alter table ${key.table} add constraint ${key.name} ${kept}`]
    })
}

/**
 * Gives each form of a function for several nodes, `…_on_nodes`, the name that the program calls.
 * Lets functions plan for each call: a plan that is kept for all values does not know the node of a
 * join, so Citus runs it on every one.
 */
export async function adaptFunctions(client: pg.Client): Promise<void> {
  for (const text of await readAdaptations(client)) await client.query(text)
}

/** Whether a function is as a migration has made it, for one PostgreSQL. */
export async function hasFunctionsOfOne(client: pg.Client): Promise<boolean> {
  return (await readAdaptations(client)).length > 0
}

/** The statements that adapt the functions. */
async function readAdaptations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select format('alter routine %s reset plan_cache_mode', oid::regprocedure) as change
     from pg_proc
     where pronamespace = 'public'::regnamespace
       and array_to_string(proconfig, ' ') like '%plan_cache_mode%'
     union all
     select format('alter routine %I(%s) rename to %I; alter routine %I(%2$s) rename to %1$I',
       f.name, pg_get_function_identity_arguments(p.oid), f.name || '_on_one', p.proname)
     from pg_proc p cross join lateral (
         select regexp_replace(p.proname, '${formOnNodes}$', '') as name) f
     where p.pronamespace = 'public'::regnamespace and p.proname ~ '${formOnNodes}$'`,
  )
  return rows.map((row) => Change.parse(row).change)
}
