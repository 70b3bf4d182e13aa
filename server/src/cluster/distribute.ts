import * as pg from 'pg'
import * as z from 'zod/mini'
import { lockTimeout, repeatWhileLocked } from '../database/migrate.ts'
import { hasCitus, type Node, type Placed, readCitus, readNodes, readPlacement } from './citus.ts'
import { obstacleOf } from './obstacle.ts'
import { columnOf, copied, groupOf } from './placement.ts'
import {
  adaptFunctions,
  dropForeignKeys,
  dropTriggers,
  hasFunctionsOfOne,
  logTables,
  widenKeys,
} from './schema.ts'
import { endSessions } from './sessions.ts'
import { addTwoPhases, hasTwoPhases } from './two-phases.ts'

/** A table that is to be placed, with its size. */
export type Move = { table: string; bytes: number }
export type Distribution = {
  version: string
  nodes: readonly Node[]
  /** Tables that have a copy on every node already, or whose rows are placed. */
  placed: readonly string[]
  /** What was placed, or with `dryRun` would be; the copied tables first. */
  moves: readonly Move[]
  /** Whether the database was no cluster before. */
  isFirst: boolean
}

const Table = z.object({ table: z.string(), bytes: z.coerce.number() })

/**
 * Places each row of a table on the node that its member chooses, or another column where it has no
 * member, and copies small tables to every node (`placement.ts`). All of it is one transaction:
 * when it is interrupted, no table and no row has changed, and it is run again. Requests wait while
 * it runs.
 * The first run ends the sessions of running servers before it moves rows, because a session that
 * was opened before `setForDatabase` would see no rows on the nodes.
 * @param ownerUrl of the coordinator
 * @param progress receives the share of the bytes that are placed, 0 to 1
 * @throws Error with one line when the database is no cluster, a node does not answer, is full or
 *   lacks a right, or a table is placed in another way
 */
export async function distribute(
  ownerUrl: string,
  { dryRun = false }: { dryRun?: boolean } = {},
  progress: (done: number, table: string) => void = () => {},
): Promise<Distribution> {
  return connected(ownerUrl, async (client) => {
    const { isComplete, ...found } = await inspect(client)
    if (dryRun || isComplete) return found
    if (found.isFirst) {
      await setForDatabase(client)
      await endSessions(client)
    }
    await repeatWhileLocked('distribute', () => place(client, found.moves, progress))
    return found
  })
}

/**
 * Checks the nodes of a cluster and where the tables are.
 * @throws Error with one line that names the remedy; none where there is no cluster
 */
export async function checkCluster(ownerUrl: string): Promise<void> {
  await connected(ownerUrl, async (client) => {
    if (!(await hasCitus(client))) return
    const { isComplete, moves } = await inspect(client)
    if (isComplete) return
    const tables = moves.map(({ table }) => table).join(', ')
    const problem = tables === '' ? 'not adapted to the cluster' : `not placed: ${tables}`
    throw new Error(`${problem}; run tillside database distribute`)
  })
}

/** Plans a distribution. `isComplete`: there is nothing to do. */
async function inspect(client: pg.Client): Promise<Distribution & { isComplete: boolean }> {
  const version = await readCitus(client)
  const nodes = await readNodes(client)
  const placement = await readPlacement(client)
  placement.forEach(checkPlaced)
  const moves = missing(await readTables(client), placement)
  // A migration makes functions as one PostgreSQL needs them.
  const isFirst = !(await hasTwoPhases(client))
  const isAdapted = !isFirst && !(await hasFunctionsOfOne(client))
  const placed = placement.map(({ table }) => table)
  const isComplete = moves.length === 0 && isAdapted
  return { version, nodes, placed, moves, isFirst, isComplete }
}

async function connected<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  // A server that goes away fails the statement that runs; the event must not end the process.
  client.on('error', () => {})
  try {
    return await work(client)
  } catch (error) {
    throw obstacleOf(error)
  } finally {
    await client.end()
  }
}

/** @throws Error when the table has another place than `placement.ts` says */
function checkPlaced({ table, column }: Placed): void {
  const wanted = columnOf.get(table) ?? null
  if (column === wanted) return
  throw new Error(
    `table ${table} is ${placeName(column)}, and this program needs it ${placeName(wanted)}; ` +
      'docs/growing.md describes how to distribute again',
  )
}

const placeName = (column: string | null) =>
  column === null ? 'copied to every node' : `placed by ${column}`

/** The tables that are not placed: the copied ones, then each group with its first table first. */
function missing(tables: readonly Move[], placement: readonly Placed[]): Move[] {
  const placed = new Set(placement.map(({ table }) => table))
  return [...copied, ...columnOf.keys()].flatMap((name) =>
    tables.filter(({ table }) => table === name && !placed.has(table)),
  )
}

async function place(
  client: pg.Client,
  moves: readonly Move[],
  progress: (done: number, table: string) => void,
): Promise<void> {
  const tables = moves.map(({ table }) => table)
  const total = moves.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  await client.query('begin')
  try {
    // Requests use the tables in other orders. All locks are taken first, so that a deadlock loses
    // no work.
    await client.query(`set local lock_timeout = '${lockTimeout}'`)
    for (const table of tables) await client.query(`lock table ${table} in access exclusive mode`)
    // Tables that refer to each other are placed in one transaction only over one connection to
    // each node.
    await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await dropTriggers(client, tables)
    await logTables(client, tables)
    const foreignKeys = await dropForeignKeys(client, tables)
    await client.query('set local lock_timeout = 0')
    await widenKeys(client, tables)
    for (const { table, bytes } of moves) {
      progress(done / total, table)
      await client.query(placeStatement(table))
      done += bytes
    }
    for (const text of foreignKeys) await client.query(text)
    await adaptFunctions(client)
    await addTwoPhases(client)
    await client.query('commit')
    progress(1, '')
  } catch (error) {
    // A lost connection has rolled back already.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** The rows of a group's tables are together: the others follow its first table. */
function placeStatement(table: string): string {
  const column = columnOf.get(table)
  if (column === undefined) return `select create_reference_table('${table}')`
  const leader = [...columnOf.keys()].find((one) => groupOf(one) === groupOf(table)) ?? table
  return `select create_distributed_table('${table}', '${column}',
    colocate_with => '${leader === table ? 'none' : leader}')`
}

/**
 * The program's role sees rows only with the setting `app.company_id`, which Citus has to send to
 * the nodes. Only sessions that are opened later do so.
 */
async function setForDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(current_database()) as name',
  )
  await client.query(`alter database ${rows[0]?.name} set citus.propagate_set_commands = 'local'`)
}

/** @throws Error when `placement.ts` does not name a table */
async function readTables(client: pg.Client): Promise<Move[]> {
  const { rows } = await client.query(
    `select relname as table, pg_total_relation_size(oid) as bytes from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname not in ('schema_migration', 'two_phases')
     order by relname`,
  )
  const tables = rows.map((row) => Table.parse(row))
  const unknown = tables.filter(({ table }) => !copied.has(table) && !columnOf.has(table))
  if (unknown.length > 0) {
    const names = unknown.map(({ table }) => table).join(', ')
    throw new Error(`this program does not know where to place ${names}; remove it first`)
  }
  return tables
}
