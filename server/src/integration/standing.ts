import type { findMember, readMember } from '@tillside/contract/integration/members'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { ownerOfCode } from '../coupon/code.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { KeyReadContext } from '../http/keys/serve-key.ts'
import { codeKey } from '../member/key.ts'
import { keyOf } from '../member/look-up.ts'
import { memberColumns, memberJoins, memberOf, MemberRow } from '../member/member.ts'
import {
  accountSql,
  AccountRow,
  expiringSql,
  ExpiringRow,
  pointTotalsOf,
} from '../points/totals.ts'
import { ladderOf } from '../tier/ladder.ts'
import { SpendRow, spendSql, standingOf } from '../tier/standing.ts'

const readCode = statement(
  'select member_code from member where company_id = $1 and member_id = $2',
  z.object({ member_code: z.string() }),
)
// One statement for all parts: each statement costs PostgreSQL and this process more than its rows.
const readAll = statement(
  `select ${memberColumns}, tier.*, account.*, expiring.*
   from member_key k join member m using (company_id, member_id) ${memberJoins}
     cross join lateral (${spendSql('k.member_id')}) tier
     cross join lateral (${accountSql('k.member_id')}) account
     cross join lateral (${expiringSql('k.member_id')}) expiring
   where k.company_id = $1 and k.kind = $5 and k.value = $2`,
  z.object({ ...SpendRow.shape, ...MemberRow.shape, ...AccountRow.shape, ...ExpiringRow.shape }),
)

/** One member with the current tier and points. */
export function showMember(
  context: KeyReadContext<typeof readMember>,
  { memberCode }: Input<typeof readMember>,
): Promise<Data<typeof readMember>> {
  return answer(context, { code: memberCode })
}

/** The same for the member whom a till names by any of the keys that a clerk has. */
export async function find(
  context: KeyReadContext<typeof findMember>,
  { memberCode, couponCode, ...query }: Input<typeof findMember>,
): Promise<Data<typeof findMember>> {
  const { tx, company } = context
  const code = couponCode === undefined ? memberCode : await ownerOf(tx, company.id, couponCode)
  if (code === null) return context.fail('memberUnknown')
  return answer(context, { ...query, code })
}

async function ownerOf(
  tx: Transaction,
  companyId: string,
  couponCode: string,
): Promise<string | null> {
  const memberId = await ownerOfCode(tx, companyId, readCouponCode(couponCode))
  return memberId === null ? null : (await tx.one(readCode, [companyId, memberId])).member_code
}

async function answer(
  context: KeyReadContext<typeof readMember>,
  query: Parameters<typeof keyOf>[0],
): Promise<Data<typeof readMember>> {
  const { tx, company, today, known } = context
  const settings = await settingsOf(tx, company)
  const { kind, value } = keyOf(query)
  const values = [company.id, value(), today, settings.tierRules.window, kind]
  const [row, ladder] = await Promise.all([tx.maybe(readAll, values), ladderOf(tx, company)])
  if (row === null) return context.fail('memberUnknown')
  known.learn(codeKey(row.member_code), row.member_id)
  return {
    member: await memberOf(row, settings, context),
    tier: await standingOf(context, row.member_id, { row, ladder, settings }),
    points: pointTotalsOf(row),
  }
}
