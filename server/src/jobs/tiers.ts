import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import type { Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { lockSome } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { finishPromotionPart, promote, readPromotionPart } from '../tier/promote.ts'
import { reviewTier, type TierChange } from '../tier/review.ts'
import type { Job } from './job.ts'

const membersPerBatch = 50

// A merged member keeps a tier for an unmerge, but nothing happens to it.
const findEnded = wholeCompany(
  `select t.member_id from member_tier t
   join point_account a on a.company_id = $1 and a.member_id = t.member_id
   where t.company_id = $1 and t.expiry_date < $2 and not a.merged
   order by t.expiry_date limit 400`,
  z.object({ member_id: z.string() }),
)
// A tier is changed under the account's lock, as a sale may change it at the same time. Members
// whose account is locked are left for the next batch.
const lockAccount = lockOf(
  'point_account',
  ['company_id', 'member_id'],
  `select merged from point_account where company_id = $1 and member_id = $2
   for update skip locked`,
  z.object({ merged: z.boolean() }),
)
const lockUnmerged = lockOf(
  'point_account',
  ['company_id', 'member_id'],
  `select from point_account where company_id = $1 and member_id = $2 and not merged
   for update skip locked`,
  z.unknown(),
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
  const [ended, { tierRules }] = await Promise.all([
    tx.all(findEnded, [company.id, day]),
    settingsOf(tx, company),
  ])
  const keys = ended.map(({ member_id: id }) => [company.id, id] as const)
  const locked = await lockSome(tx, lockUnmerged, keys, membersPerBatch)
  const reviewed = await Promise.all(
    locked.map(async ([, memberId]) => {
      const changes = await reviewTier(tx, company, memberId, day, tierRules)
      for (const change of changes) recordChange(tx, company, memberId, change)
      return changes.length
    }),
  )
  return { done: reviewed.filter((changes) => changes > 0).length, left: ended.length > 0 }
}

/**
 * Promotes the next part of a company's members, those who reach a tier because its threshold was
 * lowered. When the account of one of them is locked, the next run repeats the same part.
 */
async function promoteSome(
  tx: Transaction,
  company: { id: string; revision: number },
  day: string,
) {
  const { tierRules } = await settingsOf(tx, company)
  const part = await readPromotionPart(tx, company.id, day, tierRules)
  if (part === null) return { done: 0, left: false }
  const accounts = await Promise.all(
    part.members.map(async (id) => ({ id, row: await tx.maybe(lockAccount, [company.id, id]) })),
  )
  const locked = accounts.filter(({ row }) => row !== null)
  const changes = await Promise.all(
    locked.map(async ({ id: memberId, row }) => {
      if (row?.merged !== false) return null
      const change = await promote(tx, company, memberId, day, tierRules)
      if (change !== null) recordChange(tx, company, memberId, change)
      return change
    }),
  )
  const advanced = locked.length === part.members.length
  if (advanced) await finishPromotionPart(tx, company.id, part)
  return { done: changes.filter((change) => change !== null).length, left: true, advanced }
}

function recordChange(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  { action, ...details }: TierChange,
): void {
  writeAudit(tx, { company, staff: null, store: null }, 'job', { action, memberId, details })
}

/** Runs soon after midnight of each company, which depends on its time zone. */
export const tiersJob: Job = {
  name: 'tiers',
  everyMinutes: 15,
  async batch(tx, company) {
    const reviewed = await reviewSome(tx, company, company.today)
    if (reviewed.left) return reviewed
    // After all reviews, so that a member whose period has ended is not changed twice.
    return promoteSome(tx, company, company.today)
  },
}
