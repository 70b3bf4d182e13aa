import type { findMember, readMember } from '@tillside/contract/integration/members'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { findByQuery } from '../member/look-up.ts'
import { memberOf, type MemberRow } from '../member/member.ts'
import { readPointTotals } from '../points/totals.ts'
import { readStanding } from '../tier/standing.ts'

const findOwnerCode = statement(
  `select m.member_code from coupon c join member m using (company_id, member_id)
   where c.company_id = $1 and c.coupon_code = $2`,
  z.object({ member_code: z.string() }),
)

/** One member with the current tier and points. */
export async function showMember(
  context: KeyContext<typeof readMember>,
  { memberCode }: Input<typeof readMember>,
): Promise<Data<typeof readMember>> {
  const { database, company } = context
  return database.reading(company.id, async (tx) => {
    return answer(context, tx, await findByQuery(tx, company.id, { code: memberCode }))
  })
}

/** The same for the member whom a till names by any of the keys that a clerk has. */
export async function find(
  context: KeyContext<typeof findMember>,
  { memberCode, couponCode, ...query }: Input<typeof findMember>,
): Promise<Data<typeof findMember>> {
  const { database, company } = context
  return database.reading(company.id, async (tx) => {
    const code = couponCode === undefined ? memberCode : await ownerOf(tx, company.id, couponCode)
    if (code === null) return context.fail('memberUnknown')
    return answer(context, tx, await findByQuery(tx, company.id, { ...query, code }))
  })
}

async function ownerOf(
  tx: Transaction,
  companyId: string,
  couponCode: string,
): Promise<string | null> {
  const owner = await tx.maybe(findOwnerCode, [companyId, readCouponCode(couponCode)])
  return owner?.member_code ?? null
}

async function answer(
  context: KeyContext<typeof readMember>,
  tx: Transaction,
  row: MemberRow | null,
): Promise<Data<typeof readMember>> {
  if (row === null) return context.fail('memberUnknown')
  const { company, today, language } = context
  const settings = await settingsOf(tx, company)
  const [points, tier] = await Promise.all([
    readPointTotals(tx, company.id, row.member_id, today),
    readStanding(tx, company, row.member_id, today, settings, language),
  ])
  return { member: await memberOf(row, settings, context), tier, points }
}
