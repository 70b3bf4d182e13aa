import { pointTypes } from '@tillside/contract/wire/codes'
import { invariant } from '../database/invariant.ts'
import { stockFaults } from '../points/gift/invariants.ts'

function sumsOf(table: 'coupon' | 'coupon_key'): string {
  return `select left(coupon_code, 4) as prefix, count(*) as coupons,
       sum(hashtextextended(coupon_code || member_id::text, 0)) as owners
     from ${table} where company_id = $1 group by 1`
}

const given = `select coupon_id as item_id, count(*) as given from coupon
  where company_id = $1 and voided_reason is null group by coupon_id`

/** The invariants of coupons. */
export const couponInvariants = {
  /** I3: a coupon is used exactly when it has one redemption that was not undone, by its owner. */
  usedOnce: invariant(
    'I3',
    `select member_id, format('coupon %s: used %s, %s standing redemptions of this member',
       coupon_code, coalesce(c.used, false), coalesce(r.live, 0)) as found
     from (
       select member_id, coupon_code, used from coupon where company_id = $1
     ) c full join (
       select member_id, coupon_code, count(*) as live from coupon_redemption
       where company_id = $1 and cancelled_at is null group by member_id, coupon_code
     ) r using (member_id, coupon_code)
     where coalesce(c.used, false)::int <> coalesce(r.live, 0)`,
  ),
  /** I4: coupons that points paid for ↔ one debit of exactly what they cost. */
  paidOnce: invariant(
    'I4',
    `select coalesce(e.member_id, c.member_id) as member_id,
       format('debit %s of %s, its coupons cost %s', coalesce(e.entry_id, c.entry_id),
         coalesce(-e.points, 0), coalesce(c.paid, 0)) as found
     from (
       select member_id, entry_id, points from point_entry
       where company_id = $1 and type = ${pointTypes.redeemCoupon.code}
     ) e full join (
       select member_id, entry_id, sum(points_paid) as paid from coupon
       where company_id = $1 and entry_id is not null group by member_id, entry_id
     ) c using (member_id, entry_id)
     where coalesce(-e.points, 0) <> coalesce(c.paid, 0)`,
  ),
  /** I4: when the debit was taken back, none of its coupons can be used. */
  cancelledVoid: invariant(
    'I4',
    `select c.member_id, format('coupon %s is not void, and its points were given back',
       c.coupon_code) as found
     from point_entry e join coupon c
       on c.company_id = $1 and c.member_id = e.member_id and c.entry_id = e.reverses
     where e.company_id = $1 and e.type = ${pointTypes.cancelCoupon.code}
       and c.voided_reason is null`,
  ),
  /** I7: the stock counts each coupon that can be used or was, and no more than there may be. */
  counted: invariant('I7', stockFaults('coupon', 'coupon_definition', 'coupon_id', given)),
  /**
   * I7: each coupon has a key with its member, and each key a coupon. The two are on different
   * nodes, so they are summed up by the first characters of the code.
   */
  keyed: invariant(
    'I7',
    `select null::uuid as member_id, format('codes %s…: %s coupons, %s keys%s', prefix,
       coalesce(c.coupons, 0), coalesce(k.coupons, 0),
       case when c.coupons = k.coupons then ' that name other members' end) as found
     from (${sumsOf('coupon')}) c full join (${sumsOf('coupon_key')}) k using (prefix)
     where (c.coupons, c.owners) is distinct from (k.coupons, k.owners)`,
  ),
}
