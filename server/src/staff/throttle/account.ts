import * as z from 'zod/mini'
import { statement, type Transaction } from '../../database/database.ts'
import { lockOf } from '../../database/lock.ts'
import { networkOf } from '../../values/network.ts'
import { secondsUntilGone } from './window.ts'

// Attempts on one account from devices that have not logged in to it before.

/** The wrong passwords of one address. */
const addressLimit = 10
/** The wrong passwords of all addresses; one address can use at most half of them. */
const accountLimit = 10
const shareOfAddress = accountLimit / 2

const makeRow = statement(
  `insert into login_throttle (company_id, kind, key, tries) values ($1, 'account', $2, '{}')
   on conflict (company_id, kind, key) do update set key = excluded.key`,
  z.unknown(),
)
// A row of the version before has no networks.
const lockRow = lockOf(
  'login_throttle',
  ['company_id', 'key'],
  `select array(select x from unnest(tries, networks) u (x, n)
       where x > clock_timestamp() - interval '15 minutes' order by x, n) as recent,
     array(select coalesce(n, '') from unnest(tries, networks) u (x, n)
       where x > clock_timestamp() - interval '15 minutes' order by x, n) as networks,
     clock_timestamp() as now
   from login_throttle where company_id = $1 and key = $2 and kind = 'account' for update`,
  z.object({ recent: z.array(z.date()), networks: z.array(z.string()), now: z.string() }),
)
const writeRow = statement(
  `update login_throttle set tries = $3, networks = $4
   where company_id = $1 and kind = 'account' and key = $2`,
  z.unknown(),
)

/** One attempt, oldest first in a list. */
export type Try = { at: Date | string; network: string }

/**
 * Counts an attempt of a stranger on an account. The row's lock makes the count exact for
 * concurrent attempts on any server process.
 * @returns the seconds to wait if the attempt is beyond a limit and not counted, or null
 */
export async function takeFromAccount(
  tx: Transaction,
  companyId: string,
  account: string,
  address: string,
): Promise<number | null> {
  const network = networkOf(address)
  const { tries, now } = await lock(tx, companyId, account)
  const last = lastToLeave(tries, network)
  if (last !== null) return secondsUntilGone(new Date(last.at), now)
  write(tx, companyId, account, [...tries, { at: now, network }])
  return null
}

/** Removes the attempts of an address on an account, after the correct password. */
export async function giveBackToAccount(
  tx: Transaction,
  companyId: string,
  account: string,
  address: string,
): Promise<void> {
  const network = networkOf(address)
  const { tries } = await lock(tx, companyId, account)
  const left = tries.filter((one) => one.network !== network)
  write(tx, companyId, account, left)
}

/**
 * The attempt that must leave the window before the network may try again, or null when it may try
 * now.
 */
export function lastToLeave<T extends Try>(tries: readonly T[], network: string): T | null {
  const gone = tries.findIndex((_, n) => mayTry(tries.slice(n), network))
  if (gone === 0 || tries.length === 0) return null
  return tries[gone === -1 ? tries.length - 1 : gone - 1] ?? null
}

function mayTry(tries: readonly Try[], network: string): boolean {
  const perNetwork = Map.groupBy(tries, (one) => one.network)
  const shares = [...perNetwork.values()].map((own) => Math.min(own.length, shareOfAddress))
  const used = shares.reduce((sum, share) => sum + share, 0)
  return used < accountLimit && (perNetwork.get(network)?.length ?? 0) < addressLimit
}

async function lock(
  tx: Transaction,
  companyId: string,
  account: string,
): Promise<{ tries: Try[]; now: string }> {
  // Also locks an existing row, so that it is not deleted before it is read.
  const [, { recent, networks, now }] = await Promise.all([
    tx.run(makeRow, [companyId, account]),
    tx.one(lockRow, [companyId, account]),
  ])
  return { tries: recent.map((at, n) => ({ at, network: networks[n] ?? '' })), now }
}

function write(tx: Transaction, companyId: string, account: string, tries: readonly Try[]): void {
  const [times, networks] = [tries.map(({ at }) => at), tries.map(({ network }) => network)]
  tx.atCommit(writeRow, [companyId, account, times, networks])
}
