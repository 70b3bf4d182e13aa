import { hash as digest } from 'node:crypto'
import { postPoints, type PointMovement } from '@tillside/contract/integration/points'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { findMemberId } from '../member/look-up.ts'
import { adjust } from '../points/adjust.ts'
import { lockAccount } from '../points/ledger.ts'
import { answerItems, checkStore, ItemRefusal } from './batch.ts'
import { nowSql, todaySql } from '../database/reads/today.ts'

const claim = statement(
  `insert into point_operation (company_id, operation_id, member_id, content_hash)
   values ($1, $2, $3, $4) on conflict do nothing`,
  z.unknown(),
)
const readOperation = statement(
  `select o.content_hash, e.entry_id, e.balance_after
   from point_operation o
   join point_entry e on e.company_id = $1 and e.member_id = $3 and e.entry_id = o.entry_id
   where o.company_id = $1 and o.operation_id = $2 and o.member_id = $3`,
  z.object({
    content_hash: z.instanceof(Buffer),
    entry_id: z.string(),
    balance_after: z.int(),
  }),
)
const keepEntry = statement(
  `update point_operation set entry_id = $4
   where company_id = $1 and operation_id = $2 and member_id = $3`,
  z.unknown(),
)
const readClock = statement(
  `select ${nowSql('c')} as now, ${todaySql('c')} as today from company c
   where c.company_id = $1`,
  z.object({ now: z.string(), today: z.string() }),
)

/**
 * Moves points up or down without a sale: corrections, special cases, transfers from and to other
 * countries. Each operation happens once, however often its name arrives.
 */
export async function movePoints(
  context: KeyContext<typeof postPoints>,
  { items }: Input<typeof postPoints>,
): Promise<Data<typeof postPoints>> {
  return answerItems(context, postPoints.item, items, (movement) => {
    checkStore(context, movement.storeCode, 'storeCode')
    const { database, company } = context
    return database.transaction(company.id, (tx) => move(tx, context, movement))
  })
}

async function move(tx: Transaction, context: KeyContext, movement: PointMovement) {
  const { company, key, requestId } = context
  const { operationId, memberCode, type, points, reason, storeCode } = movement
  const hash = digest('sha256', JSON.stringify(movement), 'buffer')
  const memberId = await findMemberId(tx, company.id, memberCode)
  if (memberId === null) throw new ItemRefusal('memberUnknown', 'memberCode')
  // A repeat that arrives at the same time waits here until the first is decided.
  if ((await tx.run(claim, [company.id, operationId, memberId, hash])) === 0) {
    // Of another member, there is no row.
    const first = await tx.maybe(readOperation, [company.id, operationId, memberId])
    if (first?.content_hash.equals(hash) !== true) throw new ItemRefusal('changed', 'operationId')
    return { outcome: 'unchanged', entryId: first.entry_id, balance: first.balance_after } as const
  }
  const [account, settings, { now, today }] = await Promise.all([
    lockAccount(tx, company.id, memberId),
    settingsOf(tx, company),
    tx.one(readClock, [company.id]),
  ])
  const origin = {
    at: now,
    amount: null,
    invoiceNumber: movement.invoiceNumber,
    storeCode,
    staffId: null,
    transactionId: null,
    description: reason,
  }
  const adjusted = await adjust(account, { type, points, day: today, origin }, settings.points)
  if (adjusted.outcome === 'refused') throw new ItemRefusal(adjusted.reason, 'points')
  const { id: entryId, balanceAfter: balance } = adjusted.entry
  tx.atCommit(keepEntry, [company.id, operationId, memberId, entryId])
  const store = storeCode === null ? null : { code: storeCode }
  writeAudit(tx, { company, staff: null, store }, requestId, {
    action: 'points.adjust',
    memberId,
    details: { keyId: key.id, operationId, type, points, reason, entryId },
  })
  return { outcome: 'created', entryId, balance } as const
}
