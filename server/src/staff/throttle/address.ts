import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../../database/database.ts'
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

const columns = `array(
    select x from unnest(tries) x
    where x > clock_timestamp() - interval '15 minutes' order by x) as recent,
  clock_timestamp() as now`
const Row = z.object({ recent: z.array(z.date()), now: z.string() })
type Row = z.infer<typeof Row>
const readRow = statement(
  `select ${columns} from login_address where company_id = $1 and kind = $2 and network = $3`,
  Row,
)
const lockRow = statement(
  `select ${columns} from login_address
   where company_id = $1 and kind = $2 and network = $3 for update`,
  Row,
)
const makeRow = statement(
  `insert into login_address (company_id, kind, network, tries, newest)
   values ($1, $2, $3, '{}', now()) on conflict do nothing`,
  z.unknown(),
)
const writeRow = statement(
  `update login_address set tries = $4, newest = now()
   where company_id = $1 and kind = $2 and network = $3`,
  z.unknown(),
)
const dropOldRows = statement(
  `delete from login_address where company_id = $1 and (kind, network) in (
     select kind, network from login_address
     where company_id = $1 and newest < now() - interval '15 minutes'
     limit 20 for update skip locked)`,
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
  return row === null ? null : waitOf(kind, row)
}

/**
 * Counts an attempt of an address. The row's lock makes the count exact for concurrent attempts on
 * any server process.
 * @returns the seconds to wait if the attempt is beyond the limit and not counted, or null
 */
export async function takeFromAddress(
  database: Database,
  kind: Kind,
  address: string,
): Promise<number | null> {
  const wait = await waitOfAddress(database, kind, address)
  if (wait !== null) return wait
  return change(database, kind, address, (row) => {
    const refused = waitOf(kind, row)
    return { result: refused, tries: refused === null ? [...row.recent, row.now] : null }
  })
}

/** Removes one attempt of an address, after a successful login. */
export async function giveBackToAddress(
  database: Database,
  kind: Kind,
  address: string,
): Promise<void> {
  await change(database, kind, address, (row) => ({
    result: null,
    tries: row.recent.length === 0 ? null : row.recent.slice(0, -1),
  }))
}

function waitOf(kind: Kind, { recent, now }: Row): number | null {
  const excess = recent.length - limits[kind]
  return excess < 0 ? null : secondsUntilGone(recent[excess], now)
}

type Changed = { result: number | null; tries: readonly (Date | string)[] | null }

/** @param decide returns the attempts to store; null leaves the row as it is */
function change(
  database: Database,
  kind: Kind,
  address: string,
  decide: (row: Row) => Changed,
): Promise<number | null> {
  const values = [noCompany, kind, networkOf(address)]
  return database.transaction(noCompany, async (tx) => {
    const { result, tries } = decide(await lock(tx, values))
    if (tries !== null) await tx.run(writeRow, [...values, tries])
    return result
  })
}

async function lock(tx: Transaction, values: readonly string[]): Promise<Row> {
  const row = await tx.maybe(lockRow, values)
  if (row !== null) return row
  // A new address pays for the removal of old ones.
  await tx.run(dropOldRows, [noCompany])
  await tx.run(makeRow, values)
  return lock(tx, values)
}
