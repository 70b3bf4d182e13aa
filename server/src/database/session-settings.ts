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

/** Formats settings as columns of a `select`; they end with the transaction. */
export function asColumns(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', true)`)
    .join(', ')
}

/** Where a connection URL leads: host, port and database, without the user and the secrets. */
export function locationOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url)
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname
  return `${host}${port === '' ? '' : `:${port}`}${pathname}`
}
