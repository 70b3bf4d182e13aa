import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { dropSome, type Old } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { pastSights } from './throttle/sights.ts'

const hasEnded = `least(ended_at, expires_at) < now() - interval '48 hours'`
const sessions: Old = {
  find: wholeCompany(
    `select staff_id, token_hash from session where company_id = $1 and ${hasEnded} limit $2`,
    z.object({ staff_id: z.string(), token_hash: z.instanceof(Buffer) }),
  ),
  lock: lockOf(
    'session',
    ['company_id', 'staff_id', 'token_hash'],
    `select from session where company_id = $1 and staff_id = $2 and token_hash = $3 and ${hasEnded}
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    'delete from session where company_id = $1 and staff_id = $2 and token_hash = $3',
    z.unknown(),
  ),
}

const noTries = `recent_tries(tries, now()) = '{}'`
const tries: Old = {
  find: wholeCompany(
    `select kind, key from login_throttle where company_id = $1 and ${noTries} limit $2`,
    z.object({ kind: z.string(), key: z.string() }),
  ),
  lock: lockOf(
    'login_throttle',
    ['company_id', 'kind', 'key'],
    `select from login_throttle where company_id = $1 and kind = $2 and key = $3 and ${noTries}
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    'delete from login_throttle where company_id = $1 and kind = $2 and key = $3',
    z.unknown(),
  ),
}

const hasExpired = `expires_at < now() - interval '1 day'`
const links: Old = {
  find: wholeCompany(
    `select staff_id, token_hash from access_link where company_id = $1 and ${hasExpired} limit $2`,
    z.object({ staff_id: z.string(), token_hash: z.instanceof(Buffer) }),
  ),
  lock: lockOf(
    'access_link',
    ['company_id', 'staff_id', 'token_hash'],
    `select from access_link
     where company_id = $1 and staff_id = $2 and token_hash = $3 and ${hasExpired}
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    'delete from access_link where company_id = $1 and staff_id = $2 and token_hash = $3',
    z.unknown(),
  ),
}

const isUnused = `used_at < now() - interval '90 days'`
const devices: Old = {
  find: wholeCompany(
    `select staff_id, device_hash from login_device
     where company_id = $1 and ${isUnused} limit $2`,
    z.object({ staff_id: z.string(), device_hash: z.instanceof(Buffer) }),
  ),
  lock: lockOf(
    'login_device',
    ['company_id', 'staff_id', 'device_hash'],
    `select from login_device
     where company_id = $1 and staff_id = $2 and device_hash = $3 and ${isUnused}
     for update skip locked`,
    z.unknown(),
  ),
  drop: statement(
    'delete from login_device where company_id = $1 and staff_id = $2 and device_hash = $3',
    z.unknown(),
  ),
}

/**
 * Deletes sessions that ended 48 hours ago, links that expired a day ago, login attempts that no
 * longer count, devices that have not logged in for 90 days, and look-ups of two hours ago.
 * @param limit the maximum number of rows of each kind
 * @returns the total number of deleted rows
 */
export async function forgetStaffTraces(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  const all = [sessions, tries, links, devices, pastSights].map((old) =>
    dropSome(tx, old, companyId, limit),
  )
  return (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
}
