import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import { erasedAmong } from '../member/erase.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { hasExpired } from '../points/lots.ts'
import { ladderOf } from '../company/ladder.ts'
import { type MergePlan, planMerge, type Side, type Spent, type TierTerms } from './plan.ts'
import { MergeRefused } from './refused.ts'

const readMember = statement(
  'select member_code from member where company_id = $1 and member_id = $2',
  z.object({ member_code: z.string() }),
)
const readSide = statement(
  `select m.member_code, a.balance - coalesce((
       select sum(remaining) from point_lot l
       where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
         and ${hasExpired('$3', 'l.')}), 0)::bigint
     as balance,
     (select count(*) from coupon where company_id = $1 and member_id = $2)::int as coupons,
     (select count(*) from consent where company_id = $1 and member_id = $2)::int as consents,
     mt.tier_code, mt.start_date, mt.expiry_date
   from member m
   join point_account a on a.company_id = $1 and a.member_id = $2
   join member_tier mt on mt.company_id = $1 and mt.member_id = $2
   where m.company_id = $1 and m.member_id = $2`,
  z.object({
    member_code: z.string(),
    balance: z.int(),
    coupons: z.int(),
    consents: z.int(),
    tier_code: z.string(),
    start_date: z.string(),
    expiry_date: z.nullable(z.string()),
  }),
)
const countReceipts = statement(
  `select count(*)::int as count from transaction
   where company_id = $1 and place = $2 and member_id = $2`,
  z.object({ count: z.int() }),
)
const countKeys = wholeCompany(
  'select count(*)::int as count from member_key where company_id = $1 and member_id = $2',
  z.object({ count: z.int() }),
)
const readSpends = statement(
  `select m.registration_date as since, coalesce((
     select jsonb_agg(jsonb_build_object('day', s.day, 'amount', s.amount::text)) from (
       select spent_on as day, sum(amount) as amount from qualifying_spend q
       where q.company_id = $1 and q.member_id = $2 group by spent_on
     ) s), '[]') as spends
   from member m where m.company_id = $1 and m.member_id = $2`,
  z.object({
    since: z.string(),
    spends: z.array(z.object({ day: z.string(), amount: z.string() })),
  }),
)
const readCompany = statement(
  `select revision, ${nowSql('company')} as now, ${todaySql('company')} as today from company
   where company_id = $1`,
  z.object({ revision: z.int(), now: z.string(), today: z.string() }),
)
// Always in the same order, so that two merges of the same members wait and do not deadlock. The
// accounts are first, because a request that moves points locks the account, and then the member by
// a foreign key. A request that adds another row of the member waits for the lock of the member.
const lockMember = lockOf(
  'member',
  ['company_id', 'member_id'],
  'select from member where company_id = $1 and member_id = $2 for update',
  z.unknown(),
)
const lockAccount = lockOf(
  'point_account',
  ['company_id', 'member_id'],
  'select from point_account where company_id = $1 and member_id = $2 for update',
  z.unknown(),
)

/** The company's revision, its day, and the database's clock, RFC 3339. */
export type Today = { id: string; revision: number; now: string; today: string }

export async function readToday(tx: Transaction, companyId: string): Promise<Today> {
  return { id: companyId, ...(await tx.one(readCompany, [companyId])) }
}

/** Locks the accounts of members, and the members, until the transaction ends. */
export async function lockBoth(
  tx: Transaction,
  companyId: string,
  ids: readonly string[],
): Promise<void> {
  const ordered = ids.toSorted()
  await Promise.all(
    [lockAccount, lockMember].flatMap((s) => ordered.map((id) => tx.run(s, [companyId, id]))),
  )
}

/**
 * Finds two members by their own codes.
 * @returns their ids
 * @throws MergeRefused when one is unknown, erased or merged, or both are the same
 */
export async function findBoth(
  tx: Transaction,
  companyId: string,
  survivorCode: string,
  mergedCode: string,
): Promise<[survivor: string, merged: string]> {
  const [survivor, merged] = await Promise.all(
    [survivorCode, mergedCode].map(async (code) => findOwn(tx, companyId, code)),
  )
  if (survivor === undefined || merged === undefined) throw new Error('two codes, two members')
  if (survivor === merged) throw new MergeRefused('memberSame', mergedCode)
  return [survivor, merged]
}

/** A merged member's code finds the survivor, whose own code is another one. */
async function findOwn(tx: Transaction, companyId: string, code: string): Promise<string> {
  const id = await findMemberId(tx, companyId, code)
  if (id === null) {
    const erased = await erasedAmong(tx, { id: companyId }, [code])
    throw new MergeRefused(erased.has(code) ? 'memberErased' : 'memberUnknown', code)
  }
  const row = await tx.one(readMember, [companyId, id])
  if (codeKey(row.member_code) !== codeKey(code)) throw new MergeRefused('memberMerged', code)
  return id
}

/** Reads what decides about a member's tier. */
export function spentBy(tx: Transaction, companyId: string, memberId: string): Promise<Spent> {
  return tx.one(readSpends, [companyId, memberId])
}

/** Reads the rules of the company's tiers as they are today. */
export async function tierTermsOf(tx: Transaction, company: Today): Promise<TierTerms> {
  const [{ tierRules: rules }, ladder] = await Promise.all([
    settingsOf(tx, company),
    ladderOf(tx, company),
  ])
  return { ladder, today: company.today, rules }
}

/** Both members as they are now, and what their merge would result in. */
export type Previewed = { survivor: Side; merged: Side; plan: MergePlan }

/** Reads two members and plans their merge; writes nothing. */
export async function previewOf(
  tx: Transaction,
  company: Today,
  ids: readonly [survivor: string, merged: string],
): Promise<Previewed> {
  const { id, today } = company
  const [rows, own, other, terms] = await Promise.all([
    Promise.all(ids.map(async (memberId) => sideOf(tx, id, memberId, today))),
    spentBy(tx, id, ids[0]),
    spentBy(tx, id, ids[1]),
    tierTermsOf(tx, company),
  ])
  const [survivor, merged] = rows
  if (survivor === undefined || merged === undefined) throw new Error('two ids, two members')
  const plan = planMerge(survivor, merged, { survivor: own, merged: other }, terms)
  return { survivor, merged, plan }
}

async function sideOf(
  tx: Transaction,
  companyId: string,
  memberId: string,
  today: string,
): Promise<Side> {
  const of = [companyId, memberId]
  const [row, receipts, keys] = await Promise.all([
    tx.one(readSide, [...of, today]),
    tx.one(countReceipts, of),
    tx.one(countKeys, of),
  ])
  const { member_code: memberCode, balance, coupons, consents } = row
  const tier = { code: row.tier_code, startDate: row.start_date, expiryDate: row.expiry_date }
  const counts = { receipts: receipts.count, coupons, consents, keys: keys.count }
  return { memberId, memberCode, balance, ...counts, tier }
}
