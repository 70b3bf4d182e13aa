import * as z from 'zod/mini'
import { type Statement, statement, type Transaction } from '../database.ts'

/**
 * Declares a statement that reads rows of many members of company `$1`, for jobs, commands and
 * reports. With the members of a company on several nodes it asks every node, so no request of a
 * clerk uses one, and it joins tables by the column that places their rows.
 * `tools/placement.test.ts` checks this.
 */
export function wholeCompany<Row>(text: string, row: z.ZodMiniType<Row>): Statement<Row> {
  return statement(text, row)
}

// Reading each row by an index takes far longer than a sequential scan.
const readWhole = statement(
  `select set_config('statement_timeout', $1, true), set_config('enable_seqscan', 'on', true)`,
  z.unknown(),
)

/**
 * Allows the next statements of a transaction to read a whole company, which takes longer than the
 * timeout for requests. Send it in one burst with them: in read-only work each burst is a
 * transaction.
 * @param minutes the longest time of one statement
 */
export async function allowWholeCompany(tx: Transaction, minutes = 15): Promise<void> {
  await tx.run(readWhole, [`${minutes}min`])
}

const oneSnapshot = statement('set transaction isolation level repeatable read', z.unknown())
// A connection to each node has a snapshot of its own. PostgreSQL without Citus ignores it.
const oneConnection = statement('set local citus.max_adaptive_executor_pool_size = 1', z.unknown())

/**
 * Lets the next statement of read-only work see each member at one moment. A cluster reads the
 * parts of a long statement one after another, and all rows of a member are on one node. Call it
 * before any other statement, in one burst with the next one.
 */
export async function atOneMoment(tx: Transaction): Promise<void> {
  await Promise.all([tx.run(oneSnapshot, []), tx.run(oneConnection, [])])
}

const onePartAfterAnother = statement(
  `set local citus.multi_shard_modify_mode = 'sequential'`,
  z.unknown(),
)

/**
 * Lets a transaction read or change a whole company and then change a copied table. A cluster
 * otherwise works on several parts at once, over connections that it does not use for the copies
 * afterwards. Call it before these statements.
 */
export async function inSequence(tx: Transaction): Promise<void> {
  await tx.run(onePartAfterAnother, [])
}
