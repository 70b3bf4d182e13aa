import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'

// A sliding quarter of an hour. An account takes ten wrong tries from wherever they come; one
// network address takes more, because all the clerks of a shop share one.
// Nobody guesses a link; its limit keeps one address from asking for ever.
const limits = { account: 10, address: 50, link: 200 } as const
type Kind = keyof typeof limits

// Takes the row when it is there already, so that it is not forgotten before it is read.
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
 * Counts one try before the password is looked at, in a transaction of its own, so that it stands
 * whatever happens next. The row's lock makes a burst of tries, on any server process, count
 * exactly. A try beyond the limit is not counted: the lock ends when the oldest try is a quarter of
 * an hour old.
 * @returns the seconds to wait, or null when the try may go on
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

/** Counts one use of a link, in the same way. @returns the seconds to wait, or null */
export function countLinkAttempt(
  database: Database,
  companyId: string,
  address: string,
): Promise<number | null> {
  return database.transaction(companyId, (tx) => take(tx, companyId, 'link', address))
}

/** Takes the use back when the link was good. */
export function refundLinkAttempt(
  tx: Transaction,
  companyId: string,
  address: string,
): Promise<void> {
  return giveBack(tx, companyId, 'link', address)
}

/**
 * Takes the try back after the right password: the account starts anew, the address keeps its other
 * tries.
 */
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
