import type { Database, Statement, Transaction } from '../database/database.ts'

/** A database that also records the text of each statement. */
export type RecordedDatabase = { database: Database; asked: string[] }

/** Records the statements of a database; a test may empty `asked`. */
export function recordStatements(database: Database): RecordedDatabase {
  const asked: string[] = []
  const observe = (tx: Transaction) => observeStatements(tx, ({ text }) => asked.push(text))
  return {
    asked,
    database: {
      ...database,
      transaction: (companyId, work) => database.transaction(companyId, (tx) => work(observe(tx))),
      reading: (companyId, work) => database.reading(companyId, (tx) => work(observe(tx))),
      withoutCompany: (work) => database.withoutCompany((tx) => work(observe(tx))),
    },
  }
}

/** Calls `observe` before each statement; the statement is not sent if `observe` throws. */
export function observeStatements(
  tx: Transaction,
  observe: (s: Statement<unknown>, values: readonly unknown[]) => void,
): Transaction {
  return {
    async all(s, values) {
      observe(s, values)
      return tx.all(s, values)
    },
    async maybe(s, values) {
      observe(s, values)
      return tx.maybe(s, values)
    },
    async one(s, values) {
      observe(s, values)
      return tx.one(s, values)
    },
    async run(s, values) {
      observe(s, values)
      return tx.run(s, values)
    },
    atCommit(s, values) {
      observe(s, values)
      tx.atCommit(s, values)
    },
  }
}
