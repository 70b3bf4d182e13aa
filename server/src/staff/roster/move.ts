import * as z from 'zod/mini'
import { changeEpoch } from '../../company/epoch.ts'
import { writeAudit } from '../../database/audit.ts'
import { sqlState, statement, type Transaction } from '../../database/database.ts'
import { endAccess } from '../accounts.ts'
import { readPermissionsAgain } from './sessions.ts'

const lockStaff = statement(
  `select staff_id, account, store_code, group_code from staff
   where company_id = $1 and account_key = lower($2) and password_hash is not null
   for update`,
  z.object({
    staff_id: z.string(),
    account: z.string(),
    store_code: z.string(),
    group_code: z.string(),
  }),
)
const setStore = statement(
  'update staff set store_code = $3 where company_id = $1 and staff_id = $2',
  z.unknown(),
)
const setGroup = statement(
  'update staff set group_code = $3 where company_id = $1 and staff_id = $2',
  z.unknown(),
)
/** The store or group of an account, before and after a change. */
export type Moved = { account: string; from: string; to: string }

/**
 * Moves an account to another store. Its sessions and links end, because the portal shows the store
 * and every act is recorded at it.
 * @throws Error when there is no such account or store
 */
export async function moveStaff(
  tx: Transaction,
  companyId: string,
  account: string,
  storeCode: string,
): Promise<Moved> {
  const staff = await hold(tx, companyId, account)
  const moved = { account: staff.account, from: staff.store_code, to: storeCode }
  if (moved.from === moved.to) return moved
  await orMissing(tx.run(setStore, [companyId, staff.staff_id, storeCode]), 'store', storeCode)
  changeEpoch(tx, companyId)
  await endAccess(tx, companyId, staff.staff_id)
  note(tx, companyId, 'staff.move', moved)
  return moved
}

/**
 * Gives an account another group. Its sessions notice it at their next call, like a change of the
 * group's permissions.
 * @throws Error when there is no such account or group
 */
export async function promoteStaff(
  tx: Transaction,
  companyId: string,
  account: string,
  groupCode: string,
): Promise<Moved> {
  const staff = await hold(tx, companyId, account)
  const moved = { account: staff.account, from: staff.group_code, to: groupCode }
  if (moved.from === moved.to) return moved
  await orMissing(tx.run(setGroup, [companyId, staff.staff_id, groupCode]), 'group', groupCode)
  changeEpoch(tx, companyId)
  await readPermissionsAgain(tx, companyId, staff.staff_id)
  note(tx, companyId, 'staff.promote', moved)
  return moved
}

async function hold(tx: Transaction, companyId: string, account: string) {
  const staff = await tx.maybe(lockStaff, [companyId, account])
  if (staff === null) throw new Error(`there is no account "${account}"`)
  return staff
}

/** Names the store or group that a foreign key did not find. */
async function orMissing(done: Promise<unknown>, what: string, code: string): Promise<void> {
  try {
    await done
  } catch (error) {
    if (sqlState(error) !== '23503') throw error
    throw new Error(`there is no ${what} "${code}"`, { cause: error })
  }
}

function note(tx: Transaction, companyId: string, action: string, moved: Moved): void {
  const actor = { company: { id: companyId }, staff: null, store: null }
  writeAudit(tx, actor, 'command', { action, memberId: null, details: moved })
}
