import { issueCoupon } from '@tillside/contract/coupon'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { checkAllowance, limitOf, takeAllowance } from '../allowance/given.ts'
import { settingsAt } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import {
  type Asked,
  AtOnceRow,
  enqueueIfClaimed,
  type MemberQuestion,
  places,
} from '../http/at-once/at-once.ts'
import { findMemberId } from '../member/look-up.ts'
import { lockStock } from '../points/gift/stock.ts'
import { heldSql } from '../staff/held.ts'
import { succeeded } from '../text/envelope.ts'
import {
  definitionColumns,
  DefinitionRow,
  type IssuableDefinition,
  rememberDefinition,
  rememberedDefinition,
  validityFrom,
} from './at-once/definitions.ts'
import { preparedCoupons } from './at-once/prepared.ts'
import { makeCouponCode } from './code.ts'
import { couponOf, couponTermsOf, readCoupons } from './coupon.ts'
import { enqueueCouponEvents } from './events/enqueue.ts'

/** In the order in which they are looked for. */
const IssueRefusal = z.enum([
  'couponUnknown',
  'couponOtherStore',
  /** It costs points and none are paid, or the other way round. */
  'couponCost',
  'couponExpired',
  'couponOutOfStock',
  'couponLimit',
])
export type IssueRefusal = z.infer<typeof IssueRefusal>

const readDefinition = statement(
  `select ${definitionColumns} from coupon_definition where company_id = $1 and coupon_id = $2`,
  DefinitionRow,
)
// The function has the rule, and locks the stock before it reads the definition.
const readRefusal = statement(
  'select issue_refusal($1, $2, $3, $4, $5, $6, $7) as reason',
  z.object({ reason: z.nullable(IssueRefusal) }),
)
const makeCoupons = statement(
  'select make_coupons($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
  z.unknown(),
)

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
  const terms = await couponTermsOf(tx, company)
  const [coupons, taken] = await Promise.all([
    readCoupons(tx, company.id, memberId, issued.codes, today),
    takeAllowance(context, terms.settings, { couponsIssued: quantity }),
  ])
  const allowance = checkAllowance(context, memberId, taken)
  context.changed({ action: 'coupon.issue', memberId, details: { couponId, quantity } })
  return { coupons: coupons.map((row) => couponOf(row, context, terms, language)), allowance }
}

const { sql: holder, next } = heldSql(2)
const [memberPlace, dayPlace, ...orderPlaces] = places(next, 16)
const issueAtOnce = statement(
  `with h as materialized (${holder})
   select issue_answered($1, ${memberPlace}, h.now, h.today, ${orderPlaces.join(', ')}) as answer
   from h where h.today = ${dayPlace}`,
  AtOnceRow,
)

/** The statement that issues the coupons of a call in one round trip, with the whole answer. */
export function askToIssue(asked: Asked<typeof issueCoupon>): MemberQuestion {
  const { caller, values, token, operation, input, language, requestId } = asked
  const settings = settingsAt(caller.company)
  const definition = rememberedDefinition(token.companyId, input.couponId)
  if (settings === null || definition === null) return null
  const { coupons, codes, start, end } = preparedCoupons(asked, definition, settings)
  const { companyId } = token
  return (memberId) => ({
    enqueue: (tx) =>
      enqueueIfClaimed(tx, operation, () =>
        enqueueIssued(tx, companyId, memberId, { codes, start, end }),
      ),
    s: issueAtOnce,
    values: [
      companyId,
      ...values,
      memberId,
      caller.today,
      input.couponId,
      definition.version,
      codes,
      start,
      end,
      caller.staff.id,
      caller.store.code,
      operation.key,
      operation.endpoint,
      operation.bodyHash,
      requestId,
      succeeded(issueCoupon, { coupons }, language, caller.permissions),
      ...limitOf(caller.isSystem, settings.allowances, 'couponsIssued'),
    ],
  })
}

/** Issues free coupons of one definition to a member. A refusal writes nothing. */
export async function issueCoupons(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
): Promise<Issued> {
  const checked = await checkOrder(tx, company, order)
  if (checked.outcome === 'refused') return checked
  const codes = await fillOrder(tx, company, order, checked.definition, null)
  return { outcome: 'issued', codes }
}

/**
 * Whether an order can be filled now.
 * @returns in a transaction that writes an answer that stays true until the transaction ends, as
 *   the stock is locked; a read-only one locks nothing, and promises nothing
 */
export async function checkOrder(
  tx: Transaction,
  company: { id: string },
  order: CouponOrder,
): Promise<{ outcome: 'open'; definition: IssuableDefinition } | Refused> {
  const { memberId, couponId, quantity, today, storeCode, paidWithPoints } = order
  const values = [company.id, memberId, couponId, quantity, today, storeCode, paidWithPoints]
  // Sent together and run in this order, so the definition is read while the lock is held.
  const [{ reason }, definition] = await Promise.all([
    tx.one(readRefusal, values),
    tx.maybe(readDefinition, [company.id, couponId]),
  ])
  if (definition === null) return { outcome: 'refused', reason: 'couponUnknown' }
  rememberDefinition(company.id, couponId, definition)
  return reason === null ? { outcome: 'open', definition } : { outcome: 'refused', reason }
}

/**
 * Makes the coupons of an order that was found open under the lock of the stock.
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
  const { memberId } = order
  await tx.run(makeCoupons, [
    company.id,
    memberId,
    order.couponId,
    codes,
    order.at,
    order.today,
    start,
    end,
    order.staffId,
    order.storeCode,
    entryId,
    entryId === null ? null : definition.points_cost,
  ])
  enqueueIssued(tx, company.id, memberId, { codes, start, end })
  return codes
}

/** Writes the events of new coupons. */
export function enqueueIssued(
  tx: Transaction,
  companyId: string,
  memberId: string,
  { codes, start, end }: { codes: readonly string[]; start: string; end: string },
): void {
  const events = codes.map((couponCode) => {
    return { memberId, data: { couponCode, startDate: start, expiryDate: end } }
  })
  enqueueCouponEvents(tx, companyId, 'coupon.issued', events)
}

const withdraw = statement(
  `update coupon_definition set withdrawn_at = least(withdrawn_at, now())
   where company_id = $1 and coupon_id = $2`,
  z.unknown(),
)
const offerAgain = statement(
  'update coupon_definition set withdrawn_at = null where company_id = $1 and coupon_id = $2',
  z.unknown(),
)

/**
 * Stops issuing a definition's coupons, or allows it again. Issued coupons stay valid. Waits for
 * orders that have begun.
 * @returns false when there is no such definition
 */
export async function stopIssuing(
  tx: Transaction,
  companyId: string,
  couponId: string,
  stopped: boolean,
): Promise<boolean> {
  // The stock first, as `company apply` locks it, so that they do not deadlock.
  const [, changed] = await Promise.all([
    lockStock(tx, companyId, [['coupon', couponId]]),
    tx.run(stopped ? withdraw : offerAgain, [companyId, couponId]),
  ])
  return changed > 0
}
