import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { wholeCompany } from '../../database/reads/whole.ts'
import { hasSubscriberSql } from '../../outbox/enqueue.ts'
import { enqueueCouponEvents } from './enqueue.ts'

// A coupon expires without a change of its row, so a job walks over the last days of the coupons.

const readWalk = statement(
  `select (select expiry_date from coupon_expiry_walk where company_id = $1) as expiry_date,
     (select coupon_code from coupon_expiry_walk where company_id = $1) as coupon_code,
     ${hasSubscriberSql('coupon.expired')}`,
  z.object({
    expiry_date: z.nullable(z.string()),
    coupon_code: z.nullable(z.string()),
    has_subscriber: z.boolean(),
  }),
)
const writeWalk = statement(
  `insert into coupon_expiry_walk (company_id, expiry_date, coupon_code) values ($1, $2, $3)
   on conflict (company_id) do update
     set expiry_date = excluded.expiry_date, coupon_code = excluded.coupon_code`,
  z.unknown(),
)
const readNext = wholeCompany(
  `select coupon_code, member_id, expiry_date from coupon
   where company_id = $1 and (expiry_date, coupon_code) > ($2::date, $3) and expiry_date < $4
     and not used and voided_reason is null
   order by expiry_date, coupon_code limit $5`,
  z.object({ coupon_code: z.string(), member_id: z.string(), expiry_date: z.string() }),
)

/**
 * Enqueues `coupon.expired` for coupons whose last day is before `today`, for some of them, each
 * once. Coupons that expired before a webhook subscribed to it are left out.
 * @returns the number of events, and whether there may be more
 */
export async function announceExpired(
  tx: Transaction,
  companyId: string,
  today: string,
  limit = 200,
): Promise<{ done: number; left: boolean }> {
  const walk = await tx.one(readWalk, [companyId])
  const { expiry_date: day, coupon_code: code } = walk
  const isStarted = day !== null && walk.has_subscriber
  const rows = isStarted ? await tx.all(readNext, [companyId, day, code, today, limit]) : []
  const events = rows.map(({ member_id: memberId, coupon_code: couponCode, expiry_date }) => {
    return { memberId, data: { couponCode, expiryDate: expiry_date } }
  })
  enqueueCouponEvents(tx, companyId, 'coupon.expired', events)
  const last = rows.at(-1)
  const left = last !== undefined && rows.length === limit
  if (left) tx.atCommit(writeWalk, [companyId, last.expiry_date, last.coupon_code])
  else if (day !== today || code !== '') tx.atCommit(writeWalk, [companyId, today, ''])
  return { done: rows.length, left }
}
