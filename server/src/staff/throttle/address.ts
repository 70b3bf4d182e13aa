import * as z from 'zod/mini'
import { type Database, statement } from '../../database/database.ts'
import { inOneRoundTrip } from '../../database/single-transaction.ts'
import { networkOf } from '../../values/network.ts'
import { secondsUntilGone } from './window.ts'

// Attempts of a network address, for all companies together: an attacker must not get more of them
// by naming several companies. These rows belong to no company, so they have the nil UUID, which no
// company has.
export const noCompany = '00000000-0000-0000-0000-000000000000'

// One address may send more wrong passwords than one account allows, because the clerks of a shop
// share an address. A link cannot be guessed; its limit only stops endless requests.
const limits = { password: 50, link: 200 } as const
type Kind = keyof typeof limits

const readRow = statement(
  `select recent_tries(tries, clock_timestamp()) as recent, clock_timestamp() as now
   from login_address
   where company_id = $1 and kind = $2 and network = $3`,
  z.object({ recent: z.array(z.date()), now: z.string() }),
)
// Counts an attempt only within the limit. `xmax` is 0 for a row that was inserted.
const addTry = statement(
  `insert into login_address as a (company_id, kind, network, tries, newest)
   values ($1, $2, $3, array[clock_timestamp()], clock_timestamp())
   on conflict (company_id, kind, network) do update
     set tries = recent_tries(a.tries, excluded.newest) || excluded.newest,
       newest = excluded.newest
     where cardinality(recent_tries(a.tries, excluded.newest)) < $4
   returning xmax = 0 as first`,
  z.object({ first: z.boolean() }),
)
// Removes the newest attempt.
const removeTry = statement(
  `update login_address a
   set tries = trim_array(recent_tries(a.tries, now()), 1), newest = now()
   where company_id = $1 and kind = $2 and network = $3 and recent_tries(a.tries, now()) <> '{}'`,
  z.unknown(),
)
const dropOldRows = statement(
  `delete from login_address a using (
     select kind, network from login_address
     where company_id = $1 and newest < now() - interval '15 minutes'
     limit 20 for update skip locked
   ) old
   where a.company_id = $1 and a.kind = old.kind and a.network = old.network`,
  z.unknown(),
)

/** Reads the seconds that an address must wait, or null. It writes and locks nothing. */
export async function waitOfAddress(
  database: Database,
  kind: Kind,
  address: string,
): Promise<number | null> {
  const values = [noCompany, kind, networkOf(address)]
  const row = await database.reading(noCompany, (tx) => tx.maybe(readRow, values))
  if (row === null) return null
  const excess = row.recent.length - limits[kind]
  return excess < 0 ? null : secondsUntilGone(row.recent[excess], row.now)
}

/**
 * Counts an attempt of an address. The row's lock makes the count exact for concurrent attempts on
 * any server process; it is held for no round trip, because a whole shop shares the row.
 * @returns the seconds to wait if the attempt is beyond the limit and not counted, or null
 */
export async function takeFromAddress(
  database: Database,
  kind: Kind,
  address: string,
): Promise<number | null> {
  const wait = await waitOfAddress(database, kind, address)
  if (wait !== null) return wait
  const values = [noCompany, kind, networkOf(address), limits[kind]]
  const taken = await inOneRoundTrip(database, noCompany, (tx) => tx.maybe(addTry, values))
  if (taken === null) return (await waitOfAddress(database, kind, address)) ?? 1
  // A new address pays for the removal of old ones.
  if (taken.first) await database.transaction(noCompany, (tx) => tx.run(dropOldRows, [noCompany]))
  return null
}

/** Removes one attempt of an address, after a successful login. */
export async function giveBackToAddress(
  database: Database,
  kind: Kind,
  address: string,
): Promise<void> {
  const values = [noCompany, kind, networkOf(address)]
  await inOneRoundTrip(database, noCompany, (tx) => tx.run(removeTry, values))
}
