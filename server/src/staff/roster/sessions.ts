import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { endSessions } from '../accounts.ts'

// Commands change the sessions of several people, or all of one.

const findOfStore = statement(
  'select staff_id from staff where company_id = $1 and store_code = $2',
  z.object({ staff_id: z.string() }),
)
// No group has version 0, so the session notices the change at its next call.
const forgetPermissions = statement(
  `update session set permission_version = 0
   where company_id = $1 and staff_id = $2 and ended_at is null`,
  z.unknown(),
)

/**
 * Ends the sessions of all staff of a store. When the store opens again, they must log in again.
 * The transaction has closed the store before, so no login at it succeeds meanwhile.
 */
export async function endStoreSessions(
  tx: Transaction,
  companyId: string,
  storeCode: string,
): Promise<void> {
  const staff = await tx.all(findOfStore, [companyId, storeCode])
  await Promise.all(staff.map(({ staff_id: id }) => endSessions(tx, companyId, id)))
}

/** Lets every session of an account read its permissions again. */
export async function readPermissionsAgain(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<void> {
  await tx.run(forgetPermissions, [companyId, staffId])
}
