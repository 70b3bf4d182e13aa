import type { couponCodeDetail } from '@tillside/contract/coupon'
import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { admit } from '../allowance/seen.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { Outdated } from '../values/outdated.ts'
import { ownerOfCode } from './code.ts'
import { couponColumns, couponJoins, couponOf, CouponRow, couponTermsOf } from './coupon.ts'

const readWithOwner = statement(
  `select ${couponColumns('$3')}, m.member_code, m.first_name, m.last_name
   from coupon c ${couponJoins} join member m on m.company_id = $1 and m.member_id = $2
   where c.company_id = $1 and c.member_id = $2 and c.coupon_code = $4`,
  z.extend(CouponRow, {
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
  const code = readCouponCode(input.couponCode)
  const [memberId, terms] = await Promise.all([
    ownerOfCode(tx, company.id, code),
    couponTermsOf(tx, company),
  ])
  const [row] = await Promise.all([
    memberId === null ? null : tx.maybe(readWithOwner, [company.id, memberId, today, code]),
    admit(context, terms.settings, memberId),
  ])
  const details = { by: 'coupon', found: memberId !== null }
  context.changed({ action: 'member.lookUp', memberId, details })
  if (memberId === null) return context.fail('couponUnknown')
  if (row === null) throw new Outdated('the coupon has another member now')
  return {
    ...couponOf(row, context, terms, language),
    member: {
      memberCode: row.member_code,
      firstName: row.first_name,
      lastName: row.last_name,
    },
  }
}
