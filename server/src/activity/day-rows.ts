import { ActivityKind } from '@tillside/contract/activity'
import * as z from 'zod/mini'
import { Texts } from '../company/definition.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { cancellableSql } from '../points/cancel.ts'
import { typeIn } from '../points/ledger.ts'

// The statements of a report about one day. Its rows are about many members, so every node answers
// from its own rows: all tables are joined by the member of the action.

/** The maximum for one day; for a day with more, the earliest are left out. */
const maxItems = 500

/** Whose actions: of one account at every store, or of every account at one store. */
export type Whose = 'staff_id' | 'store_code'

const isOfDay = (time: string) => `${time} >= ($3::date)::timestamp at time zone $4
  and ${time} < ($3::date + 1)::timestamp at time zone $4`
// The audit rows of one day about a member, less those that are no act of a clerk. The list is
// written out, because the index of the store's acts (0058) has the same condition.
const ofDay = (whose: Whose) => `a.company_id = $1 and a.${whose} = $2
  and a.action not in ('member.lookUp', 'member.lookUpRefused', 'staff.alert')
  and a.staff_id is not null
  and ${isOfDay('a.at')}`

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

// A row about a member has the member's id as its place.
const joins = `join member m on m.company_id = $1 and m.member_id = a.place
   left join point_entry e on e.company_id = $1 and e.member_id = a.place
     and e.entry_id = (a.details ->> 'entryId')::uuid
   left join gift_redemption g on g.company_id = $1 and g.member_id = a.place
     and g.entry_id = coalesce(e.reverses, e.entry_id)`
const joinBought = `join coupon b on ${typeIn('e.type', 'cancelCoupon')} and b.company_id = $1
     and b.member_id = a.place and b.entry_id = e.reverses`

// Whether an action can still be undone is decided by the same conditions as in the calls that undo
// it.
const couponCancellable = (store: string, minutes: string, today: string) =>
  `coalesce(r.store_code = ${store} and r.redeemed_at > now() - make_interval(mins => ${minutes})
     and c.expiry_date >= ${today}, false)`

const readDay = (whose: Whose) =>
  wholeCompany(
    `select a.at, a.at::text as moment, a.action, a.staff_id, a.details ->> 'entryId' as entry_id,
       a.details ->> 'couponCode' as coupon, ${kindSql} as kind,
       m.first_name, m.last_name, m.member_code, e.points, e.type as entry_type, e.amount,
       s.account, d.names as coupon_names, i.names as gift_names, g.quantity,
       coalesce((a.details ->> 'quantity')::int, 1) as coupons,
       coalesce(${cancellableSql('$5', '$6')} and not exists (
         select from coupon v where v.company_id = $1 and v.member_id = e.member_id
           and v.entry_id = e.entry_id and (v.used or v.voided_reason is not null)
       ), false) as entry_cancellable,
       a.details ? 'couponCode' and c.coupon_code is null as is_elsewhere,
       ${couponCancellable('$5', '$6', '$7')} as coupon_cancellable
     from audit a
     join staff s on s.company_id = $1 and s.staff_id = a.staff_id
     ${joins}
     left join gift i on i.company_id = $1 and i.gift_id = g.gift_id
     left join coupon c on c.company_id = $1 and c.member_id = a.place
       and c.coupon_code = a.details ->> 'couponCode'
     left join coupon_redemption r on a.action = 'coupon.redeem' and r.company_id = $1
       and r.member_id = a.place and r.coupon_code = c.coupon_code and r.cancelled_at is null
       and r.redeemed_at = a.at
     left join coupon_definition d on d.company_id = $1
       and d.coupon_id = coalesce(c.coupon_id, a.details ->> 'couponId')
     where ${ofDay(whose)}
     order by a.at desc, a.audit_id desc limit ${maxItems}`,
    z.object({
      at: z.string(),
      /** The same with microseconds. */
      moment: z.string(),
      action: z.string(),
      staff_id: z.string(),
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
      coupon_names: z.nullable(Texts),
      gift_names: z.nullable(Texts),
      quantity: z.nullable(z.int()),
      coupons: z.int(),
      entry_cancellable: z.boolean(),
      /** The coupon belongs to another member now: of a merge. */
      is_elsewhere: z.boolean(),
      coupon_cancellable: z.boolean(),
    }),
  )

/** The coupons of undone purchases. */
const readBought = (whose: Whose) =>
  wholeCompany(
    `select b.entry_id, d.names, b.quantity
     from (
       select a.place, e.entry_id, min(b.coupon_id) as coupon_id, count(*)::int as quantity
       from audit a ${joins} ${joinBought}
       where ${ofDay(whose)} group by a.place, e.entry_id
     ) b join coupon_definition d on d.company_id = $1 and d.coupon_id = b.coupon_id`,
    z.object({ entry_id: z.string(), names: Texts, quantity: z.int() }),
  )

const readTotals = (whose: Whose) =>
  wholeCompany(
    `select kind, staff_id, coalesce(sum(pieces) filter (where not undo), 0)::int as count,
       coalesce(sum(pieces) filter (where undo), 0)::int as undone, sum(points)::int as points,
       sum(case when undo then -amount else amount end)::text as amount
     from (
       select a.staff_id, ${kindSql} as kind, ${undoSql} as undo, e.points, e.amount,
         case when ${typeIn('e.type', 'cancelCoupon')} then 0
           else coalesce(g.quantity, (a.details ->> 'quantity')::int, 1) end as pieces
       from audit a ${joins}
       where ${ofDay(whose)}
       union all
       select a.staff_id, ${kindSql}, ${undoSql}, null, null, 1
       from audit a ${joins} ${joinBought}
       where ${ofDay(whose)}
     ) act group by kind, staff_id`,
    z.object({
      kind: ActivityKind,
      staff_id: z.string(),
      count: z.int(),
      undone: z.int(),
      points: z.nullable(z.int()),
      amount: z.nullable(z.string()),
    }),
  )

const statementsOf = (whose: Whose) => ({
  items: readDay(whose),
  bought: readBought(whose),
  totals: readTotals(whose),
})

/** The actions on the day `$3` in the time zone `$4`, of the account or the store `$2`. */
export const days = {
  staff_id: statementsOf('staff_id'),
  store_code: statementsOf('store_code'),
}
export type DayRow = z.infer<(typeof days)['staff_id']['items']['row']>
export type BoughtRow = z.infer<(typeof days)['staff_id']['bought']['row']>

/** The keys of requests of these accounts, on that day. */
export const readOperations = wholeCompany(
  `select staff_id, key, created_at::text as moment from operation o
   where o.company_id = $1 and o.staff_id = any ($2::uuid[]) and ${isOfDay('o.created_at')}`,
  z.object({ staff_id: z.string(), key: z.string(), moment: z.string() }),
)

/** Coupons by their codes; `moment` and `cancellable` are of the redemption. */
export const readCoupons = wholeCompany(
  `select c.coupon_code as code, d.names, r.redeemed_at::text as moment,
     ${couponCancellable('$3', '$4', '$5')} as cancellable
   from coupon c join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id
     left join coupon_redemption r on r.company_id = $1 and r.member_id = c.member_id
       and r.coupon_code = c.coupon_code and r.cancelled_at is null
   where c.company_id = $1 and c.coupon_code = any ($2::text[])`,
  z.object({
    code: z.string(),
    names: Texts,
    moment: z.nullable(z.string()),
    cancellable: z.boolean(),
  }),
)
export type CouponRow = z.infer<typeof readCoupons.row>
