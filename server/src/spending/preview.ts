import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { previewPoints } from '@tillside/contract/points'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { findMemberId } from '../member/look-up.ts'
import {
  type Spending,
  type SpendingInput,
  findSpendingTargets,
  checkSpending,
} from '../points/spending.ts'
import { burnOrder, endsLater, lotsToSpend, type Take } from '../points/lots.ts'
import { readTotals } from '../points/totals.ts'
import { checkOrder } from '../coupon/issue.ts'

const readTaken = statement(
  `select t.points, e.earn_date, l.expires_on
   from unnest($3::uuid[], $4::bigint[]) with ordinality as t (lot_id, points, n)
   join point_lot l on l.company_id = $1 and l.member_id = $2 and l.lot_id = t.lot_id
   join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = t.lot_id
   order by t.n`,
  z.object({
    points: z.int(),
    earn_date: z.nullable(z.string()),
    expires_on: z.nullable(z.string()),
  }),
)
// The first lot that would keep points determines the day; all lots of that day are summed.
const readNextExpiry = statement(
  `with taken as materialized (
     select * from unnest($3::uuid[], $4::bigint[]) as t (lot_id, points)
   ), next as (
     select l.expires_on from point_lot l left join taken t using (lot_id)
     where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
       and ${endsLater('$5', 'l.')} and l.remaining > coalesce(t.points, 0)
     order by ${burnOrder('l.')} limit 1
   )
   select sum(l.remaining - coalesce(t.points, 0))::bigint as points, l.expires_on
   from point_lot l join next using (expires_on) left join taken t using (lot_id)
   where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
   group by l.expires_on`,
  z.object({ points: z.int(), expires_on: z.string() }),
)

type Preview = Data<typeof previewPoints>
type CouponInput = Extract<Input<typeof previewPoints>, { kind: 'coupon' }>

/**
 * Previews a spending of points on a gift, a sale or a coupon. It is here because this is the
 * left-most feature that knows coupons as well as points.
 */
export async function preview(
  context: Context<typeof previewPoints>,
  input: Input<typeof previewPoints>,
): Promise<Data<typeof previewPoints>> {
  return input.kind === 'coupon' ? previewCoupon(context, input) : previewSpending(context, input)
}

/** Previews `coupon/issueByPoints` with the same refusals. Nothing is locked or reserved. */
async function previewCoupon(
  context: Context<typeof previewPoints>,
  input: CouponInput,
): Promise<Preview> {
  const { tx, company, store, now, today, permissions } = context
  if (!permissions.has('pointExchange')) return context.fail('noPermission')
  const memberId = await findMemberId(tx, company.id, input.memberCode)
  if (memberId === null) return context.fail('memberUnknown')
  const order = {
    memberId,
    couponId: input.couponId,
    quantity: input.quantity,
    at: now,
    today,
    storeCode: store.code,
    staffId: null,
    paidWithPoints: true,
  }
  const [checked, { balance, valid }] = await Promise.all([
    checkOrder(tx, company, order),
    readTotals(tx, company.id, memberId, today),
  ])
  if (checked.outcome === 'refused') return context.fail(checked.reason)
  const points = (checked.definition.points_cost ?? 0) * input.quantity
  const owner = { tx, companyId: company.id, memberId }
  const takes = await lotsToSpend(owner, points, today)
  if (takes === null) return context.fail('pointsAboveBalance', { limit: valid })
  return previewOf(owner, { points, amount: null }, { balance, takes, today })
}

/** Previews a gift or an exchange. */
async function previewSpending(
  context: Context<typeof previewPoints>,
  input: SpendingInput,
): Promise<Preview> {
  const { tx, company, today } = context
  const targets = await findSpendingTargets(tx, company.id, input)
  const checked = await checkSpending(context, input, targets, async () => null)
  const { memberId, spending, balance, takes } = checked
  return previewOf({ tx, companyId: company.id, memberId }, spending, { balance, takes, today })
}

/** The preview of taking these lots: the balance afterwards and the next expiry. */
async function previewOf(
  owner: { tx: Transaction; companyId: string; memberId: string },
  { points, amount }: Spending,
  on: { balance: number; takes: readonly Take[]; today: string },
): Promise<Preview> {
  const { tx, companyId, memberId } = owner
  const lots = on.takes.map((take) => take.lotId)
  const parts = on.takes.map((take) => take.points)
  const [taken, next] = await Promise.all([
    tx.all(readTaken, [companyId, memberId, lots, parts]),
    tx.maybe(readNextExpiry, [companyId, memberId, lots, parts, on.today]),
  ])
  return {
    points,
    balanceBefore: on.balance,
    balanceAfter: on.balance - points,
    amount,
    lots: taken.map((lot) => ({
      points: lot.points,
      earnDate: lot.earn_date,
      expiryDate: lot.expires_on,
    })),
    nextExpiry: next && { points: next.points, expiryDate: next.expires_on },
  }
}
