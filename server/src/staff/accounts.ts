import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { writeAudit } from '../database/audit.ts'
import { sqlState, statement, type Transaction } from '../database/database.ts'
import { forgetDevices } from './throttle/device.ts'

const insertStaff = statement(
  `insert into staff (company_id, staff_id, account, first_name, last_name, group_code, store_code,
     password_hash)
   values ($1, uuidv7(), $2, $3, $4, $5, $6, $7)`,
  z.unknown(),
)
// Without a password, a group and a store, and disabled: no login can succeed with it.
const insertKeyAccount = statement(
  `insert into staff (company_id, staff_id, account, first_name, last_name, disabled_at)
   values ($1, $2, $3, $4, '', now())`,
  z.unknown(),
)
const disable = statement(
  `update staff set disabled_at = least(disabled_at, now())
   where company_id = $1 and account_key = lower($2) and password_hash is not null
   returning staff_id`,
  z.object({ staff_id: z.string() }),
)
const enable = statement(
  `update staff set disabled_at = null
   where company_id = $1 and account_key = lower($2) and password_hash is not null
   returning staff_id`,
  z.object({ staff_id: z.string() }),
)
const setHash = statement(
  `update staff set password_hash = $3
   where company_id = $1 and account_key = lower($2) and password_hash is not null
   returning staff_id`,
  z.object({ staff_id: z.string() }),
)
const endOfStaff = statement(
  `update session set ended_at = now()
   where company_id = $1 and staff_id = $2 and ended_at is null`,
  z.unknown(),
)
const dropLinks = statement(
  'delete from access_link where company_id = $1 and staff_id = $2',
  z.unknown(),
)
const readStaff = statement(
  `select account, first_name, last_name, group_code, store_code,
     disabled_at is not null as disabled
   from staff where company_id = $1 and password_hash is not null order by account_key`,
  z.object({
    account: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    group_code: z.string(),
    store_code: z.string(),
    disabled: z.boolean(),
  }),
)

export type NewStaff = {
  account: string
  firstName: string
  lastName: string
  groupCode: string
  storeCode: string
  passwordHash: string
}

/** Adds a login account. @throws Error when it exists already, or its group or store does not */
export async function addStaff(tx: Transaction, companyId: string, staff: NewStaff): Promise<void> {
  try {
    await tx.run(insertStaff, [
      companyId,
      staff.account,
      staff.firstName,
      staff.lastName,
      staff.groupCode,
      staff.storeCode,
      staff.passwordHash,
    ])
  } catch (error) {
    const state = sqlState(error)
    if (state === '23505')
      throw new Error(`the account "${staff.account}" exists already`, { cause: error })
    if (state === '23503') {
      const { groupCode, storeCode } = staff
      throw new Error(`there is no group "${groupCode}" or no store "${storeCode}"`, {
        cause: error,
      })
    }
    throw error
  }
  note(tx, companyId, 'staff.add', staff.account)
}

/** Adds the account through which an API key acts where a clerk would; it cannot log in. */
export async function addKeyAccount(
  tx: Transaction,
  companyId: string,
  { staffId, account, name }: { staffId: string; account: string; name: string },
): Promise<void> {
  await tx.run(insertKeyAccount, [companyId, staffId, account, name])
}

/**
 * Disables an account and ends its sessions and links at once, or enables it again.
 * @throws Error when there is no such account
 */
export async function setDisabled(
  tx: Transaction,
  companyId: string,
  account: string,
  disabled: boolean,
): Promise<void> {
  const row = await tx.maybe(disabled ? disable : enable, [companyId, account])
  if (row === null) throw noAccount(account)
  changeEpoch(tx, companyId)
  if (disabled) await endAccess(tx, companyId, row.staff_id)
  note(tx, companyId, disabled ? 'staff.disable' : 'staff.enable', account)
}

/**
 * Sets a password and ends all sessions and links of the account.
 * @throws Error when there is no such account
 */
export async function setPassword(
  tx: Transaction,
  companyId: string,
  account: string,
  passwordHash: string,
): Promise<void> {
  const row = await tx.maybe(setHash, [companyId, account, passwordHash])
  if (row === null) throw noAccount(account)
  await endAccess(tx, companyId, row.staff_id)
  await forgetDevices(tx, companyId, row.staff_id, null)
  note(tx, companyId, 'staff.password', account)
}

/**
 * Ends all sessions of an account and removes its links, on every server process, when this
 * transaction commits. The transaction has locked the account's row, so that a link that is used at
 * the same moment either ends here or finds the account changed.
 */
export async function endAccess(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<void> {
  await Promise.all([endSessions(tx, companyId, staffId), removeLinks(tx, companyId, staffId)])
}

/** Ends all sessions of an account, but removes no links. */
export async function endSessions(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<void> {
  await tx.run(endOfStaff, [companyId, staffId])
}

/** Removes the links of an account, whether they were used or not. */
export async function removeLinks(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<void> {
  await tx.run(dropLinks, [companyId, staffId])
}

/** Lists all accounts of a company by name. */
export function listStaff(tx: Transaction, companyId: string) {
  return tx.all(readStaff, [companyId])
}

function noAccount(account: string): Error {
  return new Error(`there is no account "${account}"`)
}

function note(tx: Transaction, companyId: string, action: string, account: string): void {
  const actor = { company: { id: companyId }, staff: null, store: null }
  writeAudit(tx, actor, 'command', { action, memberId: null, details: { account } })
}
