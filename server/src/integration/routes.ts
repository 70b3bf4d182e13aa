import { type Counter, type IntegrationEndpoint } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { serveCounter } from '../http/keys/counter.ts'
import { keyAtOnceOr, type KeyRoute, serveKey, serveKeyRead } from '../http/keys/serve-key.ts'
import type { Route } from '../http/request.ts'
import { listChanged } from './changed.ts'
import { listEvents } from './events.ts'
import { createFromItems } from './members.ts'
import { movePoints } from './movements.ts'
import { reportToKey } from './report.ts'
import { find, showMember } from './standing.ts'
import { calculate, recordAtOnce, recordReceipts } from './transactions.ts'

const {
  calculateTransaction,
  findMember,
  listMembers,
  postMembers,
  postPoints,
  postTransactions,
  readEvents,
  readMember,
  readPointReport,
} = integrationEndpoints

/** The routes that only API keys have. */
const ownRoutes = [
  keyAtOnceOr(postTransactions, serveKey(postTransactions, recordReceipts), recordAtOnce),
  serveKey(calculateTransaction, calculate),
  serveKey(postMembers, createFromItems),
  serveKey(postPoints, movePoints),
  serveKeyRead(findMember, find),
  serveKeyRead(listMembers, listChanged),
  serveKeyRead(readMember, showMember),
  serveKey(readPointReport, reportToKey),
  serveKey(readEvents, listEvents),
]

/**
 * All routes of the integration API.
 * @param counterRoutes the counter's routes, whose verbs answer the calls that clerks make too
 */
export function integrationRoutes(counterRoutes: readonly Route[]): KeyRoute[] {
  const shared = Object.values<IntegrationEndpoint>(integrationEndpoints)
    .filter(isOfCounter)
    .map((endpoint) => {
      const route = counterRoutes.find((one) => one.endpoint === endpoint.counter.endpoint)
      if (route === undefined) throw new Error(`${endpoint.path} has no route of the counter`)
      return serveCounter(endpoint, route)
    })
  return [...ownRoutes, ...shared]
}

function isOfCounter(
  endpoint: IntegrationEndpoint,
): endpoint is IntegrationEndpoint & { counter: Counter } {
  return endpoint.counter !== undefined
}
