import type { Context } from '../database/context.ts'
import { enqueueEvent } from '../member/events.ts'

/**
 * Alerts the company about a clerk: an audit row, and an event for its webhooks. The event is about
 * the member with whom the clerk reached the limit.
 */
export function alertOnce(
  {
    tx,
    company,
    staff,
    store,
    changed,
  }: Pick<Context, 'tx' | 'company' | 'staff' | 'store' | 'changed'>,
  memberId: string,
  alert: { kind: string; used: number; limit: number },
): void {
  changed({ action: 'staff.alert', memberId: null, details: alert })
  const data = { ...alert, account: staff.account, storeCode: store.code }
  enqueueEvent(tx, company.id, 'staff.alert', memberId, data)
}
