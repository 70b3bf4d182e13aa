import { eventData } from '@tillside/contract/integration/events'
import type { Change, Context } from '../database/context.ts'
import type { Transaction } from '../database/database.ts'
import { enqueueEvent } from '../member/events.ts'

const Alert = eventData['staff.alert']

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

/** Sends the events of the alerts among audit rows that a batch has written. */
export function sendAlerts(tx: Transaction, companyId: string, rows: readonly Change[]): void {
  for (const { action, memberId, details } of rows) {
    if (action !== 'staff.alert' || memberId === null) continue
    const data = Alert.parse(details)
    const { account, storeCode: store } = data
    const at = { store, actor: { type: 'staff', account } } as const
    enqueueEvent(tx, companyId, 'staff.alert', memberId, data, at)
  }
}
