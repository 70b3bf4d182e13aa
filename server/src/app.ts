import { endpoints } from '@tillside/contract/endpoints'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { basePath } from '@tillside/contract/wire/endpoint'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { activityRoutes } from './activity/routes.ts'
import { followReads } from './allowance/alert.ts'
import { allowanceRoutes } from './allowance/routes.ts'
import { companyRoutes } from './company/routes.ts'
import { couponRoutes } from './coupon/routes.ts'
import { batchAudit } from './database/audit.ts'
import type { Database } from './database/database.ts'
import { openKeys, readKey } from './staff/keys/key.ts'
import { integrationRoutes } from './integration/routes.ts'
import { testClockRoute } from './jobs/test-clock.ts'
import type { AtOnce } from './http/request.ts'
import { health } from './http/health.ts'
import { allowOrigins } from './http/other-origins.ts'
import { outboxPage } from './http/outbox-page.ts'
import { keyOpenApiOf } from './http/keys/openapi.ts'
import { openApiOf, serveOpenApi } from './http/openapi.ts'
import { secureAnswers } from './http/security-headers.ts'
import type { Replica } from './database/replica.ts'
import { createPlaces } from './http/places/places.ts'
import { createServer, type ServerSettings } from './http/server.ts'
import { rememberMembers } from './member/key.ts'
import { memberRoutes } from './member/routes.ts'
import { pointRoutes } from './points/routes.ts'
import { type ApiRoots, builtPortal, servePortal } from './portal.ts'
import { ruleRoutes } from './setup/rules/routes.ts'
import { type CallerSource, openSessions } from './staff/held.ts'
import { staffRoutes } from './staff/routes.ts'
import { readToken } from './staff/token.ts'
import { registerRoutes } from './register/routes.ts'
import { spendingRoutes } from './spending/routes.ts'
import { tierRoutes } from './tier/routes.ts'
import { transactionRoutes } from './transaction/routes.ts'
import { waitingMessages } from './verification/deliver.ts'
import { verificationRoutes } from './verification/routes.ts'

/** The routes of all features, in the order of the import line. */
export const routes = [
  ...companyRoutes,
  ...staffRoutes,
  ...verificationRoutes,
  ...memberRoutes,
  ...allowanceRoutes,
  ...tierRoutes,
  ...pointRoutes,
  ...registerRoutes,
  ...couponRoutes,
  ...spendingRoutes,
  ...transactionRoutes,
  ...activityRoutes,
  ...ruleRoutes,
]

type AppSettings = {
  outboxPage?: boolean
  /** The folder of the portal's build. */
  portal?: string
  apiRoots?: ApiRoots
  portalOrigins?: readonly string[]
  /** A standby for queries that may see data up to a second old. */
  replica?: Replica | undefined
  /** Whether changes take one round trip where they can; true unless it is switched off. */
  oneRoundTrip?: boolean
  /** Counts a change by its path, and whether it took one round trip. */
  countAtOnce?: AtOnce['count']
  /** Whether the process remembers sessions; true unless it is switched off. */
  remembersSessions?: boolean
  /** Receives the source of each authenticated caller. */
  countCaller?: (source: CallerSource) => void
}

/**
 * Creates the whole application for one port: the API, its OpenAPI document, health checks, and the
 * portal if it is built. In development also a page with the outbox of messages.
 * @throws Error when an endpoint of the contract has no route or a route has no endpoint
 */
export async function createApp(
  database: Database,
  log: FastifyBaseLogger,
  settings: ServerSettings & AppSettings = {},
): Promise<FastifyInstance> {
  const keyRoutes = [...integrationRoutes(routes), testClockRoute]
  const served = new Set<unknown>([...routes, ...keyRoutes].map(({ endpoint }) => endpoint))
  const all = { ...endpoints, ...integrationEndpoints }
  const missing = Object.entries(all).filter(([, endpoint]) => !served.has(endpoint))
  if (missing.length > 0 || served.size !== Object.keys(all).length) {
    throw new Error(`endpoints and routes differ: ${missing.map(([name]) => name).join(', ')}`)
  }
  const { replica, remembersSessions = true, countCaller = () => {} } = settings
  const { oneRoundTrip = true, countAtOnce: count = () => {} } = settings
  const audit = batchAudit(
    database,
    (error) => log.error({ err: error }, 'audit rows wait'),
    followReads,
  )
  const keys = openKeys(remembersSessions, countCaller)
  const dependencies = {
    database,
    replica,
    audit,
    readToken,
    ...openSessions(remembersSessions, countCaller),
    members: remembersSessions ? rememberMembers() : undefined,
    readKey,
    authenticateKey: keys.authenticate,
    keyMemory: keys.memory,
    atOnce: oneRoundTrip ? { count } : undefined,
  }
  const places = createPlaces()
  const app = createServer(dependencies, { routes, keyRoutes }, log, places, settings)
  app.addHook('onClose', () => audit.close())
  secureAnswers(app)
  await allowOrigins(app, settings.portalOrigins ?? [])
  health(app, database, settings.leaving ?? (() => false))
  serveOpenApi(app, basePath, () => openApiOf(endpoints))
  serveOpenApi(app, integrationBase, () => keyOpenApiOf(integrationEndpoints))
  if (settings.outboxPage) outboxPage(app, () => waitingMessages(database))
  const { portal = builtPortal, apiRoots = {} } = settings
  await servePortal(app, { database, places }, portal, apiRoots)
  return app
}
