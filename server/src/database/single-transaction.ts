import { type Database, isUnavailable, type Transaction, CommitUnknown } from './database.ts'
import { HttpRefusal } from '../text/fail.ts'

/**
 * Runs a request that consists of one transaction. When the transaction is lost before its commit,
 * the answer may state that nothing has changed.
 */
export async function inSingleTransaction<T>(
  database: Database,
  companyId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(companyId, work)
  } catch (error) {
    if (!isUnavailable(error) || error instanceof CommitUnknown) throw error
    throw new HttpRefusal('unavailable', true, error)
  }
}
