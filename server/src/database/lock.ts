import * as z from 'zod/mini'
import { type Statement, statement } from './database.ts'

/**
 * Declares a statement that locks rows of one table until the transaction ends.
 *
 * On a cluster the rows can move to another node while they are locked, and the new node does not
 * know the lock. Citus delays a move only while a transaction has written there
 * (`AcquireExecutorShardLocksForExecution` in its source). So a write that finds no row is sent
 * before the lock.
 * @param table the table, which has a column that places its rows
 * @param keys its columns that the statement compares with `$1`, `$2`, …, in their order
 * @param column any column that does not place the rows
 * @throws Error if the statement does not compare a key with its value
 */
export function lockOf<Row>(
  table: string,
  keys: readonly string[],
  text: string,
  row: z.ZodMiniType<Row>,
  column = 'company_id',
): Statement<Row> {
  const conditions = keys.map((key, n) => `${key} = $${n + 1}`)
  const missing = conditions.filter((condition) => !text.includes(condition))
  if (missing.length > 0) throw new Error(`a lock of ${table} lacks ${missing.join(', ')}`)
  const found = conditions.join(' and ')
  const write = `update ${table} set ${column} = ${column}
     where ${found} and company_id <> company_id`
  return { ...statement(text, row), hold: { ...statement(write, z.unknown()), keys: keys.length } }
}
