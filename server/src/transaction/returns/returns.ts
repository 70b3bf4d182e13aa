import { readCouponCode } from '@tillside/contract/rules/coupon-code'
import * as z from 'zod/mini'
import { addDays } from '@tillside/contract/rules/day'
import type { Settings } from '../../company/definition.ts'
import { refundPolicyOf } from '../../company/limits.ts'
import { giveBackCoupons } from '../../coupon/undo.ts'
import { writeAudit } from '../../database/audit.ts'
import { statement, type Transaction } from '../../database/database.ts'
import { decimal, larger, minus, plus, zero } from '@tillside/contract/rules/decimal'
import { moneyText } from '@tillside/contract/rules/money'
import { pointsFor, type Rate } from '../../points/earn.ts'
import type { EntryOrigin, LockedAccount } from '../../points/ledger.ts'
import type { ReturnAsk } from '../../points/replay/plan.ts'
import { type Settled, settleReturn } from '../../points/replay/settle.ts'
import { paidFor, returnedAwards } from './take-back.ts'
import type { TransactionInput } from '../input.ts'
import type { AssignedPart, Assignment } from './assign.ts'
import { boughtSql, returnedSql } from './originals.ts'
import { companyTodaySql } from '../../company/clock.ts'
import { Outdated } from '../../values/outdated.ts'

const insertParts = statement(
  'select add_return($1, $2, $3, $4, $5, $6, $7) as parts',
  z.object({ parts: z.int() }),
)
const setPoints = statement(
  `update transaction set points_earned = points_earned - $4
   where company_id = $1 and place = $2 and transaction_id = $3`,
  z.unknown(),
)
// The coupons of fully returned sales. A sale is fully returned when all its money was returned; a
// sale that cost nothing, when all its goods were. A coupon belongs to a sale if the till printed
// it on the receipt, or if a clerk entered the invoice number while redeeming it.
const readSpent = statement(
  `with whole as (
     select t.transaction_id, t.invoice_number, t.store_code from transaction t
     where t.company_id = $1 and t.place = $2 and t.member_id = $2
       and t.transaction_id = any ($3::uuid[]) and ${returnedSql} >= ${boughtSql}
       and (${boughtSql} > 0 or coalesce((
         select sum(r.quantity) from transaction_return r
         where r.company_id = $1 and r.place = $2 and r.original_id = t.transaction_id
         ), 0) >= coalesce((
         select sum(i.quantity) from transaction_item i
         where i.company_id = $1 and i.place = $2 and i.transaction_id = t.transaction_id
           and i.quantity > 0), 0))
   )
   select tc.coupon_code as code, ${companyTodaySql} as today
   from whole w join transaction_coupon tc
     on tc.company_id = $1 and tc.place = $2 and tc.transaction_id = w.transaction_id
   union
   select r.coupon_code, ${companyTodaySql}
   from whole w join coupon_redemption r
     on r.company_id = $1 and r.member_id = $2 and r.invoice_number = w.invoice_number
       and r.store_code = coalesce(w.store_code, r.store_code) and r.cancelled_at is null`,
  z.object({ code: z.string(), today: z.string() }),
)

// The coupons of a cancelled receipt, found in the same two ways. A coupon that another receipt has
// used since then is left out.
const readCancelled = statement(
  `select named.code, ${companyTodaySql} as today
   from (
     select coupon_code as code from transaction_coupon
     where company_id = $1 and place = $2 and transaction_id = $3
     union
     select coupon_code from coupon_redemption
     where company_id = $1 and member_id = $2 and invoice_number = $4
       and store_code = coalesce($5, store_code) and cancelled_at is null
   ) named
   where not exists (
     select from transaction_coupon tc join transaction t on t.company_id = $1
       and t.place = $2 and t.transaction_id = tc.transaction_id
     where tc.company_id = $1 and tc.place = $2 and tc.coupon_code = named.code
       and t.member_id = $2 and t.status <> 'cancelled' and t.transaction_id <> $3
   ) and not exists (
     select from coupon_redemption r
     where r.company_id = $1 and r.member_id = $2 and r.coupon_code = named.code
       and r.cancelled_at is null and r.invoice_number <> $4
   )`,
  z.object({ code: z.string(), today: z.string() }),
)

/** Stores the sales that a return was assigned to. */
export async function writeParts(
  tx: Transaction,
  companyId: string,
  transactionId: string,
  { place, parts }: Assignment,
): Promise<void> {
  if (parts.length === 0) return
  const stored = await tx.one(insertParts, [
    companyId,
    place,
    transactionId,
    parts.map((part) => part.lineNo),
    parts.map((part) => part.originalId),
    parts.map((part) => part.quantity),
    parts.map((part) => part.amount),
  ])
  if (stored.parts !== parts.length) throw new Outdated('a returned sale is at another place')
}

/** The rules of a return, and its day in the company's calendar. */
export type ReturnTerms = { day: string; rate: Rate; rules: Settings['points'] }

/**
 * Reverses the points of returned goods: for each known sale the share of its awards, for the other
 * money the points that it would earn today, rounded down, and the points that paid.
 * @param returned all money of the return, a decimal string not below zero
 */
export async function reverseSales(
  account: LockedAccount,
  returned: string,
  assignment: Assignment,
  { day, rate, rules }: ReturnTerms,
  origin: EntryOrigin,
): Promise<Settled> {
  const { tx, companyId, memberId } = account
  const { scale: places } = decimal(returned)
  const sales = [...new Set(assignment.parts.map((part) => part.originalId))]
  const of = { returnId: origin.transactionId, places }
  const [awards, paid] =
    sales.length === 0
      ? [[], []]
      : await Promise.all([
          returnedAwards(tx, companyId, memberId, sales, of),
          rules.returnGivesBackPoints ? paidFor(tx, companyId, memberId, sales) : [],
        ])
  const known = assignment.parts.reduce((sum, part) => plus(sum, decimal(part.amount)), zero)
  const rest = moneyText(larger(minus(decimal(returned), known), zero), places)
  const loose = pointsFor(rest, rate)
  const { returnGraceDays: grace } = rules
  const graceUntil = grace === 0 ? null : addDays(day, grace)
  const ask: ReturnAsk = {
    day,
    awards,
    loose: loose === 0 ? null : { points: loose, amount: rest },
    paid: paid.map((one) => Object.assign(one, { graceUntil })),
  }
  const settled = await settleReturn(account, ask, refundPolicyOf(rules), origin)
  if (settled.taken > 0 && origin.transactionId !== null) {
    await tx.run(setPoints, [companyId, memberId, origin.transactionId, settled.taken])
  }
  return settled
}

/** The parts of a recorded receipt that decide about its coupons. */
type Recorded = { transactionId: string; parts: readonly AssignedPart[]; input: TransactionInput }

/**
 * Makes coupons usable again: those of each sale that this return completes, or those of a
 * cancelled sale.
 * @param transactionId the receipt, already inserted; the reason of each change names its invoice
 */
export async function giveBackCouponsOf(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  { transactionId, parts, input }: Recorded,
): Promise<void> {
  const { invoiceNumber, invoiceType, status, storeCode } = input
  const cancelled = status === 'cancelled' && invoiceType !== 'return'
  if (!cancelled && parts.length === 0) return
  const sales = [...new Set(parts.map((share) => share.originalId))]
  const of = [company.id, memberId]
  const spent = cancelled
    ? await tx.all(readCancelled, [...of, transactionId, invoiceNumber, storeCode])
    : await tx.all(readSpent, [...of, sales])
  const [first] = spent
  if (first === undefined) return
  const codes = spent.map(({ code }) => readCouponCode(code))
  const reason = `${cancelled ? 'cancelled' : 'returned'} with ${invoiceNumber}`
  const given = await giveBackCoupons(tx, company.id, memberId, codes, first.today, reason)
  for (const couponCode of given) {
    const change = { action: 'coupon.giveBack', memberId, details: { couponCode, invoiceNumber } }
    writeAudit(tx, { company, staff: null, store: null }, 'return', change)
  }
}
