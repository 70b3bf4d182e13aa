import * as pg from 'pg'

/** Codes of PostgreSQL. */
export const states = {
  // Connection exceptions; failures that a retry may not meet; insufficient resources; shutdown;
  // timeouts of a lock, a statement and an idle transaction.
  unavailable: /^(08|40|53|57P|55P03|57014|25P03)/,
  // A serialization failure, a deadlock.
  retriable: new Set(['40001', '40P01']),
  // Of a change: the address leads to a standby, as it can for a moment after a failover.
  readOnlyServer: '25006',
}
const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
// Messages of `pg`, without a code, when it has no connection or has lost the one in use.
const connectionLost =
  /^(Connection terminated|timeout exceeded when|Client (has encountered a connection|was closed))/

// Citus answers the loss of a node with a code of class 08, or 57P from the node itself, or, during
// a command such as the commit, with the code of an internal error and the message of libpq. A
// coordinator that is killed while it waits for a node answers with that code, too.
const nodeLost = /^(08|57P)/
const citusLost =
  /^(could not commit transaction for shard|failure on connection marked|postmaster was shut down)/
const citusContext = 'while executing command on '
const libpqLost =
  /^($|SSL |server closed|(no )?connection |could not (send|receive) data|invalid socket)/

/** Whether the coordinator of a cluster has lost a node while the node ran a command. */
export function isNodeLost(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== 'XX000') return false
  if (citusLost.test(error.message)) return true
  return error.where?.startsWith(citusContext) === true && libpqLost.test(error.message)
}

/**
 * Whether PostgreSQL refused the commit, so that nothing has changed. A coordinator that has lost a
 * node does not know: a transaction of a single node commits there first.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') return false
  return !nodeLost.test(error.code ?? '') && !isNodeLost(error)
}

/** Whether an error that PostgreSQL did not send means that there is no connection. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unavailableCodes.test(code) || connectionLost.test(error.message)
}
