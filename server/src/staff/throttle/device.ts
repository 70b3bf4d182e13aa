import { hash as digest, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { secondsUntilGone } from './window.ts'

// Devices that have logged in to an account (OWASP, "Slow Down Online Guessing Attacks with Device
// Cookies"). The browser keeps a random token; only its hash is stored. A device has an allowance
// of its own for each account that has logged in on it, so strangers cannot use it up.

const deviceLimit = 10
/** A thief of an account's password cannot collect allowances without end. */
const devicesOfAccount = 20

const findRow = statement(
  `select from login_device d join staff s using (company_id, staff_id)
   where d.company_id = $1 and s.account_key = $2 and d.device_hash = $3`,
  z.unknown(),
)
const lockRow = statement(
  `select d.staff_id, array(select x from unnest(d.tries) x
       where x > clock_timestamp() - interval '15 minutes' order by x) as recent,
     clock_timestamp() as now
   from login_device d join staff s using (company_id, staff_id)
   where d.company_id = $1 and s.account_key = $2 and d.device_hash = $3 for update of d`,
  z.object({ staff_id: z.string(), recent: z.array(z.date()), now: z.string() }),
)
const writeTries = statement(
  `update login_device set tries = $4
   where company_id = $1 and staff_id = $2 and device_hash = $3`,
  z.unknown(),
)
const clearTries = statement(
  `update login_device d set tries = '{}' from staff s
   where d.company_id = $1 and s.company_id = $1 and s.staff_id = d.staff_id
     and s.account_key = $2 and d.device_hash = $3`,
  z.unknown(),
)
const keepRow = statement(
  `insert into login_device (company_id, staff_id, device_hash, tries) values ($1, $2, $3, '{}')
   on conflict (company_id, staff_id, device_hash) do update set used_at = excluded.used_at`,
  z.unknown(),
)
const dropExcess = statement(
  `delete from login_device where company_id = $1 and staff_id = $2 and device_hash in (
     select device_hash from login_device where company_id = $1 and staff_id = $2
     order by used_at desc, device_hash offset ${devicesOfAccount})`,
  z.unknown(),
)
const dropOthers = statement(
  `delete from login_device
   where company_id = $1 and staff_id = $2 and device_hash is distinct from $3`,
  z.unknown(),
)

/** Whether an account has logged in on a device. */
export async function isKnownDevice(
  tx: Transaction,
  companyId: string,
  account: string,
  token: string | null,
): Promise<boolean> {
  return token !== null && (await tx.run(findRow, [companyId, account, hashOf(token)])) > 0
}

/**
 * Counts an attempt of a known device on an account.
 * @returns `unknown` for another device; the seconds to wait if the attempt is beyond the limit and
 *   not counted; or null
 */
export async function takeFromDevice(
  tx: Transaction,
  companyId: string,
  account: string,
  token: string | null,
): Promise<number | 'unknown' | null> {
  if (token === null) return 'unknown'
  const hash = hashOf(token)
  const row = await tx.maybe(lockRow, [companyId, account, hash])
  if (row === null) return 'unknown'
  const excess = row.recent.length - deviceLimit
  if (excess >= 0) return secondsUntilGone(row.recent[excess], row.now)
  tx.atCommit(writeTries, [companyId, row.staff_id, hash, [...row.recent, row.now]])
  return null
}

/** Removes the attempts of a device on an account, after the correct password. */
export async function giveBackToDevice(
  tx: Transaction,
  companyId: string,
  account: string,
  token: string | null,
): Promise<void> {
  if (token !== null) await tx.run(clearTries, [companyId, account, hashOf(token)])
}

/**
 * Stores that an account has logged in on a device.
 * @param token of the device's cookie; null: a new device
 * @returns the token that the browser must keep
 */
export async function keepDevice(
  tx: Transaction,
  companyId: string,
  staffId: string,
  token: string | null,
): Promise<string> {
  const kept = token ?? randomBytes(32).toString('base64url')
  await tx.run(keepRow, [companyId, staffId, hashOf(kept)])
  await tx.run(dropExcess, [companyId, staffId])
  return kept
}

/**
 * Forgets the devices of an account, because its old password may be known there.
 * @param except the device of the clerk who changed the password; null: none
 */
export async function forgetDevices(
  tx: Transaction,
  companyId: string,
  staffId: string,
  except: string | null,
): Promise<void> {
  await tx.run(dropOthers, [companyId, staffId, except === null ? null : hashOf(except)])
}

function hashOf(token: string): Buffer {
  return digest('sha256', token, 'buffer')
}
