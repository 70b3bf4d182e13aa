type Settings = Readonly<Record<string, string>>

const limits = { statement_timeout: '5000', lock_timeout: '2000', timezone: 'UTC' }
const requestSettings = {
  // A statement's plan is kept for as long as its connection lives, and a plan made while a table
  // was small reads all of it for ever after. Requests touch few rows by key, always, so theirs
  // never do.
  enable_seqscan: 'off',
  // A server that is cut off in the middle of a request would hold its locks, and the request's
  // key, until the network gives up, which takes hours.
  idle_in_transaction_session_timeout: '10000',
}

/**
 * What PostgreSQL has to know of a connection.
 * @param forRequests whether it serves requests; other work reads much of a company, and takes its time
 */
export function sessionSettings(forRequests: boolean): Settings {
  return forRequests ? { ...limits, ...requestSettings } : limits
}

/**
 * Whether the address leads to a pooler that lends a connection for one transaction
 * (`?pooler=transaction`, for pgbouncer). What a session is told or has prepared is then another
 * one's the next moment: settings travel with each transaction, and statements have no names.
 */
export function isPooled(url: string): boolean {
  return new URL(url).searchParams.get('pooler') === 'transaction'
}

/** Settings as a connection begins with them. */
export function asOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** Settings as columns of a `select` that ends with the transaction. */
export function asColumns(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')
}
