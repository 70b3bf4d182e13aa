import * as pg from 'pg'

// The obstacles of a distribution, with their remedies. Nothing has changed then.

const remedies: Record<string, string> = {
  // insufficient_privilege
  '42501': 'the role of DATABASE_URL lacks a right on a node',
  // invalid_password, invalid_authorization_specification
  '28P01': 'a node refuses the password of a role; check .pgpass on every node',
  '28000': 'a node refuses a role; check pg_hba.conf on every node',
  // disk_full
  '53100': 'a disk is full; each node needs room for its share, and the coordinator for all keys',
}
// connection_exception; admin_shutdown, crash_shutdown, cannot_connect_now
const lost = /^(08|57P0)/

/** The error with what to do about it in front, where that is known. */
export function obstacleOf(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { message } = error
  // A node's own code does not always come with its message.
  const code = message.includes('No space left on device') ? '53100' : (error.code ?? '')
  const remedy = lost.test(code)
    ? 'a node went away; start it and run the command again'
    : remedies[code]
  if (remedy === undefined) return error
  return new Error(`${remedy}. Nothing has changed: ${message}`, { cause: error })
}
