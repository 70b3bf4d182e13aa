import type { ReturnEffect } from '@tillside/contract/points'
import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { typeIn } from '../ledger.ts'

// Explains returns from the entries that they wrote, without a replay.

// A return that only moves points between lots writes a taking and a refund that reverses nothing:
// both are left out. `settled` are forgiven points that a later undo or return has settled.
const readReturns = statement(
  `with moved as (
     select transaction_id, max(seq) as seq, min(created_at) as at,
       max(invoice_number) as invoice_number,
       coalesce(sum(-points) filter (where ${typeIn('type', 'returned')}
         or ${typeIn('type', 'refund')} and reverses is null), 0)::bigint as taken,
       coalesce(sum(points) filter (where ${typeIn('type', 'refund')}
         and reverses is not null), 0)::bigint as back,
       coalesce(sum(-points) filter (where ${typeIn('type', 'expired')}), 0)::bigint as lapsed
     from point_entry
     where company_id = $1 and member_id = $2 and transaction_id is not null
       and ${typeIn('type', 'returned', 'refund', 'expired')}
     group by transaction_id
   ), waived as (
     select transaction_id, min(created_at) as at, sum(points)::bigint as points,
       max(invoice_number) as invoice_number
     from point_forgiven
     where company_id = $1 and member_id = $2 and points > 0 and transaction_id is not null
     group by transaction_id
   )
   select transaction_id, (coalesce(m.at, w.at) at time zone c.time_zone)::date as day,
     coalesce(m.invoice_number, w.invoice_number) as invoice_number, coalesce(m.taken, 0) as taken,
     coalesce(m.back, 0) as back, coalesce(m.lapsed, 0) as lapsed,
     coalesce(w.points, 0) as forgiven, (
       select coalesce(-sum(points), 0)::bigint from point_forgiven
       where company_id = $1 and member_id = $2 and points < 0
     ) as settled
   from moved m full join waived w using (transaction_id)
   join company c on c.company_id = $1
   order by coalesce(m.at, w.at), m.seq`,
  z.object({
    transaction_id: z.string(),
    day: z.string(),
    invoice_number: z.nullable(z.string()),
    taken: z.int(),
    back: z.int(),
    lapsed: z.int(),
    forgiven: z.int(),
    settled: z.int(),
  }),
)
// The entries since the balance went below zero.
const readOwing = statement(
  `select coalesce(transaction_id, entry_id) as cause, points, balance_after from point_entry
   where company_id = $1 and member_id = $2 and seq > (
     select coalesce(max(seq), 0) from point_entry
     where company_id = $1 and member_id = $2 and balance_after >= 0)
   order by seq`,
  z.object({ cause: z.string(), points: z.int(), balance_after: z.int() }),
)

const shown = 20

/**
 * Reads the effects of a member's returns that the lots do not show: first those with a part that
 * is left to repay, then the newest 20 that gave points back or forgave some.
 */
export async function readReturnEffects(
  tx: Transaction,
  companyId: string,
  member: string,
): Promise<ReturnEffect[]> {
  const [rows, owing] = await Promise.all([
    tx.all(readReturns, [companyId, member]),
    tx.all(readOwing, [companyId, member]),
  ])
  const owed = debtByCause(owing)
  let settled = rows[0]?.settled ?? 0
  const effects = rows.map((row): ReturnEffect => {
    const back = Math.min(settled, row.forgiven)
    settled -= back
    return {
      date: row.day,
      invoiceNumber: row.invoice_number,
      taken: Math.max(0, row.taken),
      back: row.back,
      lapsed: row.lapsed,
      forgiven: row.forgiven - back,
      owed: owed.get(row.transaction_id) ?? 0,
    }
  })
  const newest = effects.toReversed()
  const others = newest.filter((one) => one.owed === 0 && one.back + one.forgiven > 0)
  return [...newest.filter((one) => one.owed > 0), ...others.slice(0, shown)]
}

type Owing = { cause: string; points: number; balance_after: number }

/**
 * Divides a debt between its causes. Earnings repay the oldest cause first, so the newest causes
 * are the ones that are left.
 * @param entries the entries since the balance went below zero, oldest first, each with the balance
 *   after it
 * @returns the points that each cause leaves to repay, above 0
 */
function debtByCause(entries: readonly Owing[]): Map<string, number> {
  const made = new Map<string, number>()
  for (const { cause, points, balance_after: balance } of entries) {
    const more = Math.max(0, -balance) - Math.max(0, points - balance)
    made.set(cause, (made.get(cause) ?? 0) + more)
  }
  let left = Math.max(0, -(entries.at(-1)?.balance_after ?? 0))
  const owed = new Map<string, number>()
  for (const [cause, points] of [...made].toReversed()) {
    const part = Math.min(left, Math.max(0, points))
    left -= part
    if (part > 0) owed.set(cause, part)
  }
  return owed
}
