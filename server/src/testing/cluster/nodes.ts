import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import { inject } from 'vitest'
import * as z from 'zod/mini'

// The nodes of the cluster under test, as its owner sees them.

export const Node = z.object({ name: z.string(), port: z.int() })
export type Node = z.infer<typeof Node>

/** Connects to the coordinator, or to a node directly. */
export async function connectOwner(node?: Node): Promise<pg.Client> {
  const url = new URL(inject('ownerUrl'))
  if (node !== undefined) {
    url.hostname = node.name
    url.port = String(node.port)
  }
  const client = new pg.Client({ connectionString: url.href })
  // A test may kill the node.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Reads rows of a query. */
export async function readRows<T>(
  client: pg.Client,
  row: z.ZodMiniType<T>,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  const { rows } = await client.query(text, values)
  return rows.map((one) => row.parse(one))
}

/** Whether two are one node: several machines can use the same port. */
export const isSameNode = (one: Node, other: Node): boolean =>
  one.name === other.name && one.port === other.port

/** All nodes of the cluster, with the coordinator and those that hold no rows. */
export function readNodes(owner: pg.Client): Promise<Node[]> {
  return readRows(
    owner,
    Node,
    `select nodename as name, nodeport as port from pg_dist_node
     where noderole = 'primary' order by nodeid`,
  )
}

/** The nodes that hold rows, without the coordinator. */
export function readWorkers(owner: pg.Client): Promise<Node[]> {
  return readRows(
    owner,
    Node,
    `select nodename as name, nodeport as port from pg_dist_node
     where noderole = 'primary' and shouldhaveshards and groupid <> 0 order by nodeid`,
  )
}

const Shard = z.extend(Node, { id: z.coerce.number() })
export type Shard = z.infer<typeof Shard>

/** The shard of a placed table that has the rows of a value, and its node. */
export async function readShard(owner: pg.Client, table: string, value: string): Promise<Shard> {
  const type = ['receipt_key', 'stock'].includes(table) ? 'text' : 'uuid'
  const [shard] = await readRows(
    owner,
    Shard,
    `select shardid as id, nodename as name, nodeport as port
     from pg_dist_placement join pg_dist_node using (groupid)
     where noderole = 'primary'
       and shardid = get_shard_id_for_distribution_column($1, $2::${type})`,
    [table, value],
  )
  if (shard === undefined) throw new Error(`no shard of ${table} has ${value}`)
  return shard
}

const deadlock = z.object({ code: z.literal('40P01') })

/**
 * Moves a shard, and those that belong to it, to another node while calls go on. Citus can end the
 * move because it and the calls wait for each other; an operator then repeats it.
 * @returns how often it was ended so
 */
export async function moveShard(owner: pg.Client, shard: Shard, to: Node): Promise<number> {
  const { id, name, port } = shard
  for (let ended = 0; ; ended++) {
    try {
      await owner.query(
        `select citus_move_shard_placement($1, $2, $3, $4, $5,
           shard_transfer_mode => 'force_logical')`,
        [id, name, port, to.name, to.port],
      )
      return ended
    } catch (error) {
      if (ended === 5 || !deadlock.safeParse(error).success) throw error
      await cleanUp(owner)
    }
  }
}

/** Waits until Citus has dropped what earlier moves have left on the nodes. */
export async function cleanUp(owner: pg.Client): Promise<void> {
  const left = `select from pg_dist_cleanup
    where node_group_id in (select groupid from pg_dist_node)`
  for (let tries = 0; tries < 120; tries++) {
    await owner.query('call citus_cleanup_orphaned_resources()')
    if ((await owner.query(left)).rowCount === 0) return
    await sleep(500)
  }
  throw new Error('Citus could not drop what earlier moves have left')
}

const Prepared = z.object({ gid: z.string() })

/** Transactions with two phases that a node has prepared and not yet ended, by their names. */
export async function readPrepared(nodes: readonly Node[]): Promise<string[]> {
  const text = 'select gid from pg_prepared_xacts where database = current_database()'
  const names: string[] = []
  for (const node of nodes) {
    const client = await connectOwner(node)
    names.push(...(await readRows(client, Prepared, text)).map(({ gid }) => gid))
    await client.end()
  }
  return names
}
