import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { todaySql } from '../../database/reads/today.ts'
import type { LockedAccount } from '../ledger.ts'
import { endsLater, hasExpired, isAlive } from '../lots.ts'

// Lots that only their own sale has touched. After an earlier return that had to be replayed there
// are none: in the replay a spending may have taken points from another lot than in the ledger.
const readLots = statement(
  `select l.lot_id, l.remaining from point_lot l
   where l.company_id = $1 and l.member_id = $2 and l.lot_id = any ($3::uuid[])
     and ${isAlive('$4', 'l.')}
     and not exists (
       select from point_burn b join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = b.entry_id
       where b.company_id = $1 and b.member_id = $2 and b.lot_id = l.lot_id
         and e.reverses is distinct from l.lot_id)
     and not exists (
       select from point_return r where r.company_id = $1 and r.member_id = $2 and r.kind = 'award'
         and (r.points > (
           select coalesce(sum(b.points), 0) from point_burn b
           join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = b.entry_id
           where b.company_id = $1 and b.member_id = $2 and b.lot_id = r.entry_id
             and e.reverses = r.entry_id and e.transaction_id = r.transaction_id)
         or exists (
           select from point_burn b join point_entry e
         on e.company_id = $1 and e.member_id = $2 and e.entry_id = b.entry_id
           where b.company_id = $1 and b.member_id = $2 and b.lot_id = r.entry_id
             and e.seq <= r.after_seq and e.reverses is distinct from r.entry_id)))`,
  z.object({ lot_id: z.string(), remaining: z.int() }),
)
const readEnded = statement(
  `select exists (
     select from point_lot where company_id = $1 and member_id = $2 and remaining = 0
       and ${endsLater('$3')} and ${hasExpired('today')}) as ended
   from company, lateral (select ${todaySql('company')} as today) t
   where company_id = $1`,
  z.object({ ended: z.boolean() }),
)

/** The lots of a sale before its return. */
export type OwnLots = {
  /** Whether a lot that was alive on the day of the return is empty and has expired since. */
  ended: boolean
  /**
   * The points in a lot of the sale; 0 if it had expired on the day of the return, or if anything
   * but the sale's returns has ever taken points from it, also if they were given back; and 0 after
   * a return whose own lots did not hold its points untouched.
   */
  left: (lotId: string) => number
}

/** @param day the day of the return */
export async function readOwnLots(
  { tx, companyId, memberId }: LockedAccount,
  ids: readonly string[],
  day: string,
): Promise<OwnLots> {
  const [{ ended }, rows] = await Promise.all([
    tx.one(readEnded, [companyId, memberId, day]),
    ids.length === 0 ? [] : tx.all(readLots, [companyId, memberId, ids, day]),
  ])
  const lots = new Map(rows.map((row) => [row.lot_id, row.remaining]))
  return { ended, left: (lotId) => lots.get(lotId) ?? 0 }
}
