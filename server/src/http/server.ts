import { randomUUID } from 'node:crypto'
import { basePath, type Envelope } from '@tillside/contract/wire/endpoint'
import { httpFailures } from '@tillside/contract/wire/failures'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { addresses } from './addresses.ts'
import { answerError } from './answer-error.ts'
import { isTooDeep } from '../values/depth.ts'
import { HttpRefusal } from '../text/fail.ts'
import { createLimitedServer } from './places/overload.ts'
import { type Observe, outcomeOf } from './observe.ts'
import { answerGuess } from './places/guesses.ts'
import type { Places } from './places/places.ts'
import { secure } from './security-headers.ts'
import type { Dependencies, Route } from './request.ts'
import { bodyLimitBytes, callOf } from './call.ts'
import { answerProblem, isKeyRequest } from './keys/answer-problem.ts'
import { mountKeys } from './keys/mount.ts'
import type { KeyDependencies, KeyRoute } from './keys/serve-key.ts'

/** 200 a second: a hundred tills at once. */
const defaultRequestsPerMinute = 12_000
const requestTimeoutMs = 10_000
const timeouts = {
  // A client that sends its header or body too slowly is cut off, at most a second late.
  headersTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: 1_000,
  // Longer than nginx keeps a connection open, so that it never sends into a closed one.
  keepAliveTimeout: 72_000,
}

/** The settings of one server process. */
export type ServerSettings = {
  /** Proxies whose forwarded client address is trusted; by default none. */
  trustedProxies?: readonly string[]
  /** Called for every answer. */
  observe?: Observe
  /** Whether the process is stopping; each connection then closes after its next answer. */
  leaving?: () => boolean
  /** The requests of one API key that this process answers in a minute. */
  requestsPerMinute?: number
}

/** Creates the web server with all API routes. */
export function createServer(
  dependencies: Dependencies & KeyDependencies,
  { routes, keyRoutes }: { routes: readonly Route[]; keyRoutes: readonly KeyRoute[] },
  log: FastifyBaseLogger,
  places: Places,
  {
    trustedProxies = [],
    observe,
    leaving = () => false,
    requestsPerMinute = defaultRequestsPerMinute,
  }: ServerSettings = {},
): FastifyInstance {
  const overloaded = outcomeOf(httpFailures.unavailable, httpFailures.unavailable)
  const server = fastify({
    serverFactory: (handle) =>
      createLimitedServer(places, timeouts, handle, () => observe?.('none', overloaded, 0)),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    // A stopping server still answers; the framework's own 503 would lack our envelope.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    loggerInstance: log,
    // Our own lines name the request; a child logger for each request would only add its id.
    childLoggerFactory: (logger) => logger,
    // The onResponse hook below logs one line for each request; the framework would log two.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) => answerUndecodable(request, reply),
  })
  takeOnlyJson(server)
  const known = addresses()
  server.addHook('onRoute', (route) => known.add(route))

  for (const route of routes) {
    const { endpoint } = route
    server.route({
      method: endpoint.method,
      url: basePath + endpoint.path,
      async handler(request, reply) {
        const envelope = await answerInPlace(places, dependencies, route, request, reply)
        reply.header('cache-control', 'no-store')
        request.answerCode = envelope.code
        return envelope
      },
    })
  }
  mountKeys(server, { dependencies, places, keyRoutes, requestsPerMinute })
  server.decorateRequest('answerCode', 0)
  closeWithTheLastAnswer(server, leaving)
  server.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  server.setNotFoundHandler((request, reply) =>
    refuse(known.missing(request, reply), request, reply),
  )
  server.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the URL: a URL can contain a member code.
    request.log.info({
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      code: request.answerCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    const outcome = outcomeOf(reply.statusCode, request.answerCode)
    observe?.(request.routeOptions.url ?? 'none', outcome, reply.elapsedTime / 1000)
    done()
  })
  return server
}

/** Answers an error in the form of the interface that was called. */
function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return isKeyRequest(request)
    ? answerProblem(error, request, reply)
    : answerError(error, request, reply)
}

/** Answers a call when there is a place for it. @throws HttpRefusal 503 when there is none */
function answerInPlace(
  places: Places,
  dependencies: Dependencies,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Envelope> {
  const { endpoint } = route
  const call = callOf(request, endpoint, reply)
  const work = () => route.answer(dependencies, call)
  if (endpoint.access !== 'public') return places.forStaff(request, work)
  return places.forPublic(request, () => answerGuess(places.guesses, endpoint, call, work))
}

/**
 * Accepts only JSON of limited depth; by default the framework also accepts text. Refuses
 * compressed bodies: a small body could unpack to a very large one.
 */
function takeOnlyJson(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain')
  const parse = server.getDefaultJsonParser('error', 'error')
  const json = { parseAs: 'string' } as const
  server.addContentTypeParser<string>('application/json', json, (request, body, done) => {
    if (isTooDeep(body)) done(new SyntaxError('nested too deep'), undefined)
    else void parse(request, body, done)
  })
  server.addHook('preParsing', ({ headers }, _reply, payload, done) => {
    const isPlain = headers['content-encoding'] === undefined
    done(isPlain ? null : new HttpRefusal('unsupportedMediaType'), payload)
  })
}

/** Answers a URL that cannot be decoded: a page visit gets the portal's page, a call gets 404. */
function answerUndecodable(request: FastifyRequest, reply: FastifyReply): void {
  secure(request, reply)
  const [path = '/', ...query] = request.url.split('?')
  if (request.method === 'GET' && opensPage(request)) {
    // Escaped, it can be decoded. A path that starts with two slashes would name another server.
    const own = path.replace(/^[^/]*[/\\]*/, '/').replaceAll('%', '%25')
    void reply.redirect([own, ...query].join('?'))
  } else {
    void refuse(new HttpRefusal('notFound'), request, reply)
  }
}

/** Whether a browser navigates to a page, rather than fetching a file or calling the API. */
export function opensPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

/**
 * A stopping server waits for its open connections. Its last answers therefore close theirs, so
 * that no client's keep-alive delays the stop.
 */
function closeWithTheLastAnswer(server: FastifyInstance, leaving: () => boolean): void {
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing || leaving()) reply.header('connection', 'close')
    done(null, payload)
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    answerCode: number
  }
}
