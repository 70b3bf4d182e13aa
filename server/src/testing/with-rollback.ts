import * as z from 'zod/mini'
import { type Database, statement, type Statement, type Transaction } from '../database/database.ts'

const begin = statement('savepoint part', z.unknown())
const commit = statement('release savepoint part', z.unknown())
const rollback = statement('rollback to savepoint part', z.unknown())

/** Thrown at the end to roll the transaction back. */
class Rollback extends Error {}

/**
 * Gives `work` a database on which each company's transactions are savepoints of one transaction,
 * which is rolled back at the end. Only one request may run at a time.
 */
export async function withRollback(
  database: Database,
  companyIds: readonly string[],
  work: (stage: Database) => Promise<void>,
): Promise<void> {
  const [companyId, ...others] = companyIds
  if (companyId === undefined) return work(database)
  const undoing = database.transaction(companyId, async (tx) => {
    const attempt = <T>(part: (tx: Transaction) => Promise<T>) => inSavepoint(tx, part)
    const lend =
      (id: string, name: 'transaction' | 'reading'): Database['transaction'] =>
      async (asked, part) =>
        asked === id ? attempt(part) : database[name](asked, part)
    await withRollback(
      {
        ...database,
        transaction: lend(companyId, 'transaction'),
        reading: lend(companyId, 'reading'),
      },
      others,
      work,
    )
    throw new Rollback()
  })
  await undoing.catch((error: unknown) => {
    if (!(error instanceof Rollback)) throw error
  })
}

async function inSavepoint<T>(
  outer: Transaction,
  part: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const left: [Statement<unknown>, readonly unknown[]][] = []
  const tx: Transaction = { ...outer, atCommit: (s, values) => void left.push([s, values]) }
  try {
    const begun = outer.run(begin, [])
    begun.catch(() => {})
    const result = await part(tx)
    const ended = left.map(([s, values]) => outer.run(s, values))
    await Promise.all([begun, ...ended, outer.run(commit, [])])
    return result
  } catch (error) {
    await outer.run(rollback, [])
    throw error
  }
}
