import type { MembershipInfo } from '@tillside/contract/member'
import type { explainPoints } from '@tillside/contract/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { currentMultiplier } from '../tier/review.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { readIfKnown } from '../member/look-up.ts'
import { plainText } from '@tillside/contract/rules/decimal'
import { promotionName } from './earn.ts'
import { typeIn } from './ledger.ts'
import { burnOrder, endsLater, hasExpired } from './lots.ts'
import { readReturnEffects } from './replay/explain.ts'

// All lots together hold exactly the balance (invariant I9). So only the pending and the expired
// lots are read: a few at the two ends of an index, even if there are many others.
// Undone redemptions, points that came back with goods, and points that returned goods took back
// count as neither earned nor used (index of migration 56). A return without a known sale can take
// more than was ever earned.
/** SQL of the sums of a member's account; `$3` is the company's day. */
export function accountSql(member: string): string {
  return `select balance, greatest(earned - reversed, 0) as earned, (
     select coalesce(sum(remaining), 0) from point_lot
     where company_id = $1 and member_id = ${member} and remaining > 0 and active_from > $3
   )::bigint as pending, (
     select coalesce(sum(remaining), 0) from point_lot
     where company_id = $1 and member_id = ${member} and remaining > 0 and ${hasExpired('$3')}
       and active_from <= $3
   )::bigint as overdue
   from point_account, lateral (
     select coalesce(sum(abs(points)), 0)::bigint as reversed from point_entry
     where company_id = $1 and member_id = ${member}
       and ${typeIn('type', 'returned', 'refund', 'cancelGift', 'cancelCoupon')}
   ) r where company_id = $1 and member_id = ${member}`
}
export const AccountRow = z.object({
  balance: z.int(),
  earned: z.int(),
  pending: z.int(),
  overdue: z.int(),
})
const readAccount = statement(accountSql('$2'), AccountRow)

/** SQL of the next three dates on which points expire, as one JSON array; null without any. */
export function expiringSql(member: string): string {
  return `select jsonb_agg(jsonb_build_object('points', points, 'expiryDate', expires_on)
     order by expires_on) as expiring from (
     select sum(remaining)::bigint as points, expires_on from point_lot
     where company_id = $1 and member_id = ${member} and remaining > 0 and ${endsLater('$3')}
     group by expires_on order by expires_on limit 3
   ) l`
}
export const ExpiringRow = z.object({
  expiring: z.nullable(z.array(z.object({ points: z.int(), expiryDate: z.string() }))),
})
const readExpiring = statement(expiringSql('$2'), ExpiringRow)

// In burn order, as in lots.ts. The limit bounds the response; more lots are too many to read.
const readLots = statement(
  `select l.points, l.remaining, l.active_from, l.expires_on, e.earn_date, e.invoice_number,
     e.type, e.description, p.promotion_id
   from point_lot l
   join point_entry e on e.company_id = $1 and e.member_id = $2 and e.entry_id = l.lot_id
   left join point_promotion p on p.company_id = $1 and p.member_id = $2
     and p.entry_id = l.lot_id
   where l.company_id = $1 and l.member_id = $2 and l.remaining > 0
   order by ${burnOrder('l.')} limit 500`,
  z.object({
    points: z.int(),
    remaining: z.int(),
    active_from: z.string(),
    expires_on: z.nullable(z.string()),
    earn_date: z.nullable(z.string()),
    invoice_number: z.nullable(z.string()),
    type: z.int(),
    description: z.nullable(z.string()),
    promotion_id: z.nullable(z.string()),
  }),
)
type Points = NonNullable<MembershipInfo['points']>
/** `pending`: the part of the balance that can be spent only from a later day. */
export type Totals = Omit<Points, 'expiringSoon'> & { pending: number }

/**
 * Reads a member's points as of today. `valid` leaves out pending and expired lots, so it is
 * correct even if the expiry job is late. It is 0 if the balance is below zero.
 */
export async function readTotals(
  tx: Transaction,
  companyId: string,
  member: string,
  today: string,
): Promise<Totals> {
  return totalsOf(await tx.one(readAccount, [companyId, member, today]))
}

/** Like `readTotals`; null for an unknown member. */
export async function findTotals(
  tx: Transaction,
  companyId: string,
  member: string,
  today: string,
): Promise<Totals | null> {
  const account = await tx.maybe(readAccount, [companyId, member, today])
  return account && totalsOf(account)
}

/** The totals of the sums that `accountSql` has read. */
function totalsOf(account: z.infer<typeof AccountRow>): Totals {
  const { balance, earned, pending, overdue } = account
  const valid = Math.max(0, balance - pending - overdue)
  return { balance, valid, redeemedOrExpired: earned - balance, earned, pending }
}

/** Reads the totals, and the next three dates on which points expire. */
export async function readPointTotals(
  tx: Transaction,
  companyId: string,
  member: string,
  today: string,
): Promise<Points> {
  const [account, { expiring }] = await Promise.all([
    tx.one(readAccount, [companyId, member, today]),
    tx.one(readExpiring, [companyId, member, today]),
  ])
  return pointTotalsOf({ ...account, expiring })
}

/** The totals of the columns of `accountSql` and `expiringSql`. */
export function pointTotalsOf(
  row: z.infer<typeof AccountRow> & z.infer<typeof ExpiringRow>,
): Points {
  const { pending: _, ...totals } = totalsOf(row)
  return { ...totals, expiringSoon: row.expiring ?? [] }
}

/**
 * Explains a balance: lists the first 500 lots that hold points, in burn order, the returns
 * behind a debt and points that came back, and the rule by which this member earns new points.
 */
export async function explain(
  context: Context<typeof explainPoints>,
  _query: Input<typeof explainPoints>,
  memberId: string | null,
): Promise<Data<typeof explainPoints>> {
  const { tx, company, today, language } = context
  const asked = settingsOf(tx, company)
  // Nobody awaits it for an unknown member.
  asked.catch(() => {})
  const tierRules = async () => (await asked).tierRules
  const [totals, lots, multiplier, settings, returns] = await readIfKnown(
    context,
    memberId,
    (member) =>
      Promise.all([
        readTotals(tx, company.id, member, today),
        tx.all(readLots, [company.id, member]),
        currentMultiplier(tx, company, member, today, tierRules),
        asked,
        readReturnEffects(tx, company.id, member),
      ]),
  )
  const { perUnit, pendingDays, expiry } = settings.points
  return {
    balance: totals.balance,
    valid: totals.valid,
    pending: totals.pending,
    lots: lots.map((lot) => ({
      points: lot.points,
      remaining: lot.remaining,
      earnDate: lot.earn_date,
      activeFrom: lot.active_from,
      expiryDate: lot.expires_on,
      invoiceNumber: lot.invoice_number,
      type: lot.type,
      // A removed promotion keeps the name that it had when it gave the points.
      promotion:
        lot.promotion_id === null
          ? null
          : (promotionName(lot.promotion_id, settings, language) ?? lot.description),
    })),
    debt: Math.max(0, -totals.balance),
    returns,
    rule: {
      perUnit: plainText(perUnit),
      multiplier: plainText(multiplier),
      pendingDays,
      expiry: expiry.kind,
      months: expiry.kind === 'months' ? expiry.months : null,
    },
  }
}
