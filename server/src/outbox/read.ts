import { EventActor, type SentEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { wholeCompany } from '../database/reads/whole.ts'

// Events get their positions after their commits, by the first reader: a position that the event's
// own transaction gave could become visible after a later one, and a reader would miss it.

const readPage = wholeCompany(
  `select position, event_id, event, seq, created_at, store_code, actor, data from event
   where company_id = $1 and position > $2 and created_at >= coalesce($3::timestamptz, '-infinity')
   order by position limit $4`,
  z.object({
    position: z.int(),
    event_id: z.string(),
    event: z.string(),
    seq: z.int(),
    created_at: z.string(),
    store_code: z.nullable(z.string()),
    actor: z.nullable(EventActor),
    data: z.looseObject({ memberCode: z.string() }),
  }),
)
const isBehind = wholeCompany(
  'select exists (select 1 from event where company_id = $1 and position is null) as behind',
  z.object({ behind: z.boolean() }),
)
const addCounter = statement(
  `insert into event_position (company_id, last_position) values ($1, 0) on conflict do nothing`,
  z.unknown(),
)
const lockCounter = lockOf(
  'event_position',
  ['company_id'],
  'select from event_position where company_id = $1 for update',
  z.unknown(),
  'last_position',
)
// A member's events have ids in the order of their commits, because their lock is older.
const readUnplaced = wholeCompany(
  `select member_id, seq from event
   where company_id = $1 and position is null order by event_id limit 5000`,
  z.object({ member_id: z.string(), seq: z.int() }),
)
const moveCounter = statement(
  `update event_position set last_position = last_position + $2 where company_id = $1
   returning last_position`,
  z.object({ last_position: z.int() }),
)
const place = statement(
  `update event e set position = t.position from unnest($3::int[], $4::bigint[]) t (seq, position)
   where e.company_id = $1 and e.member_id = $2 and e.seq = t.seq`,
  z.unknown(),
)

/** The events to read: after a position, and of a time or later. */
export type EventRange = { after: number; since: string | null; limit: number }

/**
 * Reads events in the order of their positions: for each member, the order of the commits.
 * An event is never added before a position that was read.
 */
export async function readEventsAfter(
  database: Database,
  companyId: string,
  { after, since, limit }: EventRange,
): Promise<{ position: number; event: SentEvent }[]> {
  const values = [companyId, after, since, limit]
  const [rows, { behind }] = await database.reading(companyId, (tx) =>
    Promise.all([tx.all(readPage, values), tx.one(isBehind, [companyId])]),
  )
  const isFull = rows.length >= limit
  const all =
    isFull || !behind
      ? rows
      : await database.transaction(companyId, async (tx) => {
          await placeEvents(tx, companyId)
          return tx.all(readPage, values)
        })
  return all.map(({ position, event_id: id, seq: sequence, created_at: at, ...row }) => {
    const { event, store_code: store, actor, data } = row
    return { position, event: { id, event, sequence, at, store, actor, data } }
  })
}

async function placeEvents(tx: Transaction, companyId: string): Promise<void> {
  await Promise.all([addCounter, lockCounter].map((s) => tx.run(s, [companyId])))
  const events = await tx.all(readUnplaced, [companyId])
  if (events.length === 0) return
  const { last_position: last } = await tx.one(moveCounter, [companyId, events.length])
  const members = new Map<string, { seqs: number[]; positions: number[] }>()
  for (const [index, { member_id: id, seq }] of events.entries()) {
    const own = members.get(id) ?? { seqs: [], positions: [] }
    own.seqs.push(seq)
    own.positions.push(last - events.length + 1 + index)
    members.set(id, own)
  }
  await Promise.all(
    Array.from(members, ([id, { seqs, positions }]) =>
      tx.run(place, [companyId, id, seqs, positions]),
    ),
  )
}
