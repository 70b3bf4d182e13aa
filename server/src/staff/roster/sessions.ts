import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'

// Commands change the sessions of several people, or all of one.

const Session = z.object({ token_hash: z.instanceof(Buffer) })
const findOfStaff = wholeCompany(
  `select token_hash from session
   where company_id = $1 and staff_id = $2 and ended_at is null`,
  Session,
)
const findOfStore = wholeCompany(
  `select e.token_hash from session e
   join staff s on s.company_id = $1 and s.staff_id = e.staff_id
   where e.company_id = $1 and e.ended_at is null and s.store_code = $2`,
  Session,
)
const end = statement(
  `update session set ended_at = now()
   where company_id = $1 and token_hash = $2 and ended_at is null`,
  z.unknown(),
)
// No group has version 0, so the session notices the change at its next call.
const forgetPermissions = statement(
  `update session set permission_version = 0
   where company_id = $1 and token_hash = $2 and ended_at is null`,
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
  const rows = await tx.all(findOfStore, [companyId, storeCode])
  await Promise.all(rows.map(({ token_hash: hash }) => tx.run(end, [companyId, hash])))
}

/** Lets every session of an account read its permissions again. */
export async function readPermissionsAgain(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<void> {
  const rows = await tx.all(findOfStaff, [companyId, staffId])
  const hashes = rows.map(({ token_hash: hash }) => hash)
  await Promise.all(hashes.map((hash) => tx.run(forgetPermissions, [companyId, hash])))
}
