import { escapeLiteral } from 'pg'
import { LruMap } from 'toad-cache'
import { type Author, authorSettings } from '../../process/author.ts'
import { type PendingStatement, unprepared } from './burst.ts'

type Settings = Readonly<Record<string, string>>

/** How long a statement waits for a lock, in ms. */
export const lockTimeoutMs = 2_000
const limits = {
  statement_timeout: '5000',
  lock_timeout: String(lockTimeoutMs),
  timezone: 'UTC',
}
const requestSettings = {
  // PostgreSQL keeps a statement's plan as long as the connection lives. A plan made while a table
  // was small would scan the table sequentially for ever. Requests always read few rows by key, so
  // they never need a sequential scan.
  enable_seqscan: 'off',
  // Without it, a server that is cut off in the middle of a request would hold its locks and its
  // idempotency key until the network gives up, which takes hours.
  idle_in_transaction_session_timeout: '10000',
}

/**
 * Settings of a database session.
 * @param forRequests whether it serves requests; other work reads large parts of a company and
 *   takes longer
 */
export function sessionSettings(forRequests: boolean): Settings {
  return forRequests ? { ...limits, ...requestSettings } : limits
}

/**
 * Whether the URL leads to a pooler in transaction mode (`?pooler=transaction`, for pgbouncer).
 * Session settings and prepared statements then do not survive a transaction: settings are sent
 * with each transaction, and statements have no names.
 */
export function isPooled(url: string): boolean {
  return new URL(url).searchParams.get('pooler') === 'transaction'
}

/** Formats settings for the startup parameter `options`. */
export function asOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** A token names the company before the session is read, so the ids can be anything. */
const maxCompanies = 1_000

/**
 * The first statements of a transaction. They return no rows; when one fails, the next statement of
 * the burst fails with its error. Their settings end with the transaction. They are `set local`,
 * because Citus sends the settings of a transaction to other nodes only in this form.
 * @param author the person who runs a command, or null
 */
export function openingStatements(
  { url, forRequests }: { url: string; forRequests: boolean },
  author: Author | null,
) {
  const own = asStatements(isPooled(url) ? sessionSettings(forRequests) : {})
  const authored = [...own, ...asStatements(authorSettings(author))]
  const known = new LruMap<readonly PendingStatement[]>(maxCompanies)
  function company(id: string): readonly PendingStatement[] {
    const made = known.get(id) ?? asStatements({ 'app.company_id': id })
    known.set(id, made)
    return made
  }
  return {
    /** @param onCluster whether it may write on several nodes of a cluster */
    inCompany: (id: string, onCluster: boolean) => [
      begin,
      ...(onCluster ? onNodes : []),
      ...company(id),
      ...authored,
    ],
    readInCompany: (id: string) => [beginReading, ...company(id), ...own],
    readOutside: [beginReading, ...own],
  }
}

const ignore = (): void => {}
const prepared = (name: string, text: string): PendingStatement => {
  return { name, text, values: [], resolve: ignore, reject: ignore }
}
const begin = prepared('begin', 'begin')
const beginReading = prepared('begin reading', 'begin read only')
// The setting of the session applies only on the coordinator, and most locks are on other nodes.
const lockTimeout = prepared('lock timeout', `set local lock_timeout = '${lockTimeoutMs}'`)
/**
 * The table is always empty, and only the coordinator of a cluster has it. Citus commits in two
 * phases when the coordinator itself has run a statement that writes. What it finds out otherwise
 * about several nodes is not complete (decision 138).
 */
const inTwoPhases = prepared('in two phases', 'delete from two_phases')
const onNodes = [inTwoPhases, lockTimeout]

// They are not prepared, because a company's text is sent by few connections.
function asStatements(settings: Settings): PendingStatement[] {
  return Object.entries(settings).map(([name, value]) =>
    unprepared(`set local ${name} = ${escapeLiteral(value)}`),
  )
}

/** Where a connection URL leads: host, port and database, without the user and the secrets. */
export function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  return `${host}${port === '' ? '' : `:${port}`}${pathname}`
}
