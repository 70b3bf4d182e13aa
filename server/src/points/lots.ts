import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

/** A number of points taken from one lot. */
export type Take = { lotId: string; points: number }

/**
 * The SQL that lists lots in burn order: the earliest expiry first and lots without one last, then
 * the earliest earned, then by id. `inBurnOrder` of `replay/life.ts` is the same rule.
 * @param lot the name of the table in the statement, with its dot
 */
export function burnOrder(lot = ''): string {
  return `${lot}expires_on, ${lot}earned_at, ${lot}lot_id`
}

/**
 * The SQL that is true for lots whose points have not expired on a day. The last day counts.
 * @param day the SQL of the day
 * @param lot as for `burnOrder`
 */
export function isAlive(day: string, lot = ''): string {
  return `(${lot}expires_on is null or ${endsLater(day, lot)})`
}

/** Like `isAlive`, for lots that have a last day. Null for a lot that never expires. */
export function endsLater(day: string, lot = ''): string {
  return `${lot}expires_on >= ${day}`
}

/** The opposite of `isAlive`. Null for a lot that never expires. */
export function hasExpired(day: string, lot = ''): string {
  return `${lot}expires_on < ${day}`
}

const TakeRow = z.object({ lot_id: z.string(), points: z.int() })

/**
 * The SQL that chooses the lots for a debit on a day, in burn order: `lot_id`, and the `points` to
 * take from it. Pending and expired lots are left out. The parameters are SQL; `$1` is the company.
 */
export function spendableSql(member: string, day: string, points: string): string {
  // Each of these lots holds at least one point, so reading as many lots as points is enough. The
  // running sum ends the list at the lot that covers the rest.
  return `select lot_id, least(remaining, ${points} - before)::bigint as points from (
     select lot_id, remaining, sum(remaining) over burning - remaining as before
     from (
       select lot_id, remaining, expires_on, earned_at from point_lot
       where company_id = $1 and member_id = ${member} and remaining > 0
         and active_from <= ${day} and ${isAlive(day)}
       order by ${burnOrder()} limit ${points}
     ) first
     window burning as (order by ${burnOrder()})
   ) l where before < ${points} order by before, lot_id`
}

const spendable = statement(spendableSql('$2', '$3::date', '$4::bigint'), TakeRow)
// Like `spendable`, with points that are still pending.
const returnable = statement(
  `select lot_id, least(remaining, $4::bigint - before)::bigint as points from (
     select lot_id, remaining, sum(remaining) over burning - remaining as before
     from point_lot
     where company_id = $1 and member_id = $2 and remaining > 0
       and ${isAlive('$3')}
     window burning as (order by ${burnOrder()})
   ) l where before < $4 order by before, lot_id`,
  TakeRow,
)
// A subquery reads the earning day of each lot. A join could read all entries of the member.
const overdue = statement(
  `select l.lot_id, l.remaining, l.expires_on,
     (l.expires_on + 1)::timestamp at time zone c.time_zone as ended_at, (
       select earn_date from point_entry
       where company_id = $1 and member_id = $2 and entry_id = l.lot_id
     ) as earn_date
   from point_lot l join company c using (company_id)
   where l.company_id = $1 and l.member_id = $2 and l.remaining > 0 and ${hasExpired('$3', 'l.')}
   order by ${burnOrder('l.')}`,
  z.object({
    lot_id: z.string(),
    remaining: z.int(),
    earn_date: z.nullable(z.string()),
    expires_on: z.string(),
    ended_at: z.string(),
  }),
)

type Owner = { tx: Transaction; companyId: string; memberId: string }

/**
 * Chooses the lots for a debit of `points` on `today`, in burn order. Pending and expired lots are
 * left out.
 * @returns null if the lots do not hold enough points
 */
export async function lotsToSpend(
  { tx, companyId, memberId }: Owner,
  points: number,
  today: string,
): Promise<Take[] | null> {
  const takes = takesOf(await tx.all(spendable, [companyId, memberId, today, points]))
  return sum(takes) === points ? takes : null
}

/**
 * Chooses the lots for taking back up to `points` on `day` from lots that have not expired,
 * including pending ones. The lots may hold fewer than `points`.
 */
export async function lotsToTakeBack(
  { tx, companyId, memberId }: Owner,
  points: number,
  day: string,
): Promise<Take[]> {
  return takesOf(await tx.all(returnable, [companyId, memberId, day, points]))
}

/** Reads the lots that expired before `day` and were not written off yet. */
export async function lotsOverdue({ tx, companyId, memberId }: Owner, day: string) {
  const rows = await tx.all(overdue, [companyId, memberId, day])
  return rows.map((row) => ({
    take: { lotId: row.lot_id, points: row.remaining },
    earnDate: row.earn_date,
    expiresOn: row.expires_on,
    /** RFC 3339: the midnight in the company's time zone at the end of the lot's last day. */
    endedAt: row.ended_at,
  }))
}

export function sum(takes: readonly Take[]): number {
  return takes.reduce((total, take) => total + take.points, 0)
}

function takesOf(rows: readonly z.infer<typeof TakeRow>[]): Take[] {
  return rows.map(({ lot_id: lotId, points }) => ({ lotId, points }))
}
