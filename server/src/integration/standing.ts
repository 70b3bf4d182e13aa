import type { findMember, readMember } from '@tillside/contract/integration/members'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { ownerOfCode } from '../coupon/code.ts'
import { undistributed, statement } from '../database/database.ts'
import type { KeyReadContext } from '../http/keys/serve-key.ts'
import { isErased } from '../member/erase.ts'
import { codeKey, type KeyKind } from '../member/key.ts'
import { keyOf } from '../member/look-up.ts'
import { memberOf, MemberRow, memberTermsOf, profileColumns } from '../member/member.ts'
import {
  accountSql,
  AccountRow,
  expiringSql,
  ExpiringRow,
  pointTotalsOf,
} from '../points/totals.ts'
import { SpendRow, spendSql, standingOf } from '../tier/standing.ts'
import { Outdated } from '../values/outdated.ts'

const findByKey = statement(
  'select member_id from member_key where company_id = $1 and kind = $2 and value = $3',
  z.object({ member_id: z.string() }),
)
const Standing = z.object({
  ...SpendRow.shape,
  ...MemberRow.shape,
  ...AccountRow.shape,
  ...ExpiringRow.shape,
  merged: z.boolean(),
})
const readAll = statement(allOf('member m', '$2'), Standing)
const readAllByKey = undistributed(
  allOf(
    `(select member_id from member_key where company_id = $1 and value = $2 and kind = $5) k
       cross join member m`,
    'k.member_id',
  ),
  Standing,
)

/** SQL: all parts in one statement, as each one costs PostgreSQL and us more than its rows. */
function allOf(from: string, member: string): string {
  return `select ${profileColumns}, m.merged, tier.expiry_date as tier_expiry, tier.*, account.*,
     expiring.*
   from ${from}
     cross join lateral (${spendSql(member)}) tier
     cross join lateral (${accountSql(member)}) account
     cross join lateral (${expiringSql(member)}) expiring
   where m.company_id = $1 and m.member_id = ${member}`
}

/** One member with the current tier and points. */
export async function showMember(
  context: KeyReadContext<typeof readMember>,
  { memberCode }: Input<typeof readMember>,
): Promise<Data<typeof readMember>> {
  return answer(context, await read(context, await named(context, { code: memberCode })))
}

/** The same for the member whom a till names by any of the keys that a clerk has. */
export async function find(
  context: KeyReadContext<typeof findMember>,
  { memberCode, couponCode, ...query }: Input<typeof findMember>,
): Promise<Data<typeof findMember>> {
  const { tx, company } = context
  const name =
    couponCode === undefined
      ? await named(context, { ...query, code: memberCode })
      : { id: await ownerOfCode(tx, company.id, readCouponCode(couponCode)) }
  return answer(context, await read(context, name))
}

/** A member by the id, null when there is none, or by a key that is still to be looked up. */
type Named = { id: string | null } | { kind: KeyKind; key: string }

/**
 * A process remembers ids by codes. The calls after a look-up name the member by the code. On a
 * cluster, another key is looked up first: its row is on another node than the member.
 */
async function named(
  { tx, company, known }: KeyReadContext,
  query: Parameters<typeof keyOf>[0],
): Promise<Named> {
  const { kind, value } = keyOf(query)
  const key = value()
  const id = kind === 'code' ? known.recall(key) : undefined
  if (id !== undefined) return { id }
  if (!tx.isOnCluster) return { kind, key }
  return { id: (await tx.maybe(findByKey, [company.id, kind, key]))?.member_id ?? null }
}

type Found = z.infer<typeof Standing> | null

async function read({ tx, company, today }: KeyReadContext, name: Named): Promise<Found> {
  const { tierRules } = await settingsOf(tx, company)
  const day = [today, tierRules.window]
  if ('kind' in name) return tx.maybe(readAllByKey, [company.id, name.key, ...day, name.kind])
  return name.id === null ? null : tx.maybe(readAll, [company.id, name.id, ...day])
}

async function answer(
  context: KeyReadContext<typeof readMember>,
  row: Found,
): Promise<Data<typeof readMember>> {
  const { tx, company, known } = context
  // An erased member still has coupons.
  if (row === null || isErased(row)) return context.fail('memberUnknown')
  if (row.merged) throw new Outdated('the member was merged into another one')
  known.learn(codeKey(row.member_code), row.member_id)
  const terms = await memberTermsOf(tx, company)
  return {
    member: await memberOf(row, terms, context),
    tier: await standingOf(context, row.member_id, row, terms.settings),
    points: pointTotalsOf(row),
  }
}
