import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'

// A sliding window of 15 minutes. An account allows ten wrong attempts from any address; one
// network address allows more, because all clerks of a shop share one. A link cannot be guessed;
// its limit only stops endless requests from one address.
const limits = { account: 10, address: 50, link: 200 } as const
type Kind = keyof typeof limits

// Locks the row if it exists, so that it is not deleted before it is read.
const makeRow = statement(
  `insert into login_throttle (company_id, kind, key, tries) values ($1, $2, $3, '{}')
   on conflict (company_id, kind, key) do update set key = excluded.key`,
  z.unknown(),
)
const lockRow = statement(
  `select array(
       select x from unnest(tries) x
       where x > clock_timestamp() - interval '15 minutes' order by x) as recent,
     clock_timestamp() as now
   from login_throttle where company_id = $1 and kind = $2 and key = $3 for update`,
  z.object({ recent: z.array(z.date()), now: z.string() }),
)
const writeRow = statement(
  'update login_throttle set tries = $4 where company_id = $1 and kind = $2 and key = $3',
  z.unknown(),
)

/**
 * Counts a login attempt before the password is checked, in a transaction of its own, so that the
 * attempt counts even if the rest fails. The row's lock makes the count exact for concurrent
 * attempts on any server process. An attempt beyond the limit is not counted: the account is free
 * again when the oldest attempt is 15 minutes old.
 * @returns the seconds to wait, or null when the attempt is allowed
 */
export async function countLoginAttempt(
  database: Database,
  companyId: string,
  account: string,
  address: string,
): Promise<number | null> {
  return database.transaction(
    companyId,
    async (tx) =>
      (await take(tx, companyId, 'account', account)) ??
      (await take(tx, companyId, 'address', address)),
  )
}

async function take(
  tx: Transaction,
  companyId: string,
  kind: Kind,
  key: string,
): Promise<number | null> {
  await tx.run(makeRow, [companyId, kind, key])
  const { recent, now } = await tx.one(lockRow, [companyId, kind, key])
  const oldest = recent[0]
  if (oldest !== undefined && recent.length >= limits[kind]) {
    const secondsSince = (Date.parse(now) - oldest.getTime()) / 1000
    return Math.max(1, Math.ceil(15 * 60 - secondsSince))
  }
  await tx.run(writeRow, [companyId, kind, key, [...recent, now]])
  return null
}

/** Counts one use of a link in the same way. @returns the seconds to wait, or null */
export function countLinkAttempt(
  database: Database,
  companyId: string,
  address: string,
): Promise<number | null> {
  return database.transaction(companyId, (tx) => take(tx, companyId, 'link', address))
}

/** Removes the attempt after a successful use of a link. */
export function refundLinkAttempt(
  tx: Transaction,
  companyId: string,
  address: string,
): Promise<void> {
  return giveBack(tx, companyId, 'link', address)
}

/** Removes attempts after the correct password: all of the account, but only one of the address. */
export async function clearLoginAttempts(
  tx: Transaction,
  companyId: string,
  account: string,
  address: string,
): Promise<void> {
  await tx.run(writeRow, [companyId, 'account', account, []])
  await giveBack(tx, companyId, 'address', address)
}

async function giveBack(
  tx: Transaction,
  companyId: string,
  kind: Kind,
  key: string,
): Promise<void> {
  await tx.run(makeRow, [companyId, kind, key])
  const { recent } = await tx.one(lockRow, [companyId, kind, key])
  await tx.run(writeRow, [companyId, kind, key, recent.slice(0, -1)])
}
