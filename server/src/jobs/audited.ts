import { comparison } from '../database/invariant.ts'

const noId = '00000000-0000-0000-0000-000000000000'

// SQL: how far two times of one transaction are from each other. Some are in milliseconds. On a
// cluster each node that a transaction asks has a `now()` of its own.
const clocks = `case when to_regclass('pg_dist_node') is null then interval '1 millisecond'
  else interval '1 second' end`

/** How a table notes its changes. The key, with its type and a start, is unique within a member. */
type Change = {
  table: string
  staff: string
  at: string
  key: [column: string, type: string, start: string]
}

/**
 * I10: every change by a clerk has an audit row, which has the real time. Where the clock of a
 * practice company is ahead, the times cannot be compared. The past data of a demo has one audit
 * row for all. A merge moves the changes to another member, and leaves the audit rows.
 * @param what SQL that describes a row `t`
 */
function audited(what: string, { table, staff, at, key: [key, type, start] }: Change) {
  return comparison({
    rule: 'I10',
    start: [noId, start],
    pageSize: 10_000,
    page: `select array[t.member_id::text, t.${key}::text] as place, t.member_id,
       array[concat(t.${staff}, ' ', to_jsonb(t.${at}) #>> '{}')] as names,
       format('%s at %s', ${what}, t.${at}) as what
     from ${table} t join company c on c.company_id = $1 and c.clock_ahead = '0'
     where t.company_id = $1 and t.${staff} is not null
       and (t.member_id, t.${key}) > (($2::text[])[1]::uuid, ($2::text[])[2]::${type})
       and t.${at} > coalesce((
         select max(at) + interval '1 day' from audit where company_id = $1 and action = 'demo.seed'
       ), '-infinity')
     order by t.member_id, t.${key} limit $3`,
    find: [
      // A change has the time of its transaction, and so has its audit row. PostgreSQL answers the
      // row comparisons by the index. With `a.staff_id = n.staff_id` it may compare each name with
      // all rows of the clerk.
      `with n as materialized (
         select name, split_part(name, ' ', 1)::uuid as staff_id,
           split_part(name, ' ', 2)::timestamptz - ${clocks} as after,
           split_part(name, ' ', 2)::timestamptz + ${clocks} as before
         from unnest($2::text[]) name
       )
       select distinct n.name from n join audit a on a.company_id = $1
         and (a.staff_id, a.at) > (n.staff_id, n.after)
         and (a.staff_id, a.at) < (n.staff_id, n.before)`,
    ],
    must: 'exist',
    describe: (of) => `${of} without an audit row`,
  })
}

/** The rules about the audit rows of clerks' changes. */
export const auditComparisons = {
  auditedEntries: audited(`concat('entry ', t.seq)`, {
    table: 'point_entry',
    staff: 'staff_id',
    at: 'created_at',
    key: ['seq', 'int', '0'],
  }),
  auditedCoupons: audited(`format('coupon %s, issued', t.coupon_code)`, {
    table: 'coupon',
    staff: 'issued_by',
    at: 'issued_at',
    key: ['coupon_code', 'text', ''],
  }),
  auditedRedemptions: audited(`format('coupon %s, redeemed', t.coupon_code)`, {
    table: 'coupon_redemption',
    staff: 'staff_id',
    at: 'redeemed_at',
    key: ['redemption_id', 'uuid', noId],
  }),
}
