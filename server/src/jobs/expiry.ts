import * as z from 'zod/mini'
import { announceExpired } from '../coupon/events/expired.ts'
import { writeAudit } from '../database/audit.ts'
import type { Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { lockSome } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { writeOff } from '../points/expiry.ts'
import { lockAccount } from '../points/ledger.ts'
import { hasExpired } from '../points/lots.ts'
import type { Job } from './job.ts'

const membersPerBatch = 50

const findOverdue = wholeCompany(
  `select distinct member_id from (
     select member_id from point_lot
     where company_id = $1 and remaining > 0 and ${hasExpired('$2')}
     order by expires_on limit 400
   ) l`,
  z.object({ member_id: z.string() }),
)
// Skips members whose account is locked by a request; the next batch handles them. Neither waits
// for the other.
const skipLocked = lockOf(
  'point_account',
  ['company_id', 'member_id'],
  `select from point_account where company_id = $1 and member_id = $2 for update skip locked`,
  z.unknown(),
)

/**
 * Writes off lots that expired before `day`, for some of the members with such lots, each under the
 * lock of their account.
 * @returns the number of members done, and whether there may be more
 */
export async function expireSome(
  tx: Transaction,
  companyId: string,
  day: string,
): Promise<{ done: number; left: boolean }> {
  const overdue = await tx.all(findOverdue, [companyId, day])
  const keys = overdue.map(({ member_id: id }) => [companyId, id] as const)
  const locked = await lockSome(tx, skipLocked, keys, membersPerBatch)
  const ended = await Promise.all(
    locked.map(async ([, memberId]) => {
      const points = await writeOff(await lockAccount(tx, companyId, memberId), day)
      if (points > 0) {
        const actor = { company: { id: companyId }, staff: null, store: null }
        writeAudit(tx, actor, 'job', { action: 'points.expire', memberId, details: { points } })
      }
      return points
    }),
  )
  // A member whose lots another transaction has written off meanwhile does not count as progress.
  return { done: ended.filter((points) => points > 0).length, left: overdue.length > 0 }
}

/**
 * Runs every few minutes, so that balance and history agree soon after midnight of the company.
 * Then webhooks get the events of expired coupons.
 */
export const expiryJob: Job = {
  name: 'expiry',
  everyMinutes: 5,
  async batch(tx, { id, today }) {
    const points = await expireSome(tx, id, today)
    if (points.left) return points
    const coupons = await announceExpired(tx, id, today)
    return { done: points.done + coupons.done, left: coupons.left }
  },
}
