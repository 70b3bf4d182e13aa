import * as z from 'zod/mini'
import type { Caller, Change } from './context.ts'
import { statement, type Transaction } from './database.ts'

const insert = statement(
  `insert into audit (company_id, staff_id, store_code, action, member_id, request_id, details)
   values ($1, $2, $3, $4, $5, $6, $7)`,
  z.unknown(),
)

/** The author of a change. Staff and store are null for a change made on the command line. */
export type Actor = {
  company: { id: string }
  staff: { id: string } | null
  store: { code: string } | null
}

/** Writes one audit row for one change of state, in the transaction of the change. */
export function writeAudit(
  tx: Transaction,
  actor: Actor | Caller,
  requestId: string,
  change: Change,
): void {
  tx.atCommit(insert, [
    actor.company.id,
    actor.staff?.id ?? null,
    actor.store?.code ?? null,
    change.action,
    change.memberId,
    requestId,
    change.details,
  ])
}
