import { postTransactions } from '@tillside/contract/integration'
import { receiptIn } from '@tillside/contract/receipt'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { decimalsOf, settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import type { KeyContext } from '../http/serve-key.ts'
import { findMemberId } from '../member/look-up.ts'
import { accept } from '../transaction/accept.ts'
import type { RecordRefusal } from '../transaction/record.ts'
import { answerItems, checkStore, ItemRefusal } from './batch.ts'

const blamed: Record<RecordRefusal, string> = {
  changed: 'invoiceNumber',
  originalUnknown: 'original',
  originalOtherMember: 'original',
  originalReturned: 'netSpend',
  storeUnknown: 'storeCode',
}

/**
 * Records receipts in the order of the request, each in its own transaction, so that a return may
 * follow its sale in one request.
 */
export async function recordReceipts(
  context: KeyContext<typeof postTransactions>,
  { items }: Input<typeof postTransactions>,
): Promise<Data<typeof postTransactions>> {
  const { database, company, key, requestId, now } = context
  const settings = await database.reading(company.id, (tx) => settingsOf(tx, company))
  return answerItems(context, receiptIn(decimalsOf(settings)), items, (receipt) => {
    checkStore(context, receipt.storeCode, 'storeCode')
    return database.transaction(company.id, async (tx) => {
      const { memberCode, storeCode } = receipt
      const memberId = memberCode === null ? null : await findMemberId(tx, company.id, memberCode)
      if (memberCode !== null && memberId === null) {
        throw new ItemRefusal('memberUnknown', 'memberCode')
      }
      const recorded = await accept(tx, company, memberId, receipt, now)
      if (recorded.outcome === 'refused') {
        const { reason, path } = recorded
        throw path === null
          ? new ItemRefusal(reason, blamed[reason])
          : new ItemRefusal(reason, path)
      }
      if (recorded.outcome === 'unchanged') return { outcome: 'unchanged', points: null } as const
      const { points, transactionId, returned } = recorded
      const store = storeCode === null ? null : { code: storeCode }
      writeAudit(tx, { company, staff: null, store }, requestId, {
        action: 'transaction.record',
        memberId,
        details: { keyId: key.id, transactionId, points, ...returned },
      })
      const done = { outcome: 'created', points } as const
      return returned === null ? done : { ...done, returned }
    })
  })
}
