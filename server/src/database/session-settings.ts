import { escapeLiteral } from 'pg'
import * as z from 'zod/mini'
import { type Author, authorSettings } from '../process/author.ts'

type Settings = Readonly<Record<string, string>>

const limits = { statement_timeout: '5000', lock_timeout: '2000', timezone: 'UTC' }
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

/** A statement that returns no rows. Without a name it is not prepared. */
export type OpeningStatement = { name: string; text: string; row: z.ZodMiniType }

/**
 * The first statements of a transaction. Their settings end with it. They are `set local`, because
 * Citus sends the settings of a transaction to other nodes only in this form.
 * @param author the person who runs a command, or null
 */
export function openingStatements(
  { url, forRequests }: { url: string; forRequests: boolean },
  author: Author | null,
) {
  const own = asStatements(isPooled(url) ? sessionSettings(forRequests) : {})
  const authored = [...own, ...asStatements(authorSettings(author))]
  const company = (id: string) => asStatements({ 'app.company_id': id })
  return {
    inCompany: (id: string) => [begin, ...company(id), ...authored],
    readInCompany: (id: string) => [beginReading, ...company(id), ...own],
    readOutside: [beginReading, ...own],
  }
}

const row = z.unknown()
const begin: OpeningStatement = { name: 'begin', text: 'begin', row }
const beginReading: OpeningStatement = { name: 'begin reading', text: 'begin read only', row }

// They are not prepared, because a text with a value is hardly ever sent again.
function asStatements(settings: Settings): OpeningStatement[] {
  return Object.entries(settings).map(([name, value]) => ({
    name: '',
    text: `set local ${name} = ${escapeLiteral(value)}`,
    row,
  }))
}

/** Where a connection URL leads: host, port and database, without the user and the secrets. */
export function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  return `${host}${port === '' ? '' : `:${port}`}${pathname}`
}
