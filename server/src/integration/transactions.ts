import { postTransactions } from '@tillside/contract/integration'
import { MemberCode } from '@tillside/contract/shapes'
import * as z from 'zod/mini'
import { writeAudit } from '../kit/audit.ts'
import type { Transaction } from '../kit/database.ts'
import type { KeyAhead, KeyAheadVerb } from '../kit/serve-key.ts'
import { findMemberId } from '../member/look-up.ts'
import { record, type RecordRefusal } from '../transaction/record.ts'
import { answerItems, checkStore, ItemRefusal } from './batch.ts'

const blamed: Record<RecordRefusal, string> = {
  changed: 'invoiceNumber',
  originalUnknown: 'original',
  originalOtherMember: 'original',
  originalReturned: 'netSpend',
  storeUnknown: 'storeCode',
}

/** Whose code was looked up already, and who that is. */
type SoleMember = { memberCode: string; memberId: string | null }

const Sole = z.tuple([z.object({ memberCode: MemberCode })])

/** A till tells of one receipt at a time; whose it is can be looked up at once. */
export const soleMember: KeyAhead<typeof postTransactions, SoleMember> = async (
  tx,
  companyId,
  { items },
) => {
  const sole = Sole.safeParse(items)
  if (!sole.success) return null
  const [{ memberCode }] = sole.data
  return { memberCode, memberId: await findMemberId(tx, companyId, memberCode) }
}

/**
 * Records receipts, each in a transaction of its own and in the order in which they stand, so that
 * a return may follow its sale in one request.
 */
export const recordReceipts: KeyAheadVerb<typeof postTransactions, SoleMember> = async (
  context,
  { items },
  sole,
) => {
  const { database, company, key, requestId } = context
  const idOf = async (tx: Transaction, memberCode: string) =>
    sole?.memberCode === memberCode ? sole.memberId : findMemberId(tx, company.id, memberCode)
  return answerItems(context, postTransactions.item, items, (receipt) => {
    checkStore(context, receipt.storeCode, 'storeCode')
    return database.transaction(company.id, async (tx) => {
      const { memberCode, storeCode } = receipt
      const memberId = memberCode === null ? null : await idOf(tx, memberCode)
      if (memberCode !== null && memberId === null) {
        throw new ItemRefusal('memberUnknown', 'memberCode')
      }
      const recorded = await record(tx, company, memberId, receipt)
      if (recorded.outcome === 'refused') {
        throw new ItemRefusal(recorded.reason, blamed[recorded.reason])
      }
      if (recorded.outcome === 'unchanged') return { outcome: 'unchanged', points: null } as const
      const { points, transactionId } = recorded
      const store = storeCode === null ? null : { code: storeCode }
      writeAudit(tx, { company, staff: null, store }, requestId, {
        action: 'transaction.record',
        memberId,
        details: { keyId: key.id, transactionId, points },
      })
      return { outcome: 'created', points } as const
    })
  })
}
