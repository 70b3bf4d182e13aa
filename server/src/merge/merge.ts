import * as z from 'zod/mini'
import { changeEpoch } from '../company/epoch.ts'
import { codesOf, moveCouponKeys } from '../coupon/code.ts'
import { writeAudit } from '../database/audit.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { enqueueEvent } from '../member/events.ts'
import { answersOf, takeAnswers } from '../member/merged/answers.ts'
import { giveKeys } from '../member/merged/keys.ts'
import { moveToTier } from '../member/tier.ts'
import { writeOff } from '../points/expiry.ts'
import { lockAccount, noOrigin } from '../points/ledger.ts'
import { lotsToTakeBack } from '../points/lots.ts'
import { rearrange } from '../points/replay/book.ts'
import { nameMerge } from '../points/replay/merges.ts'
import { namePayer } from '../points/spending.ts'
import { waitUntil } from '../process/wait.ts'
import { moveReceiptKeys, receiptsOf } from '../transaction/receipt-key.ts'
import { type Side, tierBySpend } from './plan.ts'
import {
  findBoth,
  lockBoth,
  type Previewed,
  previewOf,
  readToday,
  spentBy,
  tierTermsOf,
  type Today,
} from './sides.ts'

const insertMerge = statement(
  `insert into member_merge (company_id, survivor_id, merged_id, tiers, answers)
   values ($1, $2, $3, $4, $5) returning merge_id`,
  z.object({ merge_id: z.string() }),
)
const move = statement('select merge_rows($1, $2, $3, $4)', z.unknown())
const setLevelled = statement(
  'update member_merge set levelled_by = $3 where company_id = $1 and merge_id = $2',
  z.unknown(),
)

const readLast = statement(
  `select entry_id from point_entry where company_id = $1 and member_id = $2
   order by seq desc limit 1`,
  z.object({ entry_id: z.string() }),
)
const setLast = statement(
  'update member_merge set last_entry = $3 where company_id = $1 and merge_id = $2',
  z.unknown(),
)
const follow = statement('select follow_rows($1, $2, $3, $4)', z.unknown())

// Every transaction holds a lock on its virtual id from its first statement on. A transaction that
// has only read so far has no other id, and may have found the merged member. `pg_stat_activity`
// hides when a transaction of another role began, unless a superuser asks. Only clients have a
// user; the vacuum of the database has none.
const readOpen = statement(
  `select l.virtualtransaction as id, a.pid, a.application_name as name, a.xact_start as since
   from pg_locks l join pg_stat_activity a using (pid)
   where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.granted
     and a.datname = current_database() and a.usesysid is not null and pid <> pg_backend_pid()`,
  z.object({ id: z.string(), pid: z.int(), name: z.string(), since: z.nullable(z.string()) }),
)

/** Answers what a merge would do; writes nothing. @throws MergeRefused as `mergeMembers` does */
export async function previewMerge(
  tx: Transaction,
  companyId: string,
  survivorCode: string,
  mergedCode: string,
): Promise<Previewed> {
  const ids = await findBoth(tx, companyId, survivorCode, mergedCode)
  return previewOf(tx, await readToday(tx, companyId), ids)
}

export type Merged = Previewed & { mergeId: string }
/** A transaction of the database. `since`: RFC 3339; null: the role may not see it. */
export type OpenTransaction = { pid: number; name: string; since: string | null }

/**
 * Moves a member's points with their lots and expiry, coupons, receipts, consents and keys to the
 * survivor. A repeated merge is refused and changes nothing.
 * @param tx of the database's owner: the program's role cannot move entries
 * @throws MergeRefused; the transaction must then be rolled back
 */
export async function mergeMembers(
  tx: Transaction,
  companyId: string,
  survivorCode: string,
  mergedCode: string,
): Promise<Merged> {
  await lockBoth(tx, companyId, await findBoth(tx, companyId, survivorCode, mergedCode))
  // Another merge may have moved them before the lock.
  const ids = await findBoth(tx, companyId, survivorCode, mergedCode)
  const company = await readToday(tx, companyId)
  for (const id of ids) {
    await writeOff(await lockAccount(tx, companyId, id), company.today)
  }
  const previewed = await previewOf(tx, company, ids)
  const { survivor, merged, plan } = previewed
  const tiers = {
    survivor: await heldTier(tx, company, survivor),
    merged: await heldTier(tx, company, merged),
  }
  const before = await answersOf(tx, companyId, survivor.memberId)
  const values = [companyId, ...ids, tiers, before]
  const { merge_id: mergeId } = await tx.one(insertMerge, values)
  await nameMerge(tx, companyId, { survivorId: survivor.memberId, mergeId, holds: true })
  const receipts = await receiptsOf(tx, companyId, merged.memberId)
  const codes = await codesOf(tx, companyId, merged.memberId)
  await tx.run(move, [companyId, mergeId, ...ids])
  await moveReceiptKeys(tx, companyId, receipts, survivor.memberId)
  await moveCouponKeys(tx, companyId, codes, survivor.memberId)
  await namePayer(tx, companyId, survivor.memberId)
  await giveKeys(tx, companyId, { from: merged.memberId, to: survivor.memberId })
  const answers = await answersOf(tx, companyId, merged.memberId)
  await takeAnswers(tx, companyId, survivor.memberId, answers)
  changeEpoch(tx, companyId)
  const last = await tx.maybe(readLast, [companyId, survivor.memberId])
  await tx.run(setLast, [companyId, mergeId, last?.entry_id ?? null])
  await moveToTier(tx, company, survivor.memberId, plan.tier)
  if (plan.repaid > 0) await repay(tx, company, mergeId, previewed)
  if (plan.tier.code !== survivor.tier.code) {
    const { code: to, ...period } = plan.tier
    const data = { from: survivor.tier.code, to, ...period }
    enqueueEvent(tx, companyId, 'tier.changed', survivor.memberId, data)
  }
  const mergedMemberCode = merged.memberCode
  enqueueEvent(tx, companyId, 'member.merged', survivor.memberId, { mergedMemberCode })
  const details = { survivor: survivor.memberCode, merged: merged.memberCode, mergeId }
  for (const memberId of ids) {
    const actor = { company, staff: null, store: null }
    writeAudit(tx, actor, 'command', { action: 'member.merge', memberId, details })
  }
  return { ...previewed, mergeId }
}

/**
 * Merges two members as `mergeMembers` does, also for the requests that run at the same time.
 * @param longestMs the longest time to wait for them
 * @returns in `stillOpen` the transactions that began before the end of the merge and still run
 */
export async function mergeAndFollow(
  database: Database,
  companyId: string,
  survivorCode: string,
  mergedCode: string,
  longestMs?: number,
): Promise<Merged & { stillOpen: readonly OpenTransaction[] }> {
  const merged = await database.transaction(companyId, (tx) =>
    mergeMembers(tx, companyId, survivorCode, mergedCode),
  )
  const stillOpen = await readersToEnd(database, companyId, longestMs)
  const [from, to] = [merged.merged.memberId, merged.survivor.memberId]
  await database.transaction(companyId, async (tx) => {
    // No row is added between the statements below. A transaction that still runs may hold the lock
    // for longer than the command can wait.
    if (stillOpen.length === 0) await lockBoth(tx, companyId, [to, from])
    changeEpoch(tx, companyId)
    const codes = await codesOf(tx, companyId, from)
    await tx.run(follow, [companyId, merged.mergeId, to, from])
    await moveCouponKeys(tx, companyId, codes, to)
    await giveKeys(tx, companyId, { from, to })
  })
  return { ...merged, stillOpen }
}

/**
 * Waits until the transactions that are open at this moment have ended.
 * @returns those that still run after the longest time
 */
async function readersToEnd(
  database: Database,
  companyId: string,
  longestMs?: number,
): Promise<OpenTransaction[]> {
  const read = () => database.reading(companyId, (tx) => tx.all(readOpen, []))
  let open = await read()
  const before = new Set(open.map(({ id }) => id))
  await waitUntil(async () => {
    open = (await read()).filter(({ id }) => before.has(id))
    return open.length === 0
  }, longestMs)
  return open.map(({ pid, name, since }) => ({ pid, name, since }))
}

/** A member's tier, and whether it follows from the spend alone; an import may set another one. */
async function heldTier(tx: Transaction, company: Today, { memberId, tier }: Side) {
  const [spent, terms] = await Promise.all([
    spentBy(tx, company.id, memberId),
    tierTermsOf(tx, company),
  ])
  return { ...tier, bySpend: tierBySpend(spent, terms).code === tier.code }
}

/** Lets points of one member repay the debt of the other: lots change, but not the balance. */
async function repay(
  tx: Transaction,
  { id, now, today }: Today,
  mergeId: string,
  { survivor, plan: { repaid } }: Previewed,
): Promise<void> {
  const account = await lockAccount(tx, id, survivor.memberId)
  const takes = await lotsToTakeBack(account, repaid, today)
  const entryId = await rearrange(
    account,
    takes,
    { out: repaid, back: repaid },
    { at: now, ...noOrigin },
  )
  await tx.run(setLevelled, [id, mergeId, entryId])
}
