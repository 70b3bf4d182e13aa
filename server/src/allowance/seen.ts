import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { knownSettings } from '../company/settings.ts'
import type { Context } from '../database/context.ts'
import { statement, type Transaction } from '../database/database.ts'
import { companyAlerted, passwordTyped } from '../staff/throttle/sights.ts'

// The rows of `look_up` are the count: the different members that the clerk has seen and the
// searches by name, since the window began or since the clerk's last login or password. The query
// reads one range of one index, newest rows first.
const maxRows = 2000
const readSeen = statement(
  `with recent as materialized (
     select at, seen_id from look_up
     where company_id = $1 and staff_id = $2 and at > now() - make_interval(mins => $3)
     order by at desc limit ${maxRows}
   ), proof as (
     select coalesce(max(at), '-infinity') as at from recent where seen_id = '${passwordTyped}'
   )
   select $3::int as minutes,
     coalesce(array_agg(distinct r.seen_id::text) filter (
       where r.seen_id not in ('${passwordTyped}', '${companyAlerted}')
     ), '{}') as ids,
     coalesce(bool_or(r.seen_id = '${companyAlerted}'), false) as alerted,
     count(r.at) >= ${maxRows} as crowded,
     coalesce(extract(epoch from nullif(proof.at, '-infinity')), 0)::float8 as proved_at,
     extract(epoch from now())::float8 as read_at
   from proof left join recent r on r.at > proof.at group by proof.at`,
  z.object({
    minutes: z.int(),
    /** Of members and of searches. */
    ids: z.array(z.string()),
    alerted: z.boolean(),
    /** So many rows that older ones were not read; no clerk has as many in an hour. */
    crowded: z.boolean(),
    /** Seconds since 1970 by the database's clock, like `read_at`. */
    proved_at: z.number(),
    read_at: z.number(),
  }),
)

/** The members that a clerk has seen lately, and the searches by name, as the database knows it. */
export type Seen = z.infer<typeof readSeen.row>

/**
 * Reads the members that a clerk has seen, in the round trip of the look-up's own query. Null when
 * the company has no limit, or this process does not know its settings yet.
 */
export async function seenAhead(
  tx: Transaction,
  companyId: string,
  staffId: string,
): Promise<Seen | null> {
  const limit = knownSettings(companyId)?.allowances.lookUps ?? null
  return limit === null ? null : tx.one(readSeen, [companyId, staffId, limit.minutes])
}

// The rows are written a moment after the answer. Each process therefore remembers its own
// look-ups for one to two seconds: in the current second's map and in that of the second before.
const generationMs = 1000
type Generation = Map<string, Map<string, number>>
let [current, previous, began]: [Generation, Generation, number] = [new Map(), new Map(), 0]

function remembered(clerk: string): Map<string, number>[] {
  const now = performance.now()
  if (now - began > generationMs) {
    previous = now - began > 2 * generationMs ? new Map() : current
    ;[current, began] = [new Map(), now]
  }
  return [previous.get(clerk) ?? new Map(), current.get(clerk) ?? new Map()]
}

/** Remembered like the id of a member: the company was alerted. */
const alert = 'alert'

type Looking = Pick<Context, 'tx' | 'company' | 'staff' | 'isSystem' | 'store' | 'changed'> & {
  fail(failure: 'lookUpChallenge', data: { members: number; minutes: number }): never
}

/**
 * Lets a clerk see a member, or asks for the password when the clerk has seen as many different
 * members as the company allows. The first refusal also alerts the company.
 * @param memberId null when no member was found; the limit then refuses alike, so that the refusal
 *   does not show whether the member exists
 * @param ahead what `seenAhead` read
 */
export function admit(
  context: Looking,
  settings: Pick<Settings, 'allowances'>,
  memberId: string | null,
  ahead: Seen | null = null,
): Promise<void> {
  return admitOne(context, settings, { id: memberId, memberId }, ahead)
}

/**
 * Lets a clerk search by a name, under the same limit: each search counts as one more member.
 * @param search the id that the search's audit row will have
 */
export function admitSearch(
  context: Looking,
  settings: Pick<Settings, 'allowances'>,
  search: string,
): Promise<void> {
  return admitOne(context, settings, { id: search, memberId: null }, null)
}

/** `id` is what is counted: the member or the search; null where nothing was found. */
type Counted = { id: string | null; memberId: string | null }

async function admitOne(
  context: Looking,
  { allowances: { lookUps } }: Pick<Settings, 'allowances'>,
  { id, memberId }: Counted,
  ahead: Seen | null,
): Promise<void> {
  if (lookUps === null || context.isSystem) return
  const { tx, company, staff, store } = context
  const { members: limit, minutes } = lookUps
  const seen =
    ahead?.minutes === minutes ? ahead : await tx.one(readSeen, [company.id, staff.id, minutes])
  const clerk = `${company.id} ${staff.id}`
  const own = remembered(clerk).flatMap((generation) =>
    [...generation].filter(([, time]) => time > seen.proved_at).map(([one]) => one),
  )
  const known = new Set([...seen.ids, ...own])
  const alerted = known.delete(alert) || seen.alerted
  const isNew = id === null || !known.has(id)
  const mine = current.get(clerk) ?? new Map<string, number>()
  current.set(clerk, mine)
  if (!seen.crowded && (!isNew || known.size < limit)) {
    if (id !== null) mine.set(id, seen.read_at)
    return
  }
  context.changed({ action: 'member.lookUpRefused', memberId, details: { limit, minutes } })
  if (!alerted && memberId !== null) {
    mine.set(alert, seen.read_at)
    const details = { kind: 'lookUps', used: known.size, limit }
    const who = { account: staff.account, storeCode: store.code }
    context.changed({ action: 'staff.alert', memberId, details: { ...details, ...who } })
  }
  return context.fail('lookUpChallenge', { members: limit, minutes })
}
