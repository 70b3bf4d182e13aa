import { eventData } from '@tillside/contract/integration/events'
import { knownSettings } from '../company/settings.ts'
import type { BatchRow } from '../database/audit.ts'
import type { Context } from '../database/context.ts'
import type { Transaction } from '../database/database.ts'
import { enqueueEvent } from '../member/events.ts'
import { companyAlerted, noteSights, type Sight } from '../staff/throttle/sights.ts'

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

/**
 * Writes the members that clerks have seen, and the events of alerts, together with a batch of
 * audit rows.
 */
export async function followReads(
  tx: Transaction,
  companyId: string,
  rows: readonly BatchRow[],
): Promise<void> {
  for (const { action, memberId, details } of rows) {
    if (action !== 'staff.alert' || memberId === null) continue
    const data = Alert.parse(details)
    const { account, storeCode: store } = data
    const at = { store, actor: { type: 'staff', account } } as const
    enqueueEvent(tx, companyId, 'staff.alert', memberId, data, at)
  }
  const isCounted = knownSettings(companyId)?.allowances.lookUps !== null
  await noteSights(tx, companyId, isCounted ? rows.flatMap(sightsOf) : [])
}

/** As the database function `sight_of`. */
function sightsOf({ staff: staffId, at, action, memberId, details }: BatchRow): Sight[] {
  const { search } = details
  if (action === 'staff.alert' && details['kind'] === 'lookUps') {
    return [{ staffId, at, seenId: companyAlerted }]
  }
  if (action === 'member.searchByName' && typeof search === 'string') {
    return [{ staffId, at, seenId: search }]
  }
  return action === 'member.lookUp' && memberId !== null ? [{ staffId, at, seenId: memberId }] : []
}
