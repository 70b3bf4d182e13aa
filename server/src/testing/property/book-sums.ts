import { addDays, endOfMonth } from '@tillside/contract/rules/day'
import type { Books, PointReport } from '@tillside/contract/report'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import type { Shop } from '../factories/shop.ts'

// The books of a company, added up from its rows without the server's code: each entry is read, and
// its day is worked out by the calendar of JavaScript.

const readEntries = statement(
  `select member_id, entry_id, type, points, store_code, created_at from point_entry
   where company_id = $1`,
  z.object({
    member_id: z.string(),
    entry_id: z.string(),
    type: z.int(),
    points: z.int(),
    store_code: z.nullable(z.string()),
    created_at: z.string(),
  }),
)
const readTaken = statement(
  `select b.entry_id, -b.points as points, l.expires_on from point_burn b
   join point_lot l using (company_id, member_id, lot_id) where company_id = $1
   union all
   select lot_id, points, expires_on from point_lot where company_id = $1`,
  z.object({ entry_id: z.string(), points: z.int(), expires_on: z.nullable(z.string()) }),
)

export type Sums = Awaited<ReturnType<typeof readSums>>

/** Reads all entries of a company. */
export async function readSums({ database, id }: Shop, timeZone: string) {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  return database.reading(id, async (tx) => {
    const [rows, moves] = await Promise.all([tx.all(readEntries, [id]), tx.all(readTaken, [id])])
    const entries = rows.map((row) =>
      Object.assign(row, { day: format.format(new Date(row.created_at)) }),
    )
    const days = new Map(entries.map(({ entry_id: entryId, day }) => [entryId, day]))
    const lots = moves.map(({ entry_id: entryId, points, expires_on: expiresOn }) => ({
      day: days.get(entryId) ?? '',
      points,
      month: expiresOn?.slice(0, 7) ?? null,
    }))
    return { entries, lots }
  })
}

/** The same figures as a report's `total`, or those of one store. */
export function sumsOf(
  { entries }: Sums,
  from: string,
  to: string,
  store?: string | null,
): { opening: number; closing: number; types: number[] } {
  const own = entries.filter((one) => store === undefined || one.store_code === store)
  const sum = (of: typeof own) => of.reduce((total, { points }) => total + points, 0)
  const moved = own.filter(({ day }) => day >= from && day <= to)
  return {
    opening: sum(own.filter(({ day }) => day < from)),
    closing: sum(own.filter(({ day }) => day <= to)),
    types: Array.from({ length: 16 }, (_, n) =>
      sum(moved.filter(({ type }) => type % 100_000_000 === n)),
    ),
  }
}

/** The same of a report. */
export function figuresOf({ opening, closing, types }: Books) {
  return {
    opening: opening.points,
    closing: closing.points,
    types: types.map(({ points }) => points),
  }
}

/** What was held at the end of a day, by the month of expiry. */
export function heldAt({ lots }: Sums, to: string): Map<string | null, number> {
  const held = new Map<string | null, number>()
  for (const { day, points, month } of lots) {
    if (day <= to) held.set(month, (held.get(month) ?? 0) + points)
  }
  return new Map([...held].filter(([, points]) => points !== 0))
}

/** The same of a report. */
export function outstandingOf({ outstanding }: PointReport): Map<string | null, number> {
  return new Map(outstanding.map(({ month, points }) => [month, points]))
}

/** The last day of a month, and the day after it. */
export function endOf(month: string): { last: string; next: string } {
  const last = endOfMonth(month)
  return { last, next: addDays(last, 1) }
}
