import type { CouponStatus, getCustomerCoupons } from '@tillside/contract/coupon'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import type { AheadVerb } from '../kit/context.ts'
import { cutPage, readCursor, writeCursor } from '../kit/cursor.ts'
import { type Statement, statement, type Transaction } from '../kit/database.ts'
import { invalidField } from '../kit/invalid.ts'
import { couponColumns, couponJoins, couponOf, CouponRow, statusSql } from './coupon.ts'

// Each list has an order of its own: what ends first is what the clerk looks for among the valid
// ones, what happened last among the others. `key` is what it sorts by, as text that sorts alike.
const instantKey = `to_char(%s at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`
const dayKey = z.iso.date()
const timeKey = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/))
const orders = {
  ISSUED: { key: 'c.expiry_date::text', after: '>', order: 'asc', Key: dayKey },
  USED: { key: instantKey.replace('%s', 'r.redeemed_at'), after: '<', order: 'desc', Key: timeKey },
  EXPIRED: { key: 'c.expiry_date::text', after: '<', order: 'desc', Key: dayKey },
  all: { key: instantKey.replace('%s', 'c.issued_at'), after: '<', order: 'desc', Key: timeKey },
} as const
type ListName = CouponStatus | 'all'

const ListedRow = z.extend(CouponRow, { sort_key: z.string() })
type ListedRow = z.infer<typeof ListedRow>

function listStatement(name: ListName): Statement<ListedRow> {
  const { key, after, order } = orders[name]
  const status = name === 'all' ? 'true' : `${statusSql('$3')} = '${name}'`
  return statement(
    `select ${couponColumns('$3')}, ${key} as sort_key from coupon c ${couponJoins}
     where c.company_id = $1 and c.member_id = $2 and ${status}
       and ($4::text is null or (${key}, c.coupon_code) ${after} ($4, $5))
     order by ${key} ${order}, c.coupon_code ${order} limit $6`,
    ListedRow,
  )
}

const lists: Record<ListName, Statement<ListedRow>> = {
  ISSUED: listStatement('ISSUED'),
  USED: listStatement('USED'),
  EXPIRED: listStatement('EXPIRED'),
  all: listStatement('all'),
}
const countByStatus = statement(
  `select ${statusSql('$3')} as status, count(*)::int as n from coupon c
   where c.company_id = $1 and c.member_id = $2 group by 1`,
  z.object({ status: z.enum(['ISSUED', 'USED', 'EXPIRED']), n: z.int() }),
)

export const listCoupons: AheadVerb<typeof getCustomerCoupons, string | null> = async (
  context,
  input,
  memberId,
) => {
  const { tx, company, today, language } = context
  const name = input.status ?? 'all'
  const cursor = input.cursor === undefined ? null : readCursor(input.cursor, orders[name].Key)
  if (input.cursor !== undefined && cursor === null) {
    return context.fail('invalid', invalidField('cursor', 'format', language))
  }
  if (memberId === null) return context.fail('memberUnknown')
  const [rows, counts, settings] = await Promise.all([
    tx.all(lists[name], [
      company.id,
      memberId,
      today,
      cursor?.[0],
      cursor?.[1],
      input.pageSize + 1,
    ]),
    countCoupons(tx, company.id, memberId, today),
    settingsOf(tx, company),
  ])
  const page = cutPage(rows, input.pageSize, (row) => writeCursor(row.sort_key, row.coupon_code))
  return {
    items: page.rows.map((row) => couponOf(row, context, settings, language)),
    nextCursor: page.nextCursor,
    counts,
  }
}

/** How many coupons a member has in each status today. */
export async function countCoupons(
  tx: Transaction,
  companyId: string,
  memberId: string,
  today: string,
): Promise<Record<CouponStatus, number>> {
  const counts = { ISSUED: 0, USED: 0, EXPIRED: 0 }
  for (const { status, n } of await tx.all(countByStatus, [companyId, memberId, today])) {
    counts[status] = n
  }
  return counts
}
