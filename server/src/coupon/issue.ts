import type { issueCoupon } from '@tillside/contract/coupon'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, takeAllowance } from '../allowance/given.ts'
import { Texts } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { supplyProblem } from '@tillside/contract/rules/supply'
import { hasSubscriberSql } from '../outbox/enqueue.ts'
import { findMemberId } from '../member/look-up.ts'
import { makeCouponCode } from './code.ts'
import { couponOf, readCoupons } from './coupon.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'

const definitionColumns = `start_date, end_date, valid_days, starts_after,
  stock - issued as remaining, per_member_limit, points_cost, issue_stores, names`
const open = 'not stopped and withdrawn_at is null'
const DefinitionRow = z.object({
  start_date: z.nullable(z.string()),
  end_date: z.nullable(z.string()),
  valid_days: z.nullable(z.int()),
  starts_after: z.int(),
  remaining: z.nullable(z.int()),
  per_member_limit: z.nullable(z.int()),
  points_cost: z.nullable(z.int()),
  issue_stores: z.nullable(z.array(z.string())),
  names: Texts,
})
const readDefinition = statement(
  `select ${definitionColumns} from coupon_definition
   where company_id = $1 and coupon_id = $2 and ${open}`,
  DefinitionRow,
)
// The definition's row is locked before the counts, so that two concurrent requests cannot exceed
// the stock or a member's limit.
const lockDefinition = statement(`${readDefinition.text} for no key update`, DefinitionRow)
const countOwn = statement(
  `select count(*)::int as own from coupon
   where company_id = $1 and member_id = $2 and coupon_id = $3 and voided_reason is null`,
  z.object({ own: z.int() }),
)
const countIssued = statement(
  `update coupon_definition set issued = issued + $3 where company_id = $1 and coupon_id = $2
   returning ${hasSubscriberSql('coupon.issued')}`,
  z.object({ has_subscriber: z.boolean() }),
)
const insertCoupons = statement(
  `insert into coupon (company_id, coupon_code, member_id, coupon_id, issued_at, issue_date,
     start_date, expiry_date, issued_by, issued_store, entry_id, points_paid)
   select $1, code, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 from unnest($2::text[]) as c (code)`,
  z.unknown(),
)

export type IssuableDefinition = z.infer<typeof DefinitionRow>

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

/** The order of a clerk, who issues the coupons now and at the clerk's store. */
export function orderAtCounter(
  { store, staff, now, today }: Pick<Context, 'store' | 'staff' | 'now' | 'today'>,
  memberId: string,
  { couponId, quantity }: Pick<CouponOrder, 'couponId' | 'quantity'>,
  paidWithPoints: boolean,
): CouponOrder {
  const [storeCode, staffId] = [store.code, staff.id]
  return { memberId, couponId, quantity, at: now, today, storeCode, staffId, paidWithPoints }
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

type Refused = { outcome: 'refused'; reason: IssueRefusal }
export type Issued = { outcome: 'issued'; codes: string[] } | Refused

/** Gives a member coupons that cost nothing. */
export async function issue(
  context: Context<typeof issueCoupon>,
  input: Input<typeof issueCoupon>,
): Promise<Data<typeof issueCoupon>> {
  const { tx, company, today, language } = context
  const { couponId, quantity } = input
  const memberId = await findMemberId(tx, company.id, input.memberCode)
  if (memberId === null) return context.fail('memberUnknown')
  const order = orderAtCounter(context, memberId, input, false)
  const issued = await issueCoupons(tx, company, order)
  if (issued.outcome === 'refused') return context.fail(issued.reason)
  const settings = await settingsOf(tx, company)
  const [coupons, taken] = await Promise.all([
    readCoupons(tx, company.id, issued.codes, today),
    takeAllowance(context, settings, { couponsIssued: quantity }),
  ])
  const allowance = checkAllowance(context, memberId, taken)
  context.changed({ action: 'coupon.issue', memberId, details: { couponId, quantity } })
  return { coupons: coupons.map((row) => couponOf(row, context, settings, language)), allowance }
}

/** Issues free coupons of one definition to a member. A refusal writes nothing. */
export async function issueCoupons(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
): Promise<Issued> {
  const checked = await checkOrder(tx, company, order, 'lock')
  if (checked.outcome === 'refused') return checked
  const codes = await fillOrder(tx, company, order, checked.definition, null)
  return { outcome: 'issued', codes }
}

/**
 * Whether an order can be filled now.
 * @param hold `lock` keeps the definition still until the transaction ends, so that the answer
 *   stays true; `look` writes nothing and promises nothing
 */
export async function checkOrder(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
  hold: 'lock' | 'look',
): Promise<{ outcome: 'open'; definition: IssuableDefinition } | Refused> {
  const { memberId, couponId } = order
  // Sent together and run in this order, so the counts are made while the lock is held.
  const [definition, { own }] = await Promise.all([
    tx.maybe(hold === 'lock' ? lockDefinition : readDefinition, [company.id, couponId]),
    tx.one(countOwn, [company.id, memberId, couponId]),
  ])
  if (definition === null) return { outcome: 'refused', reason: 'couponUnknown' }
  const reason = refusalOf(definition, own, order)
  return reason === null ? { outcome: 'open', definition } : { outcome: 'refused', reason }
}

/**
 * Makes the coupons of an order that was found open under the definition's lock.
 * @param entryId the debit that pays for them; null for free ones
 * @returns their codes
 */
export async function fillOrder(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
  definition: IssuableDefinition,
  entryId: string | null,
): Promise<string[]> {
  const codes = Array.from({ length: order.quantity }, makeCouponCode)
  const { start, end } = validityFrom(definition, order.today)
  const [counted] = await Promise.all([
    tx.one(countIssued, [company.id, order.couponId, order.quantity]),
    tx.run(insertCoupons, [
      company.id,
      codes,
      order.memberId,
      order.couponId,
      order.at,
      order.today,
      start,
      end,
      order.staffId,
      order.storeCode,
      entryId,
      entryId === null ? null : definition.points_cost,
    ]),
  ])
  if (!counted.has_subscriber) return codes
  const { memberId } = order
  const events = codes.map((couponCode) => {
    return { memberId, data: { couponCode, startDate: start, expiryDate: end } }
  })
  enqueueCouponEvents(tx, company.id, 'coupon.issued', events)
  return codes
}

function refusalOf(
  definition: IssuableDefinition,
  own: number,
  order: CouponOrder,
): IssueRefusal | null {
  const { issue_stores: stores, remaining, per_member_limit: perMemberLimit } = definition
  if (stores !== null && !stores.includes(order.storeCode)) return 'couponOtherStore'
  if ((definition.points_cost !== null) !== order.paidWithPoints) return 'couponCost'
  if (definition.end_date !== null && definition.end_date < order.today) return 'couponExpired'
  const problem = supplyProblem({ remaining, perMemberLimit, memberHas: own }, order.quantity)
  if (problem === null) return null
  return problem === 'limit' ? 'couponLimit' : 'couponOutOfStock'
}

/** The first and the last day of a coupon that is issued today. */
export function validityFrom(
  definition: Pick<IssuableDefinition, 'start_date' | 'end_date' | 'valid_days' | 'starts_after'>,
  today: string,
): { start: string; end: string } {
  const { start_date: from, end_date: to, valid_days: days } = definition
  if (from !== null && to !== null) return { start: from, end: to }
  if (days === null) throw new Error('a coupon definition has neither dates nor days')
  const start = addDays(today, definition.starts_after)
  return { start, end: addDays(start, days - 1) }
}

const setWithdrawn = statement(
  `update coupon_definition
   set withdrawn_at = case when $3 then coalesce(withdrawn_at, now()) end
   where company_id = $1 and coupon_id = $2`,
  z.unknown(),
)

/**
 * Stops issuing a definition's coupons, or allows it again. Issued coupons stay valid.
 * @returns false when there is no such definition
 */
export async function stopIssuing(
  tx: Transaction,
  companyId: string,
  couponId: string,
  stopped: boolean,
): Promise<boolean> {
  return (await tx.run(setWithdrawn, [companyId, couponId, stopped])) > 0
}
