import type { getStoreAssignedCoupons } from '@tillside/contract/coupon'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { readIfKnown } from '../member/look-up.ts'
import { withRemaining } from '../points/gift/stock.ts'
import { validityFrom } from './at-once/definitions.ts'

const readDefinitions = statement(
  `select d.coupon_id, d.names, d.descriptions, d.kind, shown_value(d.kind, d.value) as value,
     d.union_code, d.start_date, d.end_date, d.valid_days, d.starts_after,
     d.stock, d.per_member_limit, d.points_cost,
     coalesce(own.n, 0) as member_has
   from coupon_definition d left join (
     select coupon_id, count(*)::int as n from coupon
     where company_id = $1 and member_id = $2 and voided_reason is null group by coupon_id
   ) own using (coupon_id)
   where d.company_id = $1 and not d.stopped and d.withdrawn_at is null
     and (d.issue_stores is null or $3 = any (d.issue_stores))
     and (d.end_date is null or d.end_date >= $4)
   order by d.points_cost nulls first, d.coupon_id`,
  z.object({
    coupon_id: z.string(),
    names: Texts,
    descriptions: z.nullable(Texts),
    kind: z.enum(['amount', 'percent', 'gift']),
    value: z.nullable(z.string()),
    union_code: z.nullable(z.string()),
    start_date: z.nullable(z.string()),
    end_date: z.nullable(z.string()),
    valid_days: z.nullable(z.int()),
    starts_after: z.int(),
    stock: z.nullable(z.int()),
    per_member_limit: z.nullable(z.int()),
    points_cost: z.nullable(z.int()),
    member_has: z.int(),
  }),
)

/**
 * The coupons that this store may issue to this member today: free coupons if the clerk may issue,
 * coupons for points if the clerk may exchange. Coupons that are sold out or used up stay in the
 * list, so that the clerk sees the reason.
 */
export async function listAssigned(
  context: Context<typeof getStoreAssignedCoupons>,
  _input: Input<typeof getStoreAssignedCoupons>,
  memberId: string | null,
): Promise<Data<typeof getStoreAssignedCoupons>> {
  const { tx, company, store, today, permissions, language } = context
  const [rows, settings] = await readIfKnown(context, memberId, (member) =>
    Promise.all([
      tx.all(readDefinitions, [company.id, member, store.code, today]),
      settingsOf(tx, company),
    ]),
  )
  const allowed = rows.filter((row) =>
    permissions.has(row.points_cost === null ? 'homeIssuecoupon' : 'pointExchange'),
  )
  const offered = await withRemaining(tx, company.id, allowed, (row) => ['coupon', row.coupon_id])
  return {
    items: offered.map((row) => {
      const { start, end } = validityFrom(row, today)
      return {
        couponId: row.coupon_id,
        name: textIn(row.names, language, settings),
        unionCode: row.union_code,
        description: row.descriptions && textIn(row.descriptions, language, settings),
        kind: row.kind,
        value: row.value,
        validity: { startDate: start, expiryDate: end },
        pointsCost: row.points_cost,
        remaining: row.remaining,
        perMemberLimit: row.per_member_limit,
        memberHas: row.member_has,
      }
    }),
  }
}
