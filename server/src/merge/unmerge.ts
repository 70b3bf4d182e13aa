import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { enqueueEvent } from '../member/events.ts'
import { codeKey } from '../member/key.ts'
import { moveToTier } from '../member/tier.ts'
import { promote } from '../tier/promote.ts'
import { reviewTier } from '../tier/review.ts'
import { daysToPart, MergeRefused } from './refused.ts'
import { tierBySpend } from './plan.ts'
import { lockBoth, readToday, spentBy, tierTermsOf, type Today } from './sides.ts'

const HeldTier = z.object({
  code: z.string(),
  startDate: z.string(),
  expiryDate: z.nullable(z.string()),
  bySpend: z.boolean(),
})
/** SQL: the member `$2` and all members that are merged into them, also by way of others. */
const below = `with recursive below as (
    select $2::uuid as member_id
    union all
    select g.merged_id from below b join member_merge g
      on g.company_id = $1 and g.survivor_id = b.member_id and g.undone_at is null
  )`
const readHolder = statement(
  `select member_id from member_key where company_id = $1 and kind = 'code' and value = $2`,
  z.object({ member_id: z.string() }),
)
const readMerges = statement(
  `${below}
   select g.merge_id, g.survivor_id, g.merged_id, m.member_code, s.member_code as survivor_code,
     g.tiers, g.merged_at < now() - make_interval(days => ${daysToPart}) as too_old,
     g.survivor_id <> $2 or exists (
       select from member_merge l where l.company_id = $1 and l.undone_at is null
         and l.survivor_id = g.survivor_id and l.merge_id > g.merge_id
     ) as followed
   from below b join member_merge g
     on g.company_id = $1 and g.merged_id = b.member_id and g.undone_at is null
   join member m on m.company_id = $1 and m.member_id = g.merged_id
   join member s on s.company_id = $1 and s.member_id = g.survivor_id`,
  z.object({
    merge_id: z.string(),
    survivor_id: z.string(),
    merged_id: z.string(),
    member_code: z.string(),
    survivor_code: z.string(),
    tiers: z.object({ survivor: HeldTier, merged: HeldTier }),
    too_old: z.boolean(),
    followed: z.boolean(),
  }),
)
const readBelow = statement(
  `${below} select m.member_id, m.member_code from below b join member m
     on m.company_id = $1 and m.member_id = b.member_id
   where m.member_id <> $2`,
  z.object({ member_id: z.string(), member_code: z.string() }),
)
const part = statement(
  'select unmerge_members($1, $2, $3, $4) as parted',
  z.object({ parted: z.boolean() }),
)

type Merge = z.infer<typeof readMerges.row>

/** The members that are merged into this one, also by way of others. */
export async function mergedInto(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<{ id: string; memberCode: string }[]> {
  const rows = await tx.all(readBelow, [companyId, memberId])
  return rows.map(({ member_id: id, member_code: memberCode }) => ({ id, memberCode }))
}

/**
 * Parts a merged member from the survivor. Each has again what they had, and what followed from it
 * since: returns of own sales, expiry, undone redemptions. Everything else since is the survivor's.
 * @param tx of the database's owner: the program's role cannot move entries
 * @returns the codes of both
 * @throws MergeRefused; the transaction must then be rolled back
 */
export async function unmergeMember(
  tx: Transaction,
  companyId: string,
  mergedCode: string,
): Promise<{ survivor: string; merged: string }> {
  const first = await findMerge(tx, companyId, mergedCode)
  await lockBoth(tx, companyId, [first.survivor_id, first.merged_id])
  const merge = await findMerge(tx, companyId, mergedCode)
  const { merge_id: mergeId, survivor_id: survivorId, merged_id: mergedId, tiers } = merge
  const { parted } = await tx.one(part, [companyId, mergeId, survivorId, mergedId])
  if (!parted) throw new MergeRefused('mergeInUse', mergedCode)
  changeEpoch(tx, companyId)
  const company = await readToday(tx, companyId)
  await restoreTier(tx, company, survivorId, tiers.survivor)
  await restoreTier(tx, company, mergedId, tiers.merged)
  const mergedMemberCode = merge.member_code
  enqueueEvent(tx, companyId, 'member.unmerged', survivorId, { mergedMemberCode })
  const details = { survivor: merge.survivor_code, merged: merge.member_code, mergeId }
  for (const memberId of [survivorId, mergedId]) {
    const actor = { company, staff: null, store: null }
    writeAudit(tx, actor, 'command', { action: 'member.unmerge', memberId, details })
  }
  return { survivor: merge.survivor_code, merged: merge.member_code }
}

async function findMerge(tx: Transaction, companyId: string, code: string): Promise<Merge> {
  const holder = await tx.maybe(readHolder, [companyId, codeKey(code)])
  if (holder === null) throw new MergeRefused('memberUnknown', code)
  const merges = await tx.all(readMerges, [companyId, holder.member_id])
  const merge = merges.find(({ member_code: own }) => codeKey(own) === codeKey(code))
  if (merge === undefined) throw new MergeRefused('memberNotMerged', code)
  if (merge.too_old) throw new MergeRefused('mergeTooOld', code)
  if (merge.followed) throw new MergeRefused('mergeNotLast', code)
  return merge
}

/**
 * Gives a member the tier of the own spend. A tier that did not follow from spend before the merge,
 * or that returns do not lower, comes back with the reviews and the promotion that are due since.
 */
async function restoreTier(
  tx: Transaction,
  company: Today,
  memberId: string,
  { bySpend, ...held }: z.infer<typeof HeldTier>,
): Promise<void> {
  const terms = await tierTermsOf(tx, company)
  const { rules, today } = terms
  if (bySpend && rules.tierAfterReturn === 'reevaluate') {
    const tier = tierBySpend(await spentBy(tx, company.id, memberId), terms)
    return moveToTier(tx, company, memberId, tier)
  }
  await moveToTier(tx, company, memberId, held)
  await reviewTier(tx, company, memberId, today, rules)
  await promote(tx, company, memberId, today, rules)
}
