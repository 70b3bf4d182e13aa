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
    throw unavailable(error)
  }
}

/** The error of a request that is one transaction: whether it states that nothing has changed. */
export function unavailable(error: unknown): unknown {
  if (!isUnavailable(error) || error instanceof CommitUnknown) return error
  return new HttpRefusal('unavailable', true, error)
}

/**
 * Sends `begin`, the statements of `work` and `commit` in one round trip. PostgreSQL then holds the
 * locks of the statements only while it runs them, however slow this process is.
 * @param work sends its statements at once and decides nothing
 */
export async function inOneRoundTrip<T>(
  database: Database,
  companyId: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  // An object, because the transaction would wait for a promise before it commits.
  const { answer } = await database.transaction(companyId, async (tx) => {
    const sent = work(tx)
    // A failure also fails the commit, which throws it.
    sent.catch(() => {})
    return { answer: sent }
  })
  return answer
}
