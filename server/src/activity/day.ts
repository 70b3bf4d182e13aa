import {
  ActivityKind,
  activityKinds,
  type ActivityTotal,
  type StoreActivity,
} from '@tillside/contract/activity'
import { maskedName } from '@tillside/contract/rules/person'
import * as z from 'zod/mini'
import { counted } from '@tillside/contract/rules/counted'
import { type Settings, textIn, Texts } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { toInstant } from '../member/member.ts'
import { cancellableSql, permissionToCancel } from '../points/cancel.ts'
import { typeIn } from '../points/ledger.ts'

/** The maximum for one day; for a day with more, the earliest are left out. */
const maxItems = 500

/** Whose actions: of one account at every store, or of every account at one store. */
export type Whose = 'staff_id' | 'store_code'

// The audit rows of one day about a member, less those that are no act of a clerk. The list is
// written out, because the index of the store's acts (0058) has the same condition.
const ofDay = (whose: Whose) => `a.company_id = $1 and a.${whose} = $2
  and a.action not in ('member.lookUp', 'member.lookUpRefused', 'staff.alert')
  and a.staff_id is not null
  and a.at >= ($3::date)::timestamp at time zone $4
  and a.at < ($3::date + 1)::timestamp at time zone $4`

const kindSql = `case
  when a.action in ('coupon.redeem', 'coupon.cancelRedeem') then 'couponRedeemed'
  when a.action = 'coupon.issue' then 'couponIssued'
  when ${typeIn('e.type', 'redeemCoupon', 'cancelCoupon')} then 'couponBought'
  when ${typeIn('e.type', 'redeemGift', 'cancelGift')} then 'gift'
  when ${typeIn('e.type', 'redeemTransaction', 'refund')} then 'sale'
  when a.action = 'member.create' then 'registered'
  when a.action in ('member.update', 'member.resign') then 'profile'
  else 'other' end`
const undoSql = `a.action in ('points.cancel', 'coupon.cancelRedeem')`

const joins = `join member m on m.company_id = $1 and m.member_id = a.member_id
   left join point_entry e on e.company_id = $1 and e.member_id = a.member_id
     and e.entry_id = (a.details ->> 'entryId')::uuid
   left join gift_redemption g on g.company_id = $1 and g.member_id = e.member_id
     and g.entry_id = coalesce(e.reverses, e.entry_id)`

// Whether an action can still be undone is decided by the same conditions as in the calls that undo
// it.
const readDay = (whose: Whose) =>
  statement(
    `select a.at, a.action, a.details ->> 'entryId' as entry_id,
       a.details ->> 'couponCode' as coupon, ${kindSql} as kind,
       m.first_name, m.last_name, m.member_code, e.points, e.type as entry_type, e.amount,
       s.account, op.key as operation, d.names as coupon_names, i.names as gift_names, g.quantity,
       coalesce(nullif(b.quantity, 0), (a.details ->> 'quantity')::int, 1) as coupons,
       coalesce(${cancellableSql('$5', '$6')} and not exists (
         select from coupon v where v.company_id = $1 and v.member_id = e.member_id
           and v.entry_id = e.entry_id and (v.used or v.voided_reason is not null)
       ), false) as entry_cancellable,
       coalesce(r.store_code = $5 and r.redeemed_at > now() - make_interval(mins => $6)
         and c.expiry_date >= $7, false) as coupon_cancellable
     from audit a
     join staff s on s.company_id = $1 and s.staff_id = a.staff_id
     ${joins}
     left join operation op on op.company_id = $1 and op.staff_id = a.staff_id
       and op.created_at = a.at
     left join gift i on i.company_id = $1 and i.gift_id = g.gift_id
     left join coupon c
       on c.company_id = $1 and c.coupon_code = a.details ->> 'couponCode'
     left join coupon_redemption r on a.action = 'coupon.redeem' and r.company_id = $1
       and r.coupon_code = c.coupon_code and r.cancelled_at is null and r.redeemed_at = a.at
     left join lateral (
       select min(coupon_id) as coupon_id, count(*)::int as quantity from coupon
       where ${typeIn('e.type', 'cancelCoupon')} and company_id = $1
         and member_id = e.member_id and entry_id = e.reverses
     ) b on true
     left join coupon_definition d on d.company_id = $1
       and d.coupon_id = coalesce(c.coupon_id, a.details ->> 'couponId', b.coupon_id)
     where ${ofDay(whose)}
     order by a.at desc, a.audit_id desc limit ${maxItems}`,
    z.object({
      at: z.string(),
      action: z.string(),
      entry_id: z.nullable(z.string()),
      coupon: z.nullable(z.string()),
      kind: ActivityKind,
      first_name: z.string(),
      last_name: z.string(),
      member_code: z.string(),
      points: z.nullable(z.int()),
      entry_type: z.nullable(z.int()),
      amount: z.nullable(z.string()),
      account: z.string(),
      operation: z.nullable(z.string()),
      coupon_names: z.nullable(Texts),
      gift_names: z.nullable(Texts),
      quantity: z.nullable(z.int()),
      coupons: z.int(),
      entry_cancellable: z.boolean(),
      coupon_cancellable: z.boolean(),
    }),
  )

// `staff_id` is null in the rows about all clerks together.
const readTotals = (whose: Whose) =>
  statement(
    `select kind, staff_id, coalesce(sum(pieces) filter (where not undo), 0)::int as count,
       coalesce(sum(pieces) filter (where undo), 0)::int as undone, sum(points)::int as points,
       sum(case when undo then -amount else amount end)::text as amount
     from (
       select a.staff_id, ${kindSql} as kind, ${undoSql} as undo, e.points, e.amount,
         case when ${typeIn('e.type', 'cancelCoupon')} then (
             select count(*)::int from coupon b where b.company_id = $1
               and b.member_id = e.member_id and b.entry_id = e.reverses)
           else coalesce(g.quantity, (a.details ->> 'quantity')::int, 1) end as pieces
       from audit a ${joins}
       where ${ofDay(whose)}
     ) act group by grouping sets ((kind), (kind, staff_id))`,
    z.object({
      kind: ActivityKind,
      staff_id: z.nullable(z.string()),
      count: z.int(),
      undone: z.int(),
      points: z.nullable(z.int()),
      amount: z.nullable(z.string()),
    }),
  )

const days = { staff_id: readDay('staff_id'), store_code: readDay('store_code') }
const sums = { staff_id: readTotals('staff_id'), store_code: readTotals('store_code') }

type DayRow = z.infer<(typeof days)['staff_id']['row']>
/** `staff_id`: null in the totals of all clerks together. */
type Totals = ActivityTotal & { staff_id: string | null }
type Day = { items: StoreActivity[]; totals: Totals[] }

/**
 * Reads the actions of a day, newest first, and their totals in the order of the kinds.
 * @param id the account's id or the store's code
 * @param date a day of the company; undefined: today
 */
export async function readActivityOf(
  context: Pick<Context, 'tx' | 'company' | 'store' | 'today' | 'language' | 'permissions'>,
  whose: Whose,
  id: string,
  date: string | undefined,
): Promise<Day> {
  const { tx, company, store, today } = context
  const settings = await settingsOf(tx, company)
  const day = [company.id, id, date ?? today, company.timeZone]
  const [rows, totals] = await Promise.all([
    tx.all(days[whose], [...day, store.code, settings.undoMinutes, today]),
    tx.all(sums[whose], day),
  ])
  return {
    items: rows.map((row) => itemOf(row, context, settings)),
    totals: totals.toSorted((a, b) => rank(a) - rank(b)),
  }
}

function rank({ kind }: ActivityTotal): number {
  return activityKinds.indexOf(kind)
}

function itemOf(
  row: DayRow,
  { permissions, language }: Pick<Context, 'permissions' | 'language'>,
  settings: Settings,
): StoreActivity {
  const needed = permissionToCancel(row.entry_type)
  const undoesEntry = row.entry_cancellable && needed !== null && permissions.has(needed)
  const undoesCoupon = row.coupon_cancellable && permissions.has('couponRedeem')
  const { coupon_names: coupon, gift_names: gift } = row
  return {
    account: row.account,
    time: toInstant(row.at),
    action: row.action,
    kind: row.kind,
    memberName: maskedName({ firstName: row.first_name, lastName: row.last_name }),
    memberCode: row.member_code,
    points: row.points,
    amount: row.amount,
    couponName: coupon && counted(textIn(coupon, language, settings), row.coupons),
    giftName: gift && counted(textIn(gift, language, settings), row.quantity ?? 1),
    cancellable: undoesEntry || undoesCoupon,
    operation: row.operation,
    entryId: row.entry_id,
    couponCode: row.coupon,
  }
}
