import type { EventData, WebhookEvent } from '@tillside/contract/integration/events'
import type { Transaction } from '../database/database.ts'
import { enqueue, type MemberEvent } from '../outbox/enqueue.ts'

/** Coupon events are written by `enqueueCouponEvents`, which adds the coupon's definition. */
type Event = Exclude<WebhookEvent, `coupon.${string}`>

/**
 * Writes an event about a member to the outbox, once for each webhook that subscribes to it. The
 * statement is sent together with the commit of `tx`.
 * @param data the event's data; the member's code is added here
 * @param at the store and actor, where they are not those of the request
 */
export function enqueueEvent<E extends Event>(
  tx: Transaction,
  companyId: string,
  event: E,
  memberId: string,
  data: EventData<E>,
  at: Pick<MemberEvent, 'store' | 'actor'> = {},
): void {
  enqueue(tx, companyId, event, [{ memberId, data, ...at }])
}

/** Does the same for one event about each of several members. */
export function enqueueEvents<E extends Event>(
  tx: Transaction,
  companyId: string,
  event: E,
  changes: readonly (Omit<MemberEvent, 'data'> & { data: EventData<E> })[],
): void {
  enqueue(tx, companyId, event, changes)
}
