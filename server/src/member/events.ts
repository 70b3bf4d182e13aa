import type { WebhookEvent } from '@tillside/contract/integration/events'
import type { Transaction } from '../database/database.ts'
import { insertEvents } from '../outbox/enqueue.ts'

const insert = insertEvents('join member m on m.company_id = $1 and m.member_id = r.member_id')

type Data = Record<string, string | number | null>

/**
 * Writes an event about a member to the outbox, once for each webhook that subscribes to it. The
 * statement is sent together with the commit of `tx`.
 * @param data the event's data; the member's code is added here
 */
export function enqueueEvent(
  tx: Transaction,
  companyId: string,
  event: WebhookEvent,
  memberId: string,
  data: Data,
): void {
  enqueueEvents(tx, companyId, event, [{ memberId, data }])
}

/** Does the same for one event about each of several members. */
export function enqueueEvents(
  tx: Transaction,
  companyId: string,
  event: WebhookEvent,
  changes: readonly { memberId: string; data: Data }[],
): void {
  const rows = changes.map(({ memberId, data }) => ({ member_id: memberId, data }))
  tx.atCommit(insert, [companyId, event, JSON.stringify(rows)])
}
