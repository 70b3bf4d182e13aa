// Connection exceptions; failures that a retry may not meet; insufficient resources; shutdown;
// timeouts of a lock, a statement and an idle transaction.
export const unavailableStates = /^(08|40|53|57P|55P03|57014|25P03)/
const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
// Messages of `pg`, without a code, when it has no connection or has lost the one in use.
const connectionLost =
  /^(Connection terminated|timeout exceeded when|Client (has encountered a connection|was closed))/

/** Whether an error that PostgreSQL did not send means that there is no connection. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unavailableCodes.test(code) || connectionLost.test(error.message)
}
