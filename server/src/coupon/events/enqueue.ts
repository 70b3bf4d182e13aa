import type { EventData, WebhookEvent } from '@tillside/contract/integration/events'
import type { Transaction } from '../../database/database.ts'
import { enqueue, insertEvents } from '../../outbox/enqueue.ts'

const insert = insertEvents(
  `join member m on m.company_id = $1 and m.member_id = r.member_id
   join coupon c on c.company_id = $1 and c.coupon_code = r.data ->> 'couponCode'
   join coupon_definition d on d.company_id = $1 and d.coupon_id = c.coupon_id`,
  `jsonb_build_object('couponId', d.coupon_id, 'unionCode', d.union_code)`,
)

type CouponEvent = Extract<WebhookEvent, `coupon.${string}`>

/**
 * Writes events about coupons to the outbox, as `enqueueEvent` does; the id and the code of the
 * coupon's definition are added here.
 */
export function enqueueCouponEvents<E extends CouponEvent>(
  tx: Transaction,
  companyId: string,
  event: E,
  coupons: readonly { memberId: string; data: Omit<EventData<E>, 'couponId' | 'unionCode'> }[],
): void {
  enqueue(tx, insert, companyId, event, coupons)
}
