import type * as pg from 'pg'
import * as z from 'zod/mini'

// The facts that Citus has about the cluster. Everything is read on the coordinator.

/** A node that has rows. */
export type Node = { name: string; port: number }
/** A table that Citus has placed: a copy on every node, or rows placed by a column. */
export type Placed = { table: string; column: string | null }

const supported = [14, 15]
const Version = z.object({ version: z.string() })
const NodeRow = z.object({ name: z.string(), port: z.int(), active: z.boolean() })
const Health = z.object({ from: z.string(), to: z.string(), result: z.nullable(z.boolean()) })
const StateRow = z.object({ name: z.string(), success: z.boolean(), result: z.string() })
const State = z.object({
  citus: z.nullable(z.string()),
  mayCreate: z.boolean(),
  hasRole: z.boolean(),
})
const PlacedRow = z.object({ table: z.string(), type: z.string(), column: z.nullable(z.string()) })

/** SQL: the version of the extension; no row where the database is no node of a cluster. */
export const readExtension = `select extversion as version from pg_extension
  where extname = 'citus'`

/** Whether the database is a node of a cluster. */
export async function hasCitus(client: pg.Client): Promise<boolean> {
  return (await client.query(readExtension)).rowCount === 1
}

/**
 * Reads the version of the extension, such as `15.0`.
 * @throws Error when it is missing or not supported
 */
export async function readCitus(client: pg.Client): Promise<string> {
  const { rows } = await client.query(readExtension)
  const [found] = rows.map((row) => Version.parse(row))
  if (found === undefined) {
    throw new Error(
      'this database has no extension citus; docs/growing.md describes how to make a cluster',
    )
  }
  const version = found.version.replace(/-.*/, '')
  if (!supported.includes(Number.parseInt(version, 10))) {
    throw new Error(
      `the extension citus has version ${version}; Tillside supports ${supported.join(' and ')}`,
    )
  }
  return version
}

/**
 * Reads the nodes that hold rows.
 * @throws Error when there is none, one is switched off, or one cannot reach another
 */
export async function readNodes(client: pg.Client): Promise<Node[]> {
  const { rows } = await client.query(
    `select nodename as name, nodeport as port, isactive as active from pg_dist_node
     where noderole = 'primary' and shouldhaveshards order by nodeid`,
  )
  const nodes = rows.map((row) => NodeRow.parse(row))
  if (nodes.length === 0) {
    throw new Error(
      'no node may hold rows; add one with citus_add_node, or let the coordinator hold rows with ' +
        "citus_set_node_property(…, 'shouldhaveshards', true)",
    )
  }
  const inactive = nodes.find(({ active }) => !active)
  if (inactive !== undefined) {
    throw new Error(`node ${inactive.name}:${inactive.port} is not active; see citus_activate_node`)
  }
  await checkStates(client)
  await checkHealth(client)
  return nodes.map(({ name, port }) => ({ name, port }))
}

async function checkHealth(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select from_nodename || ':' || from_nodeport as from, to_nodename || ':' || to_nodeport as to,
       result
     from citus_check_cluster_node_health()`,
  )
  const broken = rows.map((row) => Health.parse(row)).find(({ result }) => result !== true)
  if (broken !== undefined) {
    throw new Error(
      `node ${broken.from} cannot reach node ${broken.to}; ` +
        'start it, or check pg_hba.conf and .pgpass',
    )
  }
}

const readState = `select json_build_object(
  'citus', (select extversion from pg_extension where extname = 'citus'),
  'mayCreate', has_schema_privilege('public', 'create'),
  'hasRole', exists (select from pg_roles where rolname = 'tillside_app'))`

/** @throws Error when a node cannot take tables, or would hide them from the program */
async function checkStates(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select nodename || ':' || nodeport as name, success, result
     from run_command_on_all_nodes($1) join pg_dist_node using (nodeid) order by nodeid`,
    [readState],
  )
  const found = rows.map((row) => StateRow.parse(row))
  const failed = found.find(({ success }) => !success)
  if (failed !== undefined) {
    throw new Error(`node ${failed.name} does not answer; start it: ${failed.result}`)
  }
  let version: string | null | undefined
  for (const { name, result } of found) {
    const { citus, mayCreate, hasRole } = State.parse(JSON.parse(result))
    version ??= citus
    if (citus !== version) {
      throw new Error(
        `node ${name} has citus ${citus ?? 'nowhere'}, and another node ${version}; ` +
          'install the same packages and run alter extension citus update on each',
      )
    }
    if (!mayCreate) {
      throw new Error(`the role of DATABASE_URL may not create tables on node ${name}`)
    }
    if (!hasRole) {
      throw new Error(`node ${name} has no role tillside_app; create it as on the coordinator`)
    }
  }
}

/** Reads how the tables are placed now. */
export async function readPlacement(client: pg.Client): Promise<Placed[]> {
  const { rows } = await client.query(
    `select table_name::text as table, citus_table_type as type,
       case when citus_table_type = 'distributed' then distribution_column end as column
     from citus_tables where citus_table_type in ('distributed', 'reference')`,
  )
  return rows.map((row) => {
    const { table, column } = PlacedRow.parse(row)
    return { table, column }
  })
}
