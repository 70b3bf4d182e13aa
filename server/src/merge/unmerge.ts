import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { codesOf, moveCouponKeys } from '../coupon/code.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { enqueueEvent } from '../member/events.ts'
import { codeKey } from '../member/key.ts'
import { answersOf, restoreAnswers } from '../member/merged/answers.ts'
import { returnKeys } from '../member/merged/keys.ts'
import { moveToTier } from '../member/tier.ts'
import { nameMerge } from '../points/replay/merges.ts'
import { namePayer } from '../points/spending.ts'
import { promote } from '../tier/promote.ts'
import { findMemberId } from '../member/look-up.ts'
import { reviewTier } from '../tier/review.ts'
import { moveReceiptKeys, receiptsOf } from '../transaction/receipt-key.ts'
import { daysToPart, MergeRefused } from './refused.ts'
import { tierBySpend } from './plan.ts'
import { lockBoth, readToday, spentBy, tierTermsOf, type Today } from './sides.ts'

const HeldTier = z.object({
  code: z.string(),
  startDate: z.string(),
  expiryDate: z.nullable(z.string()),
  bySpend: z.boolean(),
})
const findMerges = wholeCompany(
  `select merge_id, survivor_id, merged_id, tiers, answers,
     merged_at < now() - make_interval(days => ${daysToPart}) as too_old
   from member_merge
   where company_id = $1 and survivor_id = any ($2::uuid[]) and undone_at is null`,
  z.object({
    merge_id: z.string(),
    survivor_id: z.string(),
    merged_id: z.string(),
    tiers: z.object({ survivor: HeldTier, merged: HeldTier }),
    answers: z.json(),
    too_old: z.boolean(),
  }),
)
const readCode = statement(
  'select member_code from member where company_id = $1 and member_id = $2',
  z.object({ member_code: z.string() }),
)
const part = statement(
  'select unmerge_rows($1, $2, $3, $4) as parted',
  z.object({ parted: z.boolean() }),
)

type Merge = z.infer<typeof findMerges.row>

/** The merges into this member, also by way of others. */
async function mergesInto(tx: Transaction, companyId: string, memberId: string): Promise<Merge[]> {
  const merges: Merge[] = []
  for (let survivors = [memberId]; survivors.length > 0;) {
    const found = await tx.all(findMerges, [companyId, survivors])
    merges.push(...found)
    survivors = found.map(({ merged_id: id }) => id)
  }
  return merges
}

async function codeOf(tx: Transaction, companyId: string, memberId: string): Promise<string> {
  return (await tx.one(readCode, [companyId, memberId])).member_code
}

/** The members that are merged into this one, also by way of others. */
export async function mergedInto(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<{ id: string; memberCode: string }[]> {
  const merges = await mergesInto(tx, companyId, memberId)
  return Promise.all(
    merges.map(async ({ merged_id: id }) => ({ id, memberCode: await codeOf(tx, companyId, id) })),
  )
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
  const earlier = await mergesInto(tx, companyId, mergedId)
  const { parted } = await tx.one(part, [companyId, mergeId, survivorId, mergedId])
  if (!parted) throw new MergeRefused('mergeInUse', mergedCode)
  await nameMerge(tx, companyId, { survivorId, mergeId, holds: false })
  const receipts = await receiptsOf(tx, companyId, mergedId)
  await moveReceiptKeys(tx, companyId, receipts, mergedId)
  const coupons = await codesOf(tx, companyId, mergedId)
  await moveCouponKeys(tx, companyId, coupons, mergedId)
  await namePayer(tx, companyId, mergedId)
  const owners = [mergedId, ...earlier.map(({ merged_id: id }) => id)]
  await returnKeys(tx, companyId, { from: survivorId, to: mergedId }, owners)
  const answers = { before: merge.answers, merged: await answersOf(tx, companyId, mergedId) }
  await restoreAnswers(tx, companyId, survivorId, answers)
  changeEpoch(tx, companyId)
  const company = await readToday(tx, companyId)
  await restoreTier(tx, company, survivorId, tiers.survivor)
  await restoreTier(tx, company, mergedId, tiers.merged)
  const mergedMemberCode = await codeOf(tx, companyId, mergedId)
  const survivorCode = await codeOf(tx, companyId, survivorId)
  enqueueEvent(tx, companyId, 'member.unmerged', survivorId, { mergedMemberCode })
  const codes = { survivor: survivorCode, merged: mergedMemberCode }
  const details = { ...codes, mergeId }
  for (const memberId of [survivorId, mergedId]) {
    const actor = { company, staff: null, store: null }
    writeAudit(tx, actor, 'command', { action: 'member.unmerge', memberId, details })
  }
  return codes
}

async function findMerge(tx: Transaction, companyId: string, code: string): Promise<Merge> {
  const holderId = await findMemberId(tx, companyId, code)
  if (holderId === null) throw new MergeRefused('memberUnknown', code)
  const merges = await mergesInto(tx, companyId, holderId)
  const codes = await Promise.all(merges.map(({ merged_id: id }) => codeOf(tx, companyId, id)))
  const merge = merges.find((_, index) => codeKey(codes[index] ?? '') === codeKey(code))
  if (merge === undefined) throw new MergeRefused('memberNotMerged', code)
  if (merge.too_old) throw new MergeRefused('mergeTooOld', code)
  // Ids are in the order of the merges.
  const isFollowed = merges.some(
    (other) => other.survivor_id === merge.survivor_id && other.merge_id > merge.merge_id,
  )
  if (merge.survivor_id !== holderId || isFollowed) throw new MergeRefused('mergeNotLast', code)
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
