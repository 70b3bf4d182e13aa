import * as z from 'zod/mini'
import { announceExpired } from '../coupon/events/expired.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { writeOff } from '../points/expiry.ts'
import { lockAccount } from '../points/ledger.ts'
import { hasExpired } from '../points/lots.ts'
import type { Job } from './job.ts'

// Skips members whose account is locked by a request; the next batch handles them. Neither waits
// for the other.
const lockOverdue = statement(
  `with overdue as materialized (
     select distinct member_id from (
       select member_id from point_lot
       where company_id = $1 and remaining > 0 and ${hasExpired('$2')}
       order by expires_on limit 400
     ) l
   ), locked as materialized (
     select a.member_id from point_account a
     where a.company_id = $1 and a.member_id in (select member_id from overdue)
     limit 50 for update skip locked
   )
   select (select count(*) from overdue)::int as overdue,
     array(select member_id from locked) as members`,
  z.object({ overdue: z.int(), members: z.array(z.string()) }),
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
  const { overdue, members } = await tx.one(lockOverdue, [companyId, day])
  const ended = await Promise.all(
    members.map(async (memberId) => {
      const points = await writeOff(await lockAccount(tx, companyId, memberId), day)
      if (points > 0) {
        const actor = { company: { id: companyId }, staff: null, store: null }
        writeAudit(tx, actor, 'job', { action: 'points.expire', memberId, details: { points } })
      }
      return points
    }),
  )
  // A member whose lots another transaction has written off meanwhile does not count as progress.
  return { done: ended.filter((points) => points > 0).length, left: overdue > 0 }
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
