import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import type { LockedAccount } from '../ledger.ts'

const readLots = statement(
  `select lot_id, remaining, expires_on from point_lot
   where company_id = $1 and member_id = $2 and lot_id = any ($3::uuid[])`,
  z.object({ lot_id: z.string(), remaining: z.int(), expires_on: z.nullable(z.string()) }),
)
const readEnded = statement(
  `select exists (
     select from point_lot where company_id = $1 and member_id = $2 and remaining = 0
       and expires_on >= $3 and expires_on < today) as ended
   from company, lateral (select (now() at time zone time_zone)::date as today) t
   where company_id = $1`,
  z.object({ ended: z.boolean() }),
)

/** The lots of a sale before its return. */
export type OwnLots = {
  /** Whether a lot that was alive on the day of the return is empty and has expired since. */
  ended: boolean
  /** The points in a lot of the sale; 0 if it had expired on the day of the return. */
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
    ids.length === 0 ? [] : tx.all(readLots, [companyId, memberId, ids]),
  ])
  const alive = rows.filter((row) => row.expires_on === null || row.expires_on >= day)
  const lots = new Map(alive.map((row) => [row.lot_id, row.remaining]))
  return { ended, left: (lotId) => lots.get(lotId) ?? 0 }
}
