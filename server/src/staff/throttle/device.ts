import { hash as digest, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { lockOf } from '../../database/lock.ts'
import { secondsUntilGone } from './window.ts'

// Devices that have logged in to an account (OWASP, "Slow Down Online Guessing Attacks with Device
// Cookies"). The browser keeps a random token; only its hash is stored. A device has an allowance
// of its own for each account that has logged in on it, so strangers cannot use it up.

const deviceLimit = 10
/** A thief of an account's password cannot collect allowances without end. */
const devicesOfAccount = 20

const findStaff = statement(
  'select staff_id from staff where company_id = $1 and account_key = $2',
  z.object({ staff_id: z.string() }),
)
const ofDevice = 'company_id = $1 and staff_id = $2 and device_hash = $3'
const findRow = statement(`select from login_device where ${ofDevice}`, z.unknown())
const lockRow = lockOf(
  'login_device',
  ['company_id', 'staff_id', 'device_hash'],
  `select array(select x from unnest(tries) x
       where x > clock_timestamp() - interval '15 minutes' order by x) as recent,
     clock_timestamp() as now
   from login_device where ${ofDevice} for update`,
  z.object({ recent: z.array(z.date()), now: z.string() }),
)
const writeTries = statement(`update login_device set tries = $4 where ${ofDevice}`, z.unknown())
const clearTries = statement(`update login_device set tries = '{}' where ${ofDevice}`, z.unknown())
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
  const row = await findDevice(tx, companyId, account, token)
  return row !== null && (await tx.run(findRow, row)) > 0
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
  const row = await findDevice(tx, companyId, account, token)
  const locked = row && (await tx.maybe(lockRow, row))
  if (row === null || locked === null) return 'unknown'
  const { recent, now } = locked
  const excess = recent.length - deviceLimit
  if (excess >= 0) return secondsUntilGone(recent[excess], now)
  tx.atCommit(writeTries, [...row, [...recent, now]])
  return null
}

/** Removes the attempts of a device on an account, after the correct password. */
export async function giveBackToDevice(
  tx: Transaction,
  companyId: string,
  account: string,
  token: string | null,
): Promise<void> {
  const row = await findDevice(tx, companyId, account, token)
  if (row !== null) await tx.run(clearTries, row)
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

/** The key that a device would have; null without a token or an account. */
async function findDevice(
  tx: Transaction,
  companyId: string,
  account: string,
  token: string | null,
): Promise<[companyId: string, staffId: string, hash: Buffer] | null> {
  const staff = token === null ? null : await tx.maybe(findStaff, [companyId, account])
  return staff === null || token === null ? null : [companyId, staff.staff_id, hashOf(token)]
}

function hashOf(token: string): Buffer {
  return digest('sha256', token, 'buffer')
}
