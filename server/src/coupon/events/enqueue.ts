import type { EventData, WebhookEvent } from '@tillside/contract/integration/events'
import type { Transaction } from '../../database/database.ts'
import { enqueue } from '../../outbox/enqueue.ts'

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
  enqueue(tx, companyId, event, coupons)
}
