import * as z from 'zod/mini'
import { statement, type Transaction } from '../kit/database.ts'
import { addDays } from '../kit/day.ts'
import { makeCouponCode } from './code.ts'

// The definition's row is locked before anything is counted, so that neither its stock nor a
// member's limit can be passed by two who come at once.
const lockDefinition = statement(
  `select start_date, end_date, valid_days, starts_after, stock, issued, per_member_limit,
     points_cost, issue_stores
   from coupon_definition where company_id = $1 and coupon_id = $2 and not stopped for update`,
  z.object({
    start_date: z.nullable(z.string()),
    end_date: z.nullable(z.string()),
    valid_days: z.nullable(z.int()),
    starts_after: z.int(),
    stock: z.nullable(z.int()),
    issued: z.int(),
    per_member_limit: z.nullable(z.int()),
    points_cost: z.nullable(z.int()),
    issue_stores: z.nullable(z.array(z.string())),
  }),
)
const countOwn = statement(
  `select count(*)::int as own from coupon
   where company_id = $1 and member_id = $2 and coupon_id = $3 and voided_reason is null`,
  z.object({ own: z.int() }),
)
const countIssued = statement(
  'update coupon_definition set issued = issued + $3 where company_id = $1 and coupon_id = $2',
  z.unknown(),
)
const insertCoupons = statement(
  `insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
     start_date, expiry_date, issued_by, issued_store)
   select $1, code, $3, $4, $5, $6, $7, $8, $9, $10 from unnest($2::text[]) as c (code)`,
  z.unknown(),
)

type Definition = z.infer<(typeof lockDefinition)['row']>

export type CouponOrder = {
  memberId: string
  couponId: string
  quantity: number
  /** When, RFC 3339, and which day of the company that is. */
  at: string
  today: string
  storeCode: string
  /** Null where no person issues it. */
  staffId: string | null
  /** Whether the caller debits the definition's points in this very transaction. */
  paidWithPoints: boolean
}

/** In the order in which they are looked for. */
export type IssueRefusal =
  | 'couponUnknown'
  | 'couponOtherStore'
  /** It costs points and none are paid, or the other way round. */
  | 'couponCost'
  | 'couponExpired'
  | 'couponOutOfStock'
  | 'couponLimit'

export type Issued =
  | { outcome: 'issued'; codes: string[] }
  | { outcome: 'refused'; reason: IssueRefusal }

/** Issues coupons of one definition to a member. A refusal writes nothing. */
export async function issueCoupons(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
): Promise<Issued> {
  const { memberId, couponId, quantity, today } = order
  // Sent together, run in this order: what is counted is what stands once the lock is held.
  const [definition, { own }] = await Promise.all([
    tx.maybe(lockDefinition, [company.id, couponId]),
    tx.one(countOwn, [company.id, memberId, couponId]),
  ])
  if (definition === null) return { outcome: 'refused', reason: 'couponUnknown' }
  const reason = refusalOf(definition, own, order)
  if (reason !== null) return { outcome: 'refused', reason }
  const codes = Array.from({ length: quantity }, makeCouponCode)
  const { start, end } = validityFrom(definition, today)
  await Promise.all([
    tx.run(countIssued, [company.id, couponId, quantity]),
    tx.run(insertCoupons, [
      company.id,
      codes,
      memberId,
      couponId,
      order.at,
      today,
      start,
      end,
      order.staffId,
      order.storeCode,
    ]),
  ])
  return { outcome: 'issued', codes }
}

function refusalOf(definition: Definition, own: number, order: CouponOrder): IssueRefusal | null {
  const { issue_stores: stores, stock, issued, per_member_limit: limit, end_date: end } = definition
  if (stores !== null && !stores.includes(order.storeCode)) return 'couponOtherStore'
  if ((definition.points_cost !== null) !== order.paidWithPoints) return 'couponCost'
  if (end !== null && end < order.today) return 'couponExpired'
  if (stock !== null && issued + order.quantity > stock) return 'couponOutOfStock'
  return limit !== null && own + order.quantity > limit ? 'couponLimit' : null
}

/** The first and the last day of a coupon that is issued today. */
export function validityFrom(
  definition: Pick<Definition, 'start_date' | 'end_date' | 'valid_days' | 'starts_after'>,
  today: string,
): { start: string; end: string } {
  const { start_date: from, end_date: to, valid_days: days } = definition
  if (from !== null && to !== null) return { start: from, end: to }
  if (days === null) throw new Error('a coupon definition has neither dates nor days')
  const start = addDays(today, definition.starts_after)
  return { start, end: addDays(start, days - 1) }
}
