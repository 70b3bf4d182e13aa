import * as z from 'zod/mini'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import type { Reevaluated } from '../tier/reevaluate.ts'
import type { TierChange } from '../tier/review.ts'
import type { Spend } from '../tier/window.ts'
import type { Assignment } from './returns/assign.ts'

const readDays = statement(
  `select (t.occurred_at at time zone $2)::date as day, sum(r.amount) as amount
   from unnest($3::uuid[], $4::numeric[]) r (original_id, amount)
   join transaction t on t.company_id = $1 and t.place = $5 and t.transaction_id = r.original_id
   group by 1 having sum(r.amount) > 0`,
  z.object({ day: z.string(), amount: z.string() }),
)

/** The spend that a return takes back, on the days of its sales. */
export async function returnedSpend(
  tx: Transaction,
  company: { id: string; timeZone: string },
  { place, parts }: Assignment,
): Promise<Spend[]> {
  if (parts.length === 0) return []
  const ids = parts.map((part) => part.originalId)
  const amounts = parts.map((part) => part.amount)
  return tx.all(readDays, [company.id, company.timeZone, ids, amounts, place])
}

/** Writes a change of tier to the audit log; the receipt is its reason. */
export function noteTier(
  tx: Transaction,
  company: { id: string },
  memberId: string,
  { action, ...details }: Reevaluated | TierChange,
  invoiceNumber: string,
): void {
  const change = { action, memberId, details: { ...details, invoiceNumber } }
  writeAudit(tx, { company, staff: null, store: null }, 'receipt', change)
}
