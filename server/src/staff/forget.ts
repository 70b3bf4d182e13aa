import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const forgetEnded = statement(
  `delete from session where company_id = $1 and token_hash in (
     select token_hash from session
     where company_id = $1 and least(ended_at, expires_at) < now() - interval '48 hours'
     limit $2 for update skip locked
   )`,
  z.unknown(),
)
const forgetTries = statement(
  `delete from login_throttle t using (
     select kind, key from login_throttle
     where company_id = $1 and recent_tries(tries, now()) = '{}'
     limit $2 for update skip locked
   ) old
   where t.company_id = $1 and t.kind = old.kind and t.key = old.key`,
  z.unknown(),
)

const forgetLinks = statement(
  `delete from access_link where company_id = $1 and token_hash in (
     select token_hash from access_link
     where company_id = $1 and expires_at < now() - interval '1 day'
     limit $2 for update skip locked
   )`,
  z.unknown(),
)

const forgetDevices = statement(
  `delete from login_device d using (
     select staff_id, device_hash from login_device
     where company_id = $1 and used_at < now() - interval '90 days'
     limit $2 for update skip locked
   ) old
   where d.company_id = $1 and d.staff_id = old.staff_id and d.device_hash = old.device_hash`,
  z.unknown(),
)

/**
 * Deletes sessions that ended 48 hours ago, links that expired a day ago, login attempts that no
 * longer count, and devices that have not logged in for 90 days.
 * @param limit the maximum number of rows of each kind
 * @returns the total number of deleted rows
 */
export async function forgetStaffTraces(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  const statements = [forgetEnded, forgetTries, forgetLinks, forgetDevices]
  const all = statements.map((s) => tx.run(s, [companyId, limit]))
  return (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
}
