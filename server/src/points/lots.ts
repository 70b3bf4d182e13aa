import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** So many points out of one lot. */
export type Take = { lotId: string; points: number }

const LotRow = z.object({ lot_id: z.string(), remaining: z.int() })

// Burn order: soonest expiry, then earned first, then id. No lot is empty, so as many lots as
// points are enough, however many lie behind them; the running sum ends the list at the one that
// covers it.
const spendable = statement(
  `select lot_id, remaining from (
     select lot_id, remaining, sum(remaining) over burning - remaining as before
     from (
       select lot_id, remaining, expires_on, earned_at from point_lot
       where company_id = $1 and member_id = $2 and remaining > 0
         and active_from <= $3 and (expires_on is null or expires_on >= $3)
       order by expires_on, earned_at, lot_id limit $4
     ) first
     window burning as (order by expires_on nulls last, earned_at, lot_id)
   ) l where before < $4 order by before, lot_id`,
  LotRow,
)
// A return undoes its own award first, even when that has ended meanwhile; then whatever still
// counts.
const returnable = statement(
  `select lot_id, remaining from (
     select lot_id, remaining, sum(remaining) over burning - remaining as before
     from point_lot
     where company_id = $1 and member_id = $2 and remaining > 0
       and (lot_id = $5 or expires_on is null or expires_on >= $3)
     window burning as (
       order by coalesce(lot_id = $5, false) desc, expires_on nulls last, earned_at, lot_id)
   ) l where before < $4 order by before, lot_id`,
  LotRow,
)
// The day of earning is looked up for each lot: joined, a member with many entries is read through.
const overdue = statement(
  `select l.lot_id, l.remaining, l.expires_on,
     (l.expires_on + 1)::timestamp at time zone c.time_zone as ended_at, (
       select earn_date from point_entry
       where company_id = $1 and member_id = $2 and entry_id = l.lot_id
     ) as earn_date
   from point_lot l join company c using (company_id)
   where l.company_id = $1 and l.member_id = $2 and l.remaining > 0 and l.expires_on < $3
   order by l.expires_on, l.earned_at, l.lot_id`,
  z.extend(LotRow, {
    earn_date: z.nullable(z.string()),
    expires_on: z.string(),
    ended_at: z.string(),
  }),
)

type Owner = { tx: Transaction; companyId: string; memberId: string }

/**
 * The lots that a spending of `points` on `today` takes, in burn order: begun and not ended then.
 * @returns null when they do not cover it
 */
export async function lotsToSpend(
  { tx, companyId, memberId }: Owner,
  points: number,
  today: string,
): Promise<Take[] | null> {
  const takes = choose(await tx.all(spendable, [companyId, memberId, today, points]), points)
  return sum(takes) === points ? takes : null
}

/**
 * The lots that taking back up to `points` on `day` takes: the award's own lot, then others that
 * have not ended, pending ones too. Possibly fewer than `points`.
 */
export async function lotsToTakeBack(
  { tx, companyId, memberId }: Owner,
  points: number,
  day: string,
  ownLot: string | null,
): Promise<Take[]> {
  return choose(await tx.all(returnable, [companyId, memberId, day, points, ownLot]), points)
}

/** What has ended before `day` and was not written off yet. */
export async function lotsOverdue({ tx, companyId, memberId }: Owner, day: string) {
  const rows = await tx.all(overdue, [companyId, memberId, day])
  return rows.map((row) => ({
    take: { lotId: row.lot_id, points: row.remaining },
    earnDate: row.earn_date,
    expiresOn: row.expires_on,
    /** RFC 3339: the midnight, in the company's time zone, that ended its last day. */
    endedAt: row.ended_at,
  }))
}

export function sum(takes: readonly Take[]): number {
  return takes.reduce((total, take) => total + take.points, 0)
}

function choose(rows: readonly z.infer<typeof LotRow>[], points: number): Take[] {
  const takes: Take[] = []
  let missing = points
  for (const row of rows) {
    const taken = Math.min(row.remaining, missing)
    if (taken > 0) takes.push({ lotId: row.lot_id, points: taken })
    missing -= taken
  }
  return takes
}
