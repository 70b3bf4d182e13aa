import type { ActOptions } from '../process/author.ts'
import { withDatabase } from '../database/command.ts'
import type { Transaction } from '../database/database.ts'
import { companyNamed } from './find.ts'

/**
 * Runs a command's work in one transaction of one company.
 * @param act the options of a command that is recorded in the audit log
 * @throws Error when there is no such company
 */
export function inCompany<T>(
  identifier: string,
  work: (tx: Transaction, companyId: string) => Promise<T>,
  act?: ActOptions,
): Promise<T> {
  return withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return database.transaction(id, (tx) => work(tx, id))
    },
    { act },
  )
}
