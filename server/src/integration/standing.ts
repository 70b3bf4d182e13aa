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
import { findIdByKey, findMemberId, type Key, keyOf, readByHint } from '../member/look-up.ts'
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

const Standing = z.object({
  ...SpendRow.shape,
  ...MemberRow.shape,
  ...AccountRow.shape,
  ...ExpiringRow.shape,
  merged: z.boolean(),
})
/** All parts in one statement, as each one costs PostgreSQL and us more than its rows. */
const readAll = statement(
  `select ${profileColumns}, m.merged, tier.expiry_date as tier_expiry, tier.*, account.*,
     expiring.*
   from member m
     cross join lateral (${spendSql('$2')}) tier
     cross join lateral (${accountSql('$2')}) account
     cross join lateral (${expiringSql('$2')}) expiring
   where m.company_id = $1 and m.member_id = $2`,
  Standing,
)

/** One member with the current tier and points. */
export async function showMember(
  context: KeyReadContext<typeof readMember>,
  { memberCode }: Input<typeof readMember>,
): Promise<Data<typeof readMember>> {
  const { tx, company, known } = context
  return answer(context, await read(context, await findMemberId(tx, company.id, memberCode, known)))
}

/** The same for the member whom a till names by any of the keys that a clerk has. */
export async function find(
  context: KeyReadContext<typeof findMember>,
  { memberCode, couponCode, ...query }: Input<typeof findMember>,
): Promise<Data<typeof findMember>> {
  const { tx, company, known } = context
  if (couponCode === undefined) {
    return answer(context, await readByKey(context, keyOf({ ...query, code: memberCode })))
  }
  const code = readCouponCode(couponCode)
  const owner = () => ownerOfCode(tx, company.id, code)
  return answer(
    context,
    await readByHint(known, `coupon ${code}`, owner, (id) => read(context, id)),
  )
}

async function readByKey(context: KeyReadContext, key: Key): Promise<Found> {
  const { tx, company, known } = context
  // The process may know the id for a code, and needs no hint.
  if (key.kind === 'code') return read(context, await findIdByKey(tx, company.id, key, known))
  const { kind } = key
  const value = key.value()
  const findId = () => findIdByKey(tx, company.id, { kind, value: () => value })
  return readByHint(known, `${kind} ${value}`, findId, (id) => read(context, id))
}

type Found = z.infer<typeof Standing> | null

async function read({ tx, company, today }: KeyReadContext, id: string | null): Promise<Found> {
  if (id === null) return null
  const { tierRules } = await settingsOf(tx, company)
  return tx.maybe(readAll, [company.id, id, today, tierRules.window])
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
