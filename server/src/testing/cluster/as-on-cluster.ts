import type { Database, Transaction } from '../../database/database.ts'
import { observeStatements } from '../recorded-statements.ts'

/**
 * A database that calls itself a cluster. The program sends it the statements for several nodes,
 * which answer on one PostgreSQL too; others are refused.
 */
export function asOnCluster(database: Database): Database {
  return {
    ...database,
    transaction: (companyId, work) => database.transaction(companyId, (tx) => work(onCluster(tx))),
    reading: (companyId, work) => database.reading(companyId, (tx) => work(onCluster(tx))),
  }
}

function onCluster(tx: Transaction): Transaction {
  const observed = observeStatements(tx, ({ isUndistributed, text }) => {
    if (isUndistributed === true) throw new Error(`not for a cluster: ${text}`)
  })
  return { ...observed, isOnCluster: true }
}
