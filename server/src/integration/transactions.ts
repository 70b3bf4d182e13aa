import type { ItemReason } from '@tillside/contract/integration/batch'
import {
  type calculateTransaction,
  postTransactions,
} from '@tillside/contract/integration/transactions'
import { type Receipt, receiptIn } from '@tillside/contract/receipt'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import { decimalsOf, settingsAt, settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import type { KnownMembers } from '../database/context.ts'
import type { Transaction } from '../database/database.ts'
import type { Language } from '@tillside/contract/wire/language'
import type * as z from 'zod/mini'
import { sendAtOnce } from '../http/at-once/at-once.ts'
import { actingOf, type KeyAsked, type KeyContext } from '../http/keys/serve-key.ts'
import { codeKey } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { accept } from '../transaction/accept.ts'
import { askToRecord } from '../transaction/at-once.ts'
import { sidesOf } from '../transaction/input.ts'
import { findReceipt, type ReceiptName } from '../transaction/receipt-key.ts'
import type { RecordRefusal } from '../transaction/record.ts'
import { nothingBack } from '../transaction/returns/at-once.ts'
import { invalidFields } from '../text/invalid.ts'
import { answerItems, checkStore, ItemRefusal, storeProblem } from './batch.ts'
import { reasonTexts } from './reasons.ts'

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
  const { database, company } = context
  const settings = await database.reading(company.id, (tx) => settingsOf(tx, company))
  return answerItems(context, receiptIn(decimalsOf(settings)), items, (receipt) => {
    checkStore(context, receipt.storeCode, 'storeCode')
    return database.transaction(company.id, (tx) => recordOne(context, tx, receipt))
  })
}

/** Records one sale or return in one round trip, where the database can. */
export async function recordAtOnce({
  held,
  known,
  input: { items },
  database,
  requestId,
}: KeyAsked<typeof postTransactions>): Promise<Data<typeof postTransactions> | null> {
  const { caller } = held
  const settings = settingsAt(caller.company)
  const [item, another] = items
  if (settings === null || another !== undefined) return null
  const receipt = receiptIn(decimalsOf(settings)).safeParse(item)
  if (!receipt.success || storeProblem(caller, receipt.data.storeCode) !== null) return null
  const question = askToRecord(held, receipt.data, requestId)
  const named = memberOf(receipt.data)
  if (question === null || named === null) return null
  const { path } = postTransactions
  const { id: companyId } = caller.company
  const row = await sendAtOnce(
    database,
    path,
    { companyId, by: actingOf(caller, receipt.data.storeCode) },
    {
      recalled: named.code === null ? undefined : known.recall(codeKey(named.code)),
      find: (tx) => findNamed(tx, companyId, named, known),
      question,
    },
  )
  if (row === null) return null
  const { invoiceType } = receipt.data
  const returned =
    invoiceType === 'return' ? { returned: nothingBack(sidesOf(receipt.data).returned) } : {}
  const created = { outcome: 'created' as const, points: row.points, ...returned, index: 0 }
  return { items: [created], created: 1, unchanged: 0, refused: 0 }
}

/** How a receipt names its member: by code, or a return by the member of its sale. */
type NamedBy = { code: string } | { code: null; original: ReceiptName }

function memberOf({ memberCode, original }: z.output<typeof Receipt>): NamedBy | null {
  if (memberCode !== null) return { code: memberCode }
  return typeof original === 'object' && original !== null ? { code: null, original } : null
}

async function findNamed(
  tx: Transaction,
  companyId: string,
  named: NamedBy,
  known: KnownMembers,
): Promise<string | null> {
  if (named.code !== null) return findMemberId(tx, companyId, named.code, known)
  // The place of a receipt is its member. The function refuses that of a sale without one.
  const sale = await findReceipt(tx, companyId, named.original)
  return sale === null ? null : sale.place
}

/** Carries the result of a transaction that must not be committed. */
class RolledBack extends Error {
  readonly result: Awaited<ReturnType<typeof recordOne>>
  constructor(result: RolledBack['result']) {
    super('rolled back on purpose')
    this.result = result
  }
}

/**
 * The points that a receipt would earn: it is recorded by the same rules in a transaction that is
 * then rolled back, so that no second calculation can differ.
 */
export async function calculate(
  context: KeyContext<typeof calculateTransaction>,
  input: Input<typeof calculateTransaction>,
): Promise<Data<typeof calculateTransaction>> {
  const { database, company, language } = context
  const settings = await database.reading(company.id, (tx) => settingsOf(tx, company))
  const receipt = receiptIn(decimalsOf(settings)).safeParse(input)
  if (!receipt.success) {
    return context.fail('invalid', {
      fields: invalidFields(receipt.error.issues, input, language),
    })
  }
  try {
    checkStore(context, receipt.data.storeCode, 'storeCode')
    return await database.transaction(company.id, async (tx) => {
      throw new RolledBack(await recordOne(context, tx, receipt.data))
    })
  } catch (error) {
    if (error instanceof RolledBack) {
      const { outcome, points, returned = null } = error.result
      return outcome === 'created'
        ? { points, returned, refused: null }
        : { points: null, returned: null, refused: refusedFor('changed', language) }
    }
    if (!(error instanceof ItemRefusal)) throw error
    return { points: null, returned: null, refused: refusedFor(error.reason, language) }
  }
}

function refusedFor(reason: ItemReason, language: Language) {
  return { reason, message: reasonTexts[reason][language] }
}

type Outcome = Extract<Data<typeof postTransactions>['items'][number], { points: unknown }>

/** Records one receipt. @throws ItemRefusal */
async function recordOne(
  { company, key, requestId, now }: KeyContext,
  tx: Transaction,
  receipt: z.output<typeof Receipt>,
): Promise<Omit<Outcome, 'index'>> {
  const { memberCode, storeCode } = receipt
  const memberId = memberCode === null ? null : await findMemberId(tx, company.id, memberCode)
  if (memberCode !== null && memberId === null) {
    throw new ItemRefusal('memberUnknown', 'memberCode')
  }
  const recorded = await accept(tx, company, memberId, receipt, now)
  if (recorded.outcome === 'refused') {
    const { reason, path } = recorded
    throw path === null ? new ItemRefusal(reason, blamed[reason]) : new ItemRefusal(reason, path)
  }
  if (recorded.outcome === 'unchanged') return { outcome: 'unchanged', points: null }
  const { points, transactionId, returned } = recorded
  const store = storeCode === null ? null : { code: storeCode }
  writeAudit(tx, { company, staff: null, store }, requestId, {
    action: 'transaction.record',
    memberId: recorded.memberId,
    details: { keyId: key.id, transactionId, points, ...returned },
  })
  const done = { outcome: 'created', points } as const
  return returned === null ? done : { ...done, returned }
}
