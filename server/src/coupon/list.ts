import type { CouponStatus, getCustomerCoupons } from '@tillside/contract/coupon'
import { CalendarDay } from '@tillside/contract/wire/shapes'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { type Statement, statement, type Transaction } from '../database/database.ts'
import { cutPage, readCursor, writeCursor } from '../values/cursor.ts'
import { readIfKnown } from '../member/look-up.ts'
import { Outdated } from '../values/outdated.ts'
import { invalidField } from '../text/invalid.ts'
import {
  couponOf,
  couponTermsOf,
  definitionsOf,
  OwnRow,
  ownColumns,
  redemptionJoins,
  statusSql,
} from './coupon.ts'

// Valid coupons are ordered by end date, the first to end at the top; used and expired coupons by
// their latest event. The page is cut before the joins, so that ten thousand coupons cost little
// more than ten.
const DayKey = CalendarDay
/** UTC, to the microsecond, without the Z: no other list's cursor looks like it. */
const TimeKey = z.string().check(
  z.regex(/^(?!0000)/),
  z.refine((key) => exactly.safeParse(`${key}Z`).success),
)
const exactly = z.iso.datetime({ precision: 6 })
const dayText = 'c.sort_key::text'
const timeText = `to_char(c.sort_key at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
const timeValue = `($4::text::timestamp at time zone 'UTC')`
const dayOrder = { key: 'c.expiry_date', text: dayText, value: '$4::text::date', Key: DayKey }
const timeOrder = { text: timeText, value: timeValue, Key: TimeKey }
const orders = {
  ISSUED: { ...dayOrder, order: 'asc', only: 'and c.expiry_date >= $3' },
  EXPIRED: { ...dayOrder, order: 'desc', only: '' },
  USED: { ...timeOrder, key: 'r.redeemed_at', order: 'desc', only: 'and c.used' },
  all: { ...timeOrder, key: 'c.issued_at', order: 'desc', only: '' },
} as const
type ListName = CouponStatus | 'all'

const ListedRow = z.extend(OwnRow, { sort_key: z.string() })
type ListedRow = z.infer<typeof ListedRow>

function listStatement(name: ListName): Statement<ListedRow> {
  const { key, text, value, order, only } = orders[name]
  const status = name === 'all' ? 'true' : `${statusSql('$3')} = '${name}'`
  // With `limit`, as in `redemptionJoins`.
  const redeemed = `cross join lateral (
    select ur.redeemed_at from coupon_redemption ur where ur.company_id = $1 and ur.member_id = $2
      and ur.coupon_code = c.coupon_code and ur.cancelled_at is null limit 1
  ) r`
  return statement(
    `select ${ownColumns('$3')}, ${text} as sort_key from (
       select c.*, ${key} as sort_key from coupon c ${name === 'USED' ? redeemed : ''}
       where c.company_id = $1 and c.member_id = $2 and ${status} ${only}
         and ($4::text is null
           or (${key}, c.coupon_code) ${order === 'asc' ? '>' : '<'} (${value}, $5))
       order by ${key} ${order}, c.coupon_code ${order} limit $6
     ) c ${redemptionJoins}
     order by c.sort_key ${order}, c.coupon_code ${order}`,
    ListedRow,
  )
}

const lists: Record<ListName, Statement<ListedRow>> = {
  ISSUED: listStatement('ISSUED'),
  USED: listStatement('USED'),
  EXPIRED: listStatement('EXPIRED'),
  all: listStatement('all'),
}

function counted(status: CouponStatus, name: string): string {
  return `count(*) filter (where status = '${status}')::int as ${name}`
}

/** SQL of the number of a member's coupons in each status; `$3` is the company's day. */
export function countsSql(member: string): string {
  return `select ${counted('ISSUED', 'issued')}, ${counted('USED', 'used')},
     ${counted('EXPIRED', 'expired')}
   from (
     select ${statusSql('$3')} as status from coupon c
     where c.company_id = $1 and c.member_id = ${member}
   ) c`
}
export const CountsRow = z.object({ issued: z.int(), used: z.int(), expired: z.int() })
const readCounts = statement(countsSql('$2'), CountsRow)

/** The counts that `countsSql` has read. */
export function countsOf({ issued, used, expired }: z.infer<typeof CountsRow>) {
  return { ISSUED: issued, USED: used, EXPIRED: expired }
}

export async function listCoupons(
  context: Context<typeof getCustomerCoupons>,
  input: Input<typeof getCustomerCoupons>,
  memberId: string | null,
): Promise<Data<typeof getCustomerCoupons>> {
  const { tx, company, today, language } = context
  const name = input.status ?? 'all'
  const cursor = input.cursor === undefined ? null : readCursor(input.cursor, orders[name].Key)
  if (input.cursor !== undefined && cursor === null) {
    return context.fail('invalid', invalidField('cursor', 'format', language))
  }
  const after = [cursor?.[0], cursor?.[1], input.pageSize + 1]
  const [counts, rows, definitions, terms] = await readIfKnown(context, memberId, (member) =>
    Promise.all([
      tx.one(readCounts, [company.id, member, today]),
      tx.all(lists[name], [company.id, member, today, ...after]),
      definitionsOf(tx, company),
      couponTermsOf(tx, company),
    ]),
  )
  const page = cutPage(rows, input.pageSize, (row) => writeCursor(row.sort_key, row.coupon_code))
  return {
    items: page.rows.map((row) => {
      const definition = definitions.get(row.coupon_id)
      if (definition === undefined) throw new Outdated('the coupon is newer than the definitions')
      return couponOf({ ...row, ...definition }, context, terms, language)
    }),
    nextCursor: page.nextCursor,
    counts: countsOf(counts),
  }
}

/** How many coupons a member has in each status today. */
export async function countCoupons(
  tx: Transaction,
  companyId: string,
  member: string,
  today: string,
): Promise<Record<CouponStatus, number>> {
  return countsOf(await tx.one(readCounts, [companyId, member, today]))
}
