import type { ReportInput } from '@tillside/contract/report'
import * as z from 'zod/mini'
import type { Transaction } from '../../database/database.ts'
import { allowWholeCompany, atOneMoment, wholeCompany } from '../../database/reads/whole.ts'

/**
 * SQL: the day on which the books count an entry. An entry of a program before migration 47 has
 * none stored; it stays on its day in the time zone that the company had then.
 * @param company SQL expression for the company's id
 */
export function dayOf(company: string): string {
  return `coalesce(booked_on, (created_at at time zone (
    select coalesce(unbooked_time_zone, time_zone) from company where company_id = ${company}
  ))::date)`
}

// One statement, because each statement of a transaction sees what was committed before it: several
// could not agree while sales go on. The state at the end of a past day is today's state minus the
// effects of later entries (`held`). It is compared with the effects of all entries until then
// (`kept`), which use nothing that is stored as a state.
const readFigures = wholeCompany(
  `with entry as not materialized (
     select member_id, entry_id, type, points, store_code, ${dayOf('$1')} as day
     from point_entry where company_id = $1
   ), later as materialized (
     select member_id, entry_id, points from entry where day > $3
   ), held as (
     select expires_on, remaining as points from point_lot
     where company_id = $1 and remaining > 0
     union all
     select l.expires_on, -l.points from later e
     join point_lot l on l.company_id = $1 and l.member_id = e.member_id and l.lot_id = e.entry_id
     union all
     select l.expires_on, b.points from later e
     join point_burn b on b.company_id = $1 and b.member_id = e.member_id
       and b.entry_id = e.entry_id
     join point_lot l on l.company_id = $1 and l.member_id = b.member_id and l.lot_id = b.lot_id
   ), kept as (
     select l.expires_on, l.points from entry e
     join point_lot l on l.company_id = $1 and l.member_id = e.member_id and l.lot_id = e.entry_id
     where e.day <= $3
     union all
     select l.expires_on, -b.points from entry e
     join point_burn b on b.company_id = $1 and b.member_id = e.member_id
       and b.entry_id = e.entry_id
     join point_lot l on l.company_id = $1 and l.member_id = b.member_id and l.lot_id = b.lot_id
     where e.day <= $3
   )
   select part, key, type, points::bigint, entries from (
     select 'opening' as part, case $4 when 'store' then store_code end as key, null::int as type,
       sum(points) as points, count(*) as entries
     from entry where day < $2 group by 2
     union all
     select 'moved', case $4 when 'store' then store_code
       when 'month' then to_char(day, 'YYYY-MM') end, type, sum(points), count(*)
     from entry where day between $2 and $3 group by 2, 3
     union all
     select 'forgiven', case $4 when 'store' then store_code
       when 'month' then to_char(booked_on, 'YYYY-MM') end, null, sum(points), count(*)
     from point_forgiven where company_id = $1 and booked_on between $2 and $3 group by 2
     union all
     select 'outstanding', to_char(expires_on, 'YYYY-MM'), null, sum(points), count(*)
     from held group by 2 having sum(points) <> 0
     union all
     select 'kept', to_char(expires_on, 'YYYY-MM'), null, sum(points), count(*)
     from kept group by 2 having sum(points) <> 0
     union all
     select 'later', null, null, sum(points), count(*) from later
     union all
     select 'remaining', null, null, sum(remaining), count(*) from point_lot
     where company_id = $1 and remaining > 0
     union all
     select 'balance', null, null, sum(balance), count(*) from point_account where company_id = $1
     union all
     select 'debt', null, null, -sum(least(balance, 0)), count(*)
     from point_account where company_id = $1
   ) f where points is not null order by part, key nulls last, type`,
  z.object({
    part: z.enum([
      'opening',
      'moved',
      'forgiven',
      'outstanding',
      'kept',
      'later',
      'remaining',
      'balance',
      'debt',
    ]),
    key: z.nullable(z.string()),
    type: z.nullable(z.int()),
    points: z.int(),
    entries: z.int(),
  }),
)

export type Figure = z.infer<typeof readFigures.row>

/**
 * Reads the sums of a company's points from the day `from` to the day `to`, both included.
 * @param tx of read-only work
 */
export async function readFiguresOf(
  tx: Transaction,
  companyId: string,
  { from, to, by }: ReportInput,
): Promise<Figure[]> {
  const [, , figures] = await Promise.all([
    atOneMoment(tx),
    allowWholeCompany(tx, 5),
    tx.all(readFigures, [companyId, from, to, by]),
  ])
  return figures
}
