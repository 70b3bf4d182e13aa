import { maskedName } from '@tillside/contract/rules/person'
import type { staffActivity } from '@tillside/contract/activity'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { Texts, textIn } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { toInstant } from '../member/member.ts'
import { cancellableSql, permissionToCancel } from '../points/cancel.ts'

/** The maximum for one day; for a day with more, the earliest are left out. */
const maxItems = 500

/** Audit rows about a member that are not a clerk's act. */
const notActs = ['member.lookUp', 'member.lookUpRefused', 'staff.alert']

// Lists actions for a member; logins and look-ups are not shown. Whether an action can still be
// undone is decided by the same conditions as in the calls that undo it.
const readDay = statement(
  `select a.at, a.action, a.details ->> 'entryId' as entry_id, a.details ->> 'couponCode' as coupon,
     m.first_name, m.last_name, m.member_code, e.points, e.type as entry_type,
     d.names as coupon_names,
     coalesce(${cancellableSql('$5', '$6')} and not exists (
       select from coupon b where b.company_id = e.company_id and b.member_id = e.member_id
         and b.entry_id = e.entry_id and (b.used or b.voided_reason is not null)
     ), false) as entry_cancellable,
     coalesce(r.store_code = $5 and r.redeemed_at > now() - make_interval(mins => $6)
       and c.expiry_date >= $7, false) as coupon_cancellable
   from audit a
   join member m using (company_id, member_id)
   left join point_entry e on e.company_id = a.company_id and e.member_id = a.member_id
     and e.entry_id = (a.details ->> 'entryId')::uuid
   left join coupon c on c.company_id = a.company_id and c.coupon_code = a.details ->> 'couponCode'
   left join coupon_redemption r on a.action = 'coupon.redeem' and r.company_id = a.company_id
     and r.coupon_code = c.coupon_code and r.cancelled_at is null and r.redeemed_at = a.at
   left join coupon_definition d on d.company_id = a.company_id
     and d.coupon_id = coalesce(c.coupon_id, a.details ->> 'couponId')
   where a.company_id = $1 and a.staff_id = $2 and a.action <> all ($8)
     and a.at >= ($3::date)::timestamp at time zone $4
     and a.at < ($3::date + 1)::timestamp at time zone $4
   order by a.at desc, a.audit_id desc limit ${maxItems}`,
  z.object({
    at: z.string(),
    action: z.string(),
    entry_id: z.nullable(z.string()),
    coupon: z.nullable(z.string()),
    first_name: z.string(),
    last_name: z.string(),
    member_code: z.string(),
    points: z.nullable(z.int()),
    entry_type: z.nullable(z.int()),
    coupon_names: z.nullable(Texts),
    entry_cancellable: z.boolean(),
    coupon_cancellable: z.boolean(),
  }),
)

/** The actions of this staff account on one day of the company, newest first. */
export async function readActivity(
  context: Context<typeof staffActivity>,
  input: Input<typeof staffActivity>,
): Promise<Data<typeof staffActivity>> {
  const { tx, company, staff, store, today, permissions, language } = context
  const settings = await settingsOf(tx, company)
  const rows = await tx.all(readDay, [
    company.id,
    staff.id,
    input.date ?? today,
    company.timeZone,
    store.code,
    settings.undoMinutes,
    today,
    notActs,
  ])
  return {
    items: rows.map((row) => {
      const needed = permissionToCancel(row.entry_type)
      const undoesEntry = row.entry_cancellable && needed !== null && permissions.has(needed)
      const undoesCoupon = row.coupon_cancellable && permissions.has('couponRedeem')
      return {
        time: toInstant(row.at),
        action: row.action,
        memberName: maskedName({ firstName: row.first_name, lastName: row.last_name }),
        memberCode: row.member_code,
        points: row.points,
        couponName: row.coupon_names && textIn(row.coupon_names, language, settings),
        cancellable: undoesEntry || undoesCoupon,
        entryId: row.entry_id,
        couponCode: row.coupon,
      }
    }),
    nextCursor: null,
  }
}
