import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'
import { erasedAmong } from '../member/erase.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { hasExpired } from '../points/lots.ts'
import { ladderOf } from '../tier/ladder.ts'
import { type MergePlan, planMerge, type Side, type Spent, type TierTerms } from './plan.ts'
import { MergeRefused } from './refused.ts'

const readMember = statement(
  'select member_code from member where company_id = $1 and member_id = $2',
  z.object({ member_code: z.string() }),
)
const readSides = statement(
  `select m.member_id, m.member_code, a.balance - coalesce((
       select sum(remaining) from point_lot l where l.company_id = $1
         and l.member_id = m.member_id and l.remaining > 0
         and ${hasExpired('$3', 'l.')}), 0)::bigint
     as balance,
     (select count(*) from transaction x where x.company_id = $1
       and x.member_id = m.member_id)::int as receipts,
     (select count(*) from coupon x where x.company_id = $1
       and x.member_id = m.member_id)::int as coupons,
     (select count(*) from consent x where x.company_id = $1
       and x.member_id = m.member_id)::int as consents,
     mt.tier_code, mt.start_date, mt.expiry_date
   from member m join point_account a using (company_id, member_id)
   join member_tier mt using (company_id, member_id)
   where m.company_id = $1 and m.member_id = any ($2::uuid[])
   order by array_position($2::uuid[], m.member_id)`,
  z.object({
    member_id: z.string(),
    member_code: z.string(),
    balance: z.int(),
    receipts: z.int(),
    coupons: z.int(),
    consents: z.int(),
    tier_code: z.string(),
    start_date: z.string(),
    expiry_date: z.nullable(z.string()),
  }),
)
const countKeys = statement(
  `select member_id, count(*)::int as keys from member_key
   where company_id = $1 and member_id = any ($2::uuid[]) group by member_id`,
  z.object({ member_id: z.string(), keys: z.int() }),
)
const readSpends = statement(
  `select m.registration_date as since, coalesce((
     select jsonb_agg(jsonb_build_object('day', s.day, 'amount', s.amount::text)) from (
       select spent_on as day, sum(amount) as amount from qualifying_spend q
       where q.company_id = $1 and q.member_id = m.member_id group by spent_on
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
// Always in the same order, so that two merges of the same members wait and do not deadlock. A
// request that adds a row of the member waits too, because its foreign key locks the member.
const lockMembers = statement(
  `select from member where company_id = $1 and member_id = any ($2::uuid[])
   order by member_id for update`,
  z.unknown(),
)
const lockAccounts = statement(
  `select from point_account where company_id = $1 and member_id = any ($2::uuid[])
   order by member_id for update`,
  z.unknown(),
)

/** The company's revision, its day, and the database's clock, RFC 3339. */
export type Today = { id: string; revision: number; now: string; today: string }

export async function readToday(tx: Transaction, companyId: string): Promise<Today> {
  return { id: companyId, ...(await tx.one(readCompany, [companyId])) }
}

/** Locks members and their accounts until the transaction ends. */
export async function lockBoth(
  tx: Transaction,
  companyId: string,
  ids: readonly string[],
): Promise<void> {
  await Promise.all([tx.run(lockMembers, [companyId, ids]), tx.run(lockAccounts, [companyId, ids])])
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
  const memberId = await findMemberId(tx, companyId, code)
  if (memberId === null) {
    const erased = await erasedAmong(tx, { id: companyId }, [code])
    throw new MergeRefused(erased.has(code) ? 'memberErased' : 'memberUnknown', code)
  }
  const { member_code: own } = await tx.one(readMember, [companyId, memberId])
  if (codeKey(own) !== codeKey(code)) throw new MergeRefused('memberMerged', code)
  return memberId
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
  const [rows, counts, own, other, terms] = await Promise.all([
    tx.all(readSides, [id, ids, today]),
    tx.all(countKeys, [id, ids]),
    spentBy(tx, id, ids[0]),
    spentBy(tx, id, ids[1]),
    tierTermsOf(tx, company),
  ])
  const [survivor, merged] = rows.map((row): Side => {
    const { member_id: memberId, member_code: memberCode, tier_code: code } = row
    const { start_date: startDate, expiry_date: expiryDate } = row
    const { balance, receipts, coupons, consents } = row
    const keys = counts.find((one) => one.member_id === memberId)?.keys ?? 0
    const tier = { code, startDate, expiryDate }
    return { memberId, memberCode, balance, receipts, coupons, consents, keys, tier }
  })
  if (survivor === undefined || merged === undefined) throw new Error('a member has no account')
  const plan = planMerge(survivor, merged, { survivor: own, merged: other }, terms)
  return { survivor, merged, plan }
}
