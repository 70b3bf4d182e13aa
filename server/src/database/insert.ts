import type * as z from 'zod/mini'
import { type Statement, statement, type Transaction } from './database.ts'

// Inserts of many rows that can have different places: on a cluster each row needs its own values,
// because an array has no place. A few statements of fixed sizes insert any number of rows, so
// PostgreSQL keeps their plans.

const sizes = [64, 8, 1] as const

/** Statements that insert 64, 8 and 1 rows. */
export type Insert<Row> = readonly { size: number; statement: Statement<Row> }[]

/**
 * Declares an insert of any number of rows.
 * @param into the table and its columns
 * @param tuple the values of one row, where `$1` is the company and `$2` the first of its own
 * @param end what follows the rows, such as `on conflict do nothing`
 */
export function insertOf<Row>(
  into: string,
  tuple: string,
  end: string,
  row: z.ZodMiniType<Row>,
): Insert<Row> {
  const width = Math.max(...Array.from(tuple.matchAll(/\$(\d+)/g), ([, n]) => Number(n))) - 1
  const nth = (index: number) =>
    tuple.replace(/\$(\d+)/g, (_, n) => `$${Number(n) === 1 ? 1 : Number(n) + index * width}`)
  return sizes.map((size) => {
    const tuples = Array.from({ length: size }, (_, index) => nth(index)).join(', ')
    return { size, statement: statement(`insert into ${into} values ${tuples} ${end}`, row) }
  })
}

/** The statements with their values, for rows that have the values of a tuple from `$2` on. */
function* parts<Row>(insert: Insert<Row>, companyId: string, rows: readonly unknown[][]) {
  let from = 0
  for (const { size, statement: sent } of insert) {
    for (; rows.length - from >= size; from += size) {
      yield { sent, values: [companyId, ...rows.slice(from, from + size).flat()] }
    }
  }
}

/** Inserts the rows, in their order. @returns the rows that the statements return */
export async function insertRows<Row>(
  tx: Transaction,
  insert: Insert<Row>,
  companyId: string,
  rows: readonly unknown[][],
): Promise<Row[]> {
  const sending = [...parts(insert, companyId, rows)].map(({ sent, values }) =>
    tx.all(sent, values),
  )
  return (await Promise.all(sending)).flat()
}

/** Sends the rows together with the commit. */
export function insertAtCommit(
  tx: Transaction,
  insert: Insert<unknown>,
  companyId: string,
  rows: readonly unknown[][],
): void {
  for (const { sent, values } of parts(insert, companyId, rows)) tx.atCommit(sent, values)
}
