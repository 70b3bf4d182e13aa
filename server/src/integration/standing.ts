import type { findMember, readMember } from '@tillside/contract/integration/members'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { ownerOfCode } from '../coupon/code.ts'
import { statement } from '../database/database.ts'
import type { KeyReadContext } from '../http/keys/serve-key.ts'
import { isErased } from '../member/erase.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId, keyOf } from '../member/look-up.ts'
import { joinsOf, memberColumns, memberOf, MemberRow } from '../member/member.ts'
import {
  accountSql,
  AccountRow,
  expiringSql,
  ExpiringRow,
  pointTotalsOf,
} from '../points/totals.ts'
import { ladderOf } from '../tier/ladder.ts'
import { SpendRow, spendSql, standingOf } from '../tier/standing.ts'
import { Outdated } from '../values/outdated.ts'

const findByKey = statement(
  'select member_id from member_key where company_id = $1 and kind = $2 and value = $3',
  z.object({ member_id: z.string() }),
)
// One statement for all parts: each statement costs PostgreSQL and this process more than its rows.
const readAll = statement(
  `select ${memberColumns}, m.merged, tier.*, account.*, expiring.*
   from member m ${joinsOf('$2')}
     cross join lateral (${spendSql('$2')}) tier
     cross join lateral (${accountSql('$2')}) account
     cross join lateral (${expiringSql('$2')}) expiring
   where m.company_id = $1 and m.member_id = $2`,
  z.object({
    ...SpendRow.shape,
    ...MemberRow.shape,
    ...AccountRow.shape,
    ...ExpiringRow.shape,
    merged: z.boolean(),
  }),
)

/** One member with the current tier and points. */
export async function showMember(
  context: KeyReadContext<typeof readMember>,
  { memberCode }: Input<typeof readMember>,
): Promise<Data<typeof readMember>> {
  return answer(context, await ownerOfKey(context, { code: memberCode }))
}

/** The same for the member whom a till names by any of the keys that a clerk has. */
export async function find(
  context: KeyReadContext<typeof findMember>,
  { memberCode, couponCode, ...query }: Input<typeof findMember>,
): Promise<Data<typeof findMember>> {
  const { tx, company } = context
  const memberId =
    couponCode === undefined
      ? await ownerOfKey(context, { ...query, code: memberCode })
      : await ownerOfCode(tx, company.id, readCouponCode(couponCode))
  return answer(context, memberId)
}

/** A process remembers ids by codes. The calls after a look-up name the member by the code. */
async function ownerOfKey(
  { tx, company, known }: KeyReadContext,
  query: Parameters<typeof keyOf>[0],
): Promise<string | null> {
  const { kind, value } = keyOf(query)
  if (kind === 'code') return findMemberId(tx, company.id, value(), known)
  return (await tx.maybe(findByKey, [company.id, kind, value()]))?.member_id ?? null
}

async function answer(
  context: KeyReadContext<typeof readMember>,
  memberId: string | null,
): Promise<Data<typeof readMember>> {
  const { tx, company, today, known } = context
  if (memberId === null) return context.fail('memberUnknown')
  const settings = await settingsOf(tx, company)
  const values = [company.id, memberId, today, settings.tierRules.window]
  const [row, ladder] = await Promise.all([tx.maybe(readAll, values), ladderOf(tx, company)])
  // An erased member still has coupons.
  if (row === null || isErased(row)) return context.fail('memberUnknown')
  if (row.merged) throw new Outdated('the member was merged into another one')
  known.learn(codeKey(row.member_code), row.member_id)
  return {
    member: await memberOf(row, settings, context),
    tier: await standingOf(context, row.member_id, { row, ladder, settings }),
    points: pointTotalsOf(row),
  }
}
