import type { couponCodeDetail } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { admit } from '../allowance/seen.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { couponColumns, couponJoins, couponOf, CouponRow } from './coupon.ts'

const readWithOwner = statement(
  `select ${couponColumns('$3')}, m.member_id, m.member_code, m.first_name, m.last_name
   from coupon c ${couponJoins}
   join member m on m.company_id = c.company_id and m.member_id = c.member_id
   where c.company_id = $1 and c.coupon_code = $2`,
  z.extend(CouponRow, {
    member_id: z.string(),
    member_code: z.string(),
    first_name: z.string(),
    last_name: z.string(),
  }),
)

/** The coupon with a typed or scanned code, and its owner. */
export async function readDetail(
  context: Context<typeof couponCodeDetail>,
  input: Input<typeof couponCodeDetail>,
): Promise<Data<typeof couponCodeDetail>> {
  const { tx, company, today, language } = context
  const [row, settings] = await Promise.all([
    tx.maybe(readWithOwner, [company.id, readCouponCode(input.couponCode), today]),
    settingsOf(tx, company),
  ])
  await admit(context, settings, row?.member_id ?? null)
  const details = { by: 'coupon', found: row !== null }
  context.changed({ action: 'member.lookUp', memberId: row?.member_id ?? null, details })
  if (row === null) return context.fail('couponUnknown')
  return {
    ...couponOf(row, context, settings, language),
    member: {
      memberCode: row.member_code,
      firstName: row.first_name,
      lastName: row.last_name,
    },
  }
}
