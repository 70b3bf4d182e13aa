import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import { waitUntil } from '../process/wait.ts'
import { isCluster } from './check.ts'

// A transaction has an id of its own on every node that it writes on, and it has ended when it has
// ended on each of them.

const Answer = z.object({ node: z.string(), success: z.boolean(), result: z.string() })

const here = (command: string) =>
  statement(`select '' as node, true as success, (${command}) as result`, Answer)
// Citus runs the text on each node in a transaction of its own.
const onEachNode = statement(
  `select nodeid::text as node, success, result from run_command_on_all_nodes($1)`,
  Answer,
)

const newId = 'select pg_current_xact_id()::text'
const oldest = 'select pg_snapshot_xmin(pg_current_snapshot())::text'
const [newIdHere, oldestHere] = [here(newId), here(oldest)]

/** Ids of transactions, by the node that counts them. */
type Ids = ReadonlyMap<string, bigint>

/**
 * Waits until the transactions that have an id at this moment have ended, on every node.
 * `pg_snapshot_xmax` is no such id: transactions that run have higher ones.
 * @returns false when one still runs after a minute
 */
export async function writersToEnd(database: Database, companyId: string): Promise<boolean> {
  const cluster = await isCluster(database)
  const ask = (command: string, alone: ReturnType<typeof here>): Promise<Ids> =>
    database.transaction(companyId, async (tx) => {
      const answers = cluster ? await tx.all(onEachNode, [command]) : await tx.all(alone, [])
      return new Map(answers.map((answer) => [answer.node, idOf(answer)]))
    })
  const ids = await ask(newId, newIdHere)
  return waitUntil(async () => {
    const running = await ask(oldest, oldestHere)
    return [...ids].every(([node, id]) => (running.get(node) ?? 0n) > id)
  })
}

function idOf({ node, success, result }: z.infer<typeof Answer>): bigint {
  if (!success) throw new Error(`node ${node} does not answer: ${result}`)
  return BigInt(result)
}
