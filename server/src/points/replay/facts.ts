import { pointTypes } from '@tillside/contract/wire/codes'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { type LockedAccount, typeIn } from '../ledger.ts'
import type { LifeEvent, LifeLot } from './life.ts'
import { readMergeHistory } from './merges.ts'

// The facts of a member's points: the entries, and the points that each return asked for. Each
// lot is read by its whole key: `offset 0` prevents a join. Where PostgreSQL expects few rows of a
// member, the join compares each entry with each lot.

const readEntries = statement(
  `select e.entry_id, e.seq, e.type, e.points, e.reverses, e.transaction_id,
     (e.created_at at time zone c.time_zone)::date as day, l.points as lot_points, l.remaining,
     l.active_from, l.expires_on, extract(epoch from l.earned_at)::float8 as earned_at
   from point_entry e join company c using (company_id)
   left join lateral (select * from point_lot o where o.company_id = $1 and o.member_id = $2
     and o.lot_id = e.entry_id offset 0) l on true
   where e.company_id = $1 and e.member_id = $2 and not ${typeIn('e.type', 'expired')}
   order by e.seq`,
  z.object({
    entry_id: z.string(),
    seq: z.int(),
    type: z.int(),
    points: z.int(),
    reverses: z.nullable(z.string()),
    transaction_id: z.nullable(z.string()),
    day: z.string(),
    lot_points: z.nullable(z.int()),
    remaining: z.nullable(z.int()),
    active_from: z.nullable(z.string()),
    expires_on: z.nullable(z.string()),
    earned_at: z.nullable(z.number()),
  }),
)
const readExpired = statement(
  `select (max(expiry_date) + 1)::text as day from point_entry
   where company_id = $1 and member_id = $2 and ${typeIn('type', 'expired')}`,
  z.object({ day: z.nullable(z.string()) }),
)
const kinds = ['award', 'loose', 'paid', 'forgiven'] as const
const readReturns = statement(
  `select r.fact_id, r.transaction_id, r.after_seq, r.day, r.kind, r.entry_id, r.points,
     r.grace_until, extract(epoch from l.earned_at)::float8 as earned_at
   from point_return r left join lateral (select * from point_lot o where o.company_id = $1
     and o.member_id = $2 and o.lot_id = r.fact_id offset 0) l on true
   where r.company_id = $1 and r.member_id = $2 order by r.after_seq, r.fact_id`,
  z.object({
    fact_id: z.string(),
    transaction_id: z.nullable(z.string()),
    after_seq: z.int(),
    day: z.string(),
    kind: z.enum(kinds),
    entry_id: z.nullable(z.string()),
    points: z.int(),
    grace_until: z.nullable(z.string()),
    earned_at: z.nullable(z.number()),
  }),
)
const insertReturns = statement(
  'select add_return_facts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  z.unknown(),
)

/** The points that a return asked for, whether it could take them or not. */
export type ReturnFact = {
  id: string
  kind: (typeof kinds)[number]
  /** The award's lot, or the redemption that paid; null for the other kinds. */
  entryId: string | null
  /** Above 0. */
  points: number
  /** For `paid`: the last day of points whose lot has expired; null: they lapse. */
  graceUntil: string | null
}

/** A member's lots as they are in the database, and the facts that explain them. */
export type Facts = {
  /** In no order; `remaining`: the points in the lot now. */
  lots: readonly (LifeLot & { remaining: number })[]
  /** The points that returns have asked back of each lot. */
  reversed: ReadonlyMap<string, number>
  events: readonly LifeEvent[]
}

/** @returns the first day on which all lots that are written off had expired; null: none is */
export async function readWrittenOff({
  tx,
  companyId,
  memberId,
}: LockedAccount): Promise<string | null> {
  const { day } = await tx.one(readExpired, [companyId, memberId])
  return day
}

/** Stores the facts of a return. */
export async function addReturnFacts(
  { tx, companyId, memberId, entries }: LockedAccount,
  facts: readonly ReturnFact[],
  { transactionId, day }: { transactionId: string | null; day: string },
): Promise<void> {
  if (facts.length === 0) return
  await tx.run(insertReturns, [
    companyId,
    memberId,
    transactionId,
    entries,
    day,
    facts.map((fact) => fact.id),
    facts.map((fact) => fact.kind),
    facts.map((fact) => fact.entryId),
    facts.map((fact) => fact.points),
    facts.map((fact) => fact.graceUntil),
  ])
}

/** Reads all facts of a member. Returns from before these facts were kept are plain debits. */
export async function readFacts(account: LockedAccount): Promise<Facts> {
  const of = [account.companyId, account.memberId]
  const [entries, returns, merges] = await Promise.all([
    account.tx.all(readEntries, of),
    account.tx.all(readReturns, of),
    readMergeHistory(account),
  ])
  const lots = lotsOf(entries)
  const reversed = new Map<string, number>()
  for (const { kind, entry_id: id, points } of returns) {
    if (kind === 'award' && id !== null) reversed.set(id, (reversed.get(id) ?? 0) + points)
  }
  const ownerOf = (id: string) => merges.ownerOf(id) ?? account.memberId
  const history = historyOf(entries, lots, returns, ownerOf)
  // A fact and a merge may have the same place: the merge has listed the facts before it.
  const [early, late] = [true, false].map((isEarly) =>
    returns
      .filter((row) => (merges.ownerOf(row.fact_id) !== null) === isEarly)
      .flatMap((row) => askedBy(row, ownerOf(row.fact_id))),
  )
  return {
    lots,
    reversed,
    events: [...history, ...(early ?? []), ...merges.events, ...(late ?? [])],
  }
}

type EntryRow = z.infer<typeof readEntries.row>
type ReturnRow = z.infer<typeof readReturns.row>

function lotsOf(entries: readonly EntryRow[]): Facts['lots'] {
  return entries.flatMap((row) => {
    if (row.lot_points === null || row.active_from === null || row.earned_at === null) return []
    const { entry_id: id, lot_points: points, active_from: activeFrom } = row
    const { expires_on: expiresOn, earned_at: earnedAt, remaining } = row
    return [{ id, points, activeFrom, expiresOn, earnedAt, remaining: remaining ?? 0 }]
  })
}

/** The events of the entries, without those of returns whose facts are kept. */
function historyOf(
  entries: readonly EntryRow[],
  lots: Facts['lots'],
  returns: readonly ReturnRow[],
  ownerOf: (id: string) => string,
): LifeEvent[] {
  const known = new Set(returns.map((row) => row.transaction_id))
  const lotOf = new Map(lots.map((lot) => [lot.id, lot]))
  return entries.flatMap((row): LifeEvent[] => {
    const { entry_id: id, seq, day, type, reverses } = row
    const at = { seq, day }
    const owner = ownerOf(id)
    const lot = lotOf.get(id)
    if (lot !== undefined) {
      return type === pointTypes.refund.code ? [] : [{ ...at, kind: 'earn', owner, lot }]
    }
    if (row.points > 0) {
      const byClerk = row.transaction_id === null && reverses !== null
      return byClerk ? [{ ...at, kind: 'undo', debit: reverses }] : []
    }
    // The fact of a return has the points that it asked for.
    const isFact = row.transaction_id === null || known.has(row.transaction_id)
    if (type === pointTypes.returned.code && isFact) return []
    const pending = takesPending.has(type)
    return [{ ...at, kind: 'debit', owner, id, points: -row.points, pending }]
  })
}

function askedBy(row: ReturnRow, owner: string): LifeEvent[] {
  const { fact_id: id, kind, entry_id: entryId, points, grace_until: graceUntil } = row
  return eventOf(
    { id, kind, entryId, points, graceUntil },
    { owner, afterSeq: row.after_seq, day: row.day, earnedAt: row.earned_at ?? 0 },
  )
}

const takesPending = new Set<number>([
  pointTypes.adjustmentDown.code,
  pointTypes.specialDeduct.code,
  pointTypes.returned.code,
])

/** The member whose return it is, and the place in the history. */
type FactPlace = { owner: string; afterSeq: number; day: string; earnedAt: number }

/** The event of a fact. An award has none: its lot is smaller from the beginning. */
export function eventOf(
  { id, kind, entryId, points, graceUntil }: ReturnFact,
  { owner, afterSeq, day, earnedAt }: FactPlace,
): LifeEvent[] {
  const at = { seq: afterSeq + 0.5, day }
  switch (kind) {
    case 'loose':
      return [{ ...at, kind: 'debit', owner, id, points, pending: true }]
    case 'forgiven':
      return [{ ...at, kind: 'forgive', owner, points }]
    case 'paid': {
      if (entryId === null) return []
      const grace =
        graceUntil === null
          ? null
          : { id, points: 0, earnedAt, activeFrom: day, expiresOn: graceUntil }
      return [{ ...at, kind: 'giveBack', debit: entryId, points, grace }]
    }
    case 'award':
      return []
  }
}
