import type { Database, Transaction } from '../kit/database.ts'

/** A database that also writes down what it was asked, statement by statement. */
export type Watched = { database: Database; asked: string[] }

/** Watches a database; `asked` may be emptied between two looks. */
export function watched(database: Database): Watched {
  const asked: string[] = []
  const hear = (tx: Transaction): Transaction => ({
    all: (s, values) => (asked.push(s.text), tx.all(s, values)),
    maybe: (s, values) => (asked.push(s.text), tx.maybe(s, values)),
    one: (s, values) => (asked.push(s.text), tx.one(s, values)),
    run: (s, values) => (asked.push(s.text), tx.run(s, values)),
    last: (s, values) => (asked.push(s.text), tx.last(s, values)),
  })
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
