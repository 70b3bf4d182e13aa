import type { Database, Statement, Transaction } from '../database/database.ts'

/** A database that also writes down what it was asked, statement by statement. */
export type RecordedDatabase = { database: Database; asked: string[] }

/** Watches a database; `asked` may be emptied between two looks. */
export function recordStatements(database: Database): RecordedDatabase {
  const asked: string[] = []
  const hear = (tx: Transaction) => observeStatements(tx, ({ text }) => asked.push(text))
  return {
    asked,
    database: {
      ...database,
      transaction: (companyId, work) => database.transaction(companyId, (tx) => work(hear(tx))),
      reading: (companyId, work) => database.reading(companyId, (tx) => work(hear(tx))),
      withoutCompany: (work) => database.withoutCompany((tx) => work(hear(tx))),
    },
  }
}

/** A transaction that tells of each statement before it is sent; a throw keeps it back. */
export function observeStatements(
  tx: Transaction,
  hear: (s: Statement<unknown>, values: readonly unknown[]) => void,
): Transaction {
  return {
    async all(s, values) {
      hear(s, values)
      return tx.all(s, values)
    },
    async maybe(s, values) {
      hear(s, values)
      return tx.maybe(s, values)
    },
    async one(s, values) {
      hear(s, values)
      return tx.one(s, values)
    },
    async run(s, values) {
      hear(s, values)
      return tx.run(s, values)
    },
    atCommit(s, values) {
      hear(s, values)
      tx.atCommit(s, values)
    },
  }
}
