import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const change = statement('select change_epoch($1)', z.unknown())

/**
 * Changes a company's epoch with the commit of `tx`, so that each process reads again what it
 * remembers about sessions and API keys (`staff/held.ts`) and about members (`member/key.ts`). To
 * be called by what changes a company, a store, a group, an account or an API key, and by what
 * gives a member's code another member or none. On one PostgreSQL triggers do it too; a cluster has
 * none.
 */
export function changeEpoch(tx: Transaction, companyId: string): void {
  tx.atCommit(change, [companyId])
}
