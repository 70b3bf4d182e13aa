import * as pg from 'pg'
import * as z from 'zod/mini'
import { type Node, type Placed, readCitus, readNodes, readPlacement } from './citus.ts'
import { references } from './placement.ts'

/** A table that is to be placed, with its size. */
export type Move = { table: string; bytes: number }
export type Distribution = {
  version: string
  nodes: readonly Node[]
  /** Tables that have a copy on every node already, or whose rows are placed. */
  placed: readonly string[]
  /** What was placed, or with `dryRun` would be; the references first. */
  moves: readonly Move[]
}

const Table = z.object({ table: z.string(), bytes: z.coerce.number() })
const ForeignKey = z.object({
  table: z.string(),
  name: z.string(),
  definition: z.string(),
  target: z.string(),
})
const Trigger = z.object({ table: z.string(), name: z.string() })

/**
 * Places the rows of each company on one node of a Citus cluster, and copies the references to
 * every node. All of it is one transaction: when it is interrupted, nothing has changed, and it is
 * run again. Requests wait while it runs.
 * @param ownerUrl of the coordinator
 * @param progress receives the share of the bytes that are placed, 0 to 1
 * @throws Error with one line when the database is no cluster, or a node does not answer
 */
export async function distribute(
  ownerUrl: string,
  { dryRun = false }: { dryRun?: boolean } = {},
  progress: (done: number, table: string) => void = () => {},
): Promise<Distribution> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const version = await readCitus(client)
    const nodes = await readNodes(client)
    const placement = await readPlacement(client)
    const moves = missing(await readTables(client), placement)
    const placed = placement.map(({ table }) => table)
    if (!dryRun && moves.length > 0) await place(client, moves, progress)
    return { version, nodes, placed, moves }
  } finally {
    await client.end()
  }
}

/** The tables that are not placed, the references first. */
function missing(tables: readonly Move[], placement: readonly Placed[]): Move[] {
  const placed = new Set(placement.map(({ table }) => table))
  const open = tables.filter(({ table }) => !placed.has(table))
  return [
    ...references.flatMap((name) => open.filter(({ table }) => table === name)),
    ...open.filter(({ table }) => !isReference(table)),
  ]
}

export function isReference(table: string): boolean {
  return references.some((name) => name === table)
}

/** The table by whose placement all others are placed. */
const anchor = 'member'

async function place(
  client: pg.Client,
  moves: readonly Move[],
  progress: (done: number, table: string) => void,
): Promise<void> {
  const total = moves.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  await client.query('begin')
  try {
    // Tables that refer to each other are placed in one transaction only over one connection to
    // each node.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await dropTriggers(client)
    await logTables(client)
    const keys = await dropForeignKeys(client, moves)
    // The anchor first: the others follow it.
    const ordered = moves.toSorted((a, b) => rank(a.table) - rank(b.table))
    for (const { table, bytes } of ordered) {
      progress(done / total, table)
      await client.query(
        isReference(table)
          ? `select create_reference_table('${table}')`
          : `select create_distributed_table('${table}', 'company_id'
               ${table === anchor ? '' : `, colocate_with => '${anchor}'`})`,
      )
      done += bytes
    }
    for (const { table, name, definition } of keys) {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    }
    await setForDatabase(client)
    await client.query('commit')
    progress(1, '')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** The references first, then the anchor, then the others. */
function rank(table: string): number {
  if (isReference(table)) return references.findIndex((name) => name === table) - references.length
  return table === anchor ? 0 : 1
}

/**
 * The program's role sees rows only with the setting `app.company_id`, which Citus has to send to
 * the nodes.
 */
async function setForDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(current_database()) as name',
  )
  await client.query(`alter database ${rows[0]?.name} set citus.propagate_set_commands = 'local'`)
}

async function readTables(client: pg.Client): Promise<Move[]> {
  const { rows } = await client.query(
    `select relname as table, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname <> 'schema_migration'
     order by relname`,
  )
  return rows.map((row) => Table.parse(row))
}

/** Citus has no triggers on placed tables; the program does without them. */
async function dropTriggers(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select c.relname as table, t.tgname as name from pg_trigger t
     join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of rows.map((row) => Trigger.parse(row))) {
    await client.query(`drop trigger ${name} on ${table}`)
  }
}

/** A company moves to another node by logical replication, which leaves out unlogged tables. */
async function logTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select relname as table, 0 as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'u'`,
  )
  for (const { table } of rows.map((row) => Table.parse(row))) {
    await client.query(`alter table ${table} set logged`)
  }
}

/**
 * Drops the foreign keys from and to the tables: a table can be placed only while no table refers
 * to it that is placed later.
 * @returns them, those to references first
 */
async function dropForeignKeys(client: pg.Client, moves: readonly Move[]) {
  const { rows } = await client.query(
    `select c.conrelid::regclass::text as table, quote_ident(c.conname) as name,
       pg_get_constraintdef(c.oid) as definition, c.confrelid::regclass::text as target
     from pg_constraint c join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and t.relnamespace = 'public'::regnamespace
     order by 1, 2`,
  )
  const open = new Set(moves.map(({ table }) => table))
  const keys = rows
    .map((row) => ForeignKey.parse(row))
    .filter(({ table, target }) => open.has(table) || open.has(target))
  for (const { table, name } of keys) {
    await client.query(`alter table ${table} drop constraint ${name}`)
  }
  // To write on a reference table, Citus locks the references that it refers to, which would need
  // more rights than the program's role has.
  const kept = keys.filter(({ table, target }) => !(isReference(table) && isReference(target)))
  return kept.toSorted((a, b) => Number(isReference(b.target)) - Number(isReference(a.target)))
}
