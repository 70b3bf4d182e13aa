import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { reviewTier } from '../tier/review.ts'
import type { Job } from './job.ts'

// A tier is changed under the account's lock, as a sale may change it at the same time. Members
// whose account is locked are left for the next batch.
const lockEnded = statement(
  `with ended as materialized (
     select member_id from member_tier
     where company_id = $1 and expiry_date < $2 order by expiry_date limit 400
   ), locked as materialized (
     select a.member_id from point_account a
     where a.company_id = $1 and a.member_id in (select member_id from ended)
     limit 50 for update skip locked
   )
   select (select count(*) from ended)::int as ended,
     array(select member_id from locked) as members`,
  z.object({ ended: z.int(), members: z.array(z.string()) }),
)

/**
 * Reviews the tiers of some of the members whose period ended before `day`, each under the lock of
 * their account.
 * @returns the number of members done, and whether there may be more
 */
export async function reviewSome(
  tx: Transaction,
  company: { id: string; revision: number },
  day: string,
): Promise<{ done: number; left: boolean }> {
  const [{ ended, members }, { tierRules }] = await Promise.all([
    tx.one(lockEnded, [company.id, day]),
    settingsOf(tx, company),
  ])
  const reviewed = await Promise.all(
    members.map(async (memberId) => {
      const changes = await reviewTier(tx, company, memberId, day, tierRules)
      for (const { action, ...details } of changes) {
        writeAudit(tx, { company, staff: null, store: null }, 'job', { action, memberId, details })
      }
      return changes.length
    }),
  )
  return { done: reviewed.filter((changes) => changes > 0).length, left: ended > 0 }
}

/** Runs soon after midnight of each company, which depends on its time zone. */
export const tiersJob: Job = {
  name: 'tiers',
  everyMinutes: 15,
  batch: (tx, company) => reviewSome(tx, company, company.today),
}
