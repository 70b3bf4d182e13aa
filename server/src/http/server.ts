import { randomUUID } from 'node:crypto'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import { httpFailures } from '@tillside/contract/wire/failures'
import { integrationBase, integrationBodyLimitBytes } from '@tillside/contract/integration'
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { addresses } from './addresses.ts'
import { isUnavailable } from '../database/database.ts'
import { isTooDeep } from '../values/depth.ts'
import { failed, httpFailed } from '../text/envelope.ts'
import { HttpRefusal, Refusal } from '../text/fail.ts'
import { type Line, openLine, serverBehind } from './overload.ts'
import { type Observe, outcomeOf } from './observe.ts'
import { secure } from './security-headers.ts'
import { type Call, type Doors, languageOf, type Route } from './serve.ts'
import { holderOf, type KeyDoors, type KeyRoute } from './serve-key.ts'
import { fieldTexts } from '../text/answer-texts.ts'

const bodyLimitBytes = 64 * 1024
const requestTimeoutMs = 10_000
const timeouts = {
  // Who sends their header or their body drop by drop is cut off, a second late at most.
  headersTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  connectionsCheckingInterval: 1_000,
  // Longer than a proxy in front keeps a connection, so that none is closed under its next request.
  keepAliveTimeout: 72_000,
}

/** What differs from one server process to another. */
export type ServerSettings = {
  /** Proxies whose word on who called is believed; nobody's otherwise. */
  trustedProxies?: readonly string[]
  /** Is told of every answer. */
  observe?: Observe
  /** Whether this process has been told to stop: its connections end with their next answer. */
  leaving?: () => boolean
}

/** The web framework with every route mounted; the only place that knows it. */
export function createServer(
  doors: Doors & KeyDoors,
  { routes, keyRoutes }: { routes: readonly Route[]; keyRoutes: readonly KeyRoute[] },
  log: FastifyBaseLogger,
  { trustedProxies = [], observe, leaving = () => false }: ServerSettings = {},
): FastifyInstance {
  const line = openLine()
  const sentAway = outcomeOf(httpFailures.unavailable, httpFailures.unavailable)
  const server = fastify({
    serverFactory: (handle) =>
      serverBehind(line, timeouts, handle, () => observe?.('none', sentAway, 0)),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    // What still reaches a server that stops is answered, not sent away in the framework's words.
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    loggerInstance: log,
    // One line for each request, written below, instead of two of the framework's.
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
        const envelope = await line.join(() => route.answer(doors, callOf(request, endpoint)))
        reply.header('cache-control', 'no-store')
        request.answerCode = envelope.code
        return envelope
      },
    })
  }
  mountKeyRoutes(server, line, doors, keyRoutes)
  server.decorateRequest('answerCode', 0)
  closeWithTheLastAnswer(server, leaving)
  server.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const methods = known.methodsOf(path)
    const wrongMethod = methods.length > 0 && !methods.includes(request.method)
    if (wrongMethod) reply.header('allow', methods.join(', '))
    const refusal = new HttpRefusal(wrongMethod ? 'methodNotAllowed' : 'notFound')
    return answerError(refusal, request, reply)
  })
  server.addHook('onResponse', async (request, reply) => {
    // The route's pattern, never the address: an address can name a member.
    request.log.info({
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      code: request.answerCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    })
    const outcome = outcomeOf(reply.statusCode, request.answerCode)
    observe?.(request.routeOptions.url ?? 'none', outcome, reply.elapsedTime / 1000)
  })
  return server
}

/**
 * The wire is JSON, and not deep: the framework would also take text, and what comes behind it
 * would lose its footing. Nothing is unpacked: what is small on its way and large here is not
 * taken.
 */
function takeOnlyJson(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain')
  const parse = server.getDefaultJsonParser('error', 'error')
  const json = { parseAs: 'string' } as const
  server.addContentTypeParser<string>('application/json', json, (request, body, done) => {
    if (isTooDeep(body)) done(new SyntaxError('nested too deep'), undefined)
    else void parse(request, body, done)
  })
  server.addHook('preParsing', async ({ headers }) => {
    if (headers['content-encoding'] !== undefined) throw new HttpRefusal('unsupportedMediaType')
  })
}

/** An address that cannot be decoded names nothing; who opens it still gets a page that says so. */
function answerUndecodable(request: FastifyRequest, reply: FastifyReply): void {
  secure(request, reply)
  const [path = '/', ...query] = request.url.split('?')
  if (request.method === 'GET' && opensPage(request)) {
    // Taken literally it can be decoded. Behind two slashes it would be another server's.
    const own = path.replace(/^[^/]*[/\\]*/, '/').replaceAll('%', '%25')
    void reply.redirect([own, ...query].join('?'))
  } else {
    void answerError(new HttpRefusal('notFound'), request, reply)
  }
}

/** Whether somebody opens an address, rather than a program asking for a file or an answer. */
export function opensPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '')
}

/** The integration interface: its bodies are larger, and a part of its input stands in the path. */
function mountKeyRoutes(
  server: FastifyInstance,
  line: Line,
  doors: KeyDoors,
  keyRoutes: readonly KeyRoute[],
): void {
  for (const route of keyRoutes) {
    const { endpoint } = route
    server.route({
      method: endpoint.method,
      url: keyUrlOf(endpoint),
      bodyLimit: integrationBodyLimitBytes,
      // Much is read from those who have a key; how much comes in pieces nobody knows.
      async preParsing({ headers }) {
        const isSmall = Number(headers['content-length'] ?? 'none') <= bodyLimitBytes
        if (!isSmall) await holderOf(doors, { headers })
      },
      async handler(request, reply) {
        const call = callOf(request, {})
        const inPath = isObject(request.params) ? request.params : {}
        const input = Object.keys(inPath).length === 0 ? call.input : withPath(call.input, inPath)
        const report = (error: unknown): void => request.log.error({ err: safeError(error) })
        const envelope = await line.join(() => route.answer(doors, { ...call, input }, report))
        reply.header('cache-control', 'no-store')
        request.answerCode = envelope.code
        return envelope
      },
    })
  }
}

/** What the path says comes last, so that nobody can say otherwise in the query. */
function withPath(input: unknown, inPath: Record<string, unknown>): Record<string, unknown> {
  return { ...(isObject(input) ? input : {}), ...inPath }
}

/** `/members/{code}` as the web framework writes it. */
function keyUrlOf({ path }: { path: string }): string {
  return integrationBase + path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/**
 * A connection that is kept alive would hold a server that stops for as long as its client likes;
 * so the answers that are still given say that they are the last on theirs.
 */
function closeWithTheLastAnswer(server: FastifyInstance, leaving: () => boolean): void {
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onSend', async (_request, reply) => {
    if (closing || leaving()) reply.header('connection', 'close')
  })
}

declare module 'fastify' {
  interface FastifyRequest {
    answerCode: number
  }
}

/** A request without a body has an empty one; what was sent is looked at as it is. */
function inputOf(request: FastifyRequest, { inQuery = [] }: Pick<Endpoint, 'inQuery'>): unknown {
  if (request.method === 'GET') return request.query
  const body = request.body === undefined ? {} : request.body
  if (inQuery.length === 0 || !isObject(body) || !isObject(request.query)) return body
  // The query's part comes last, so that nobody can say in the body what belongs in the address.
  return { ...body, ...request.query }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function callOf(request: FastifyRequest, endpoint: Pick<Endpoint, 'inQuery'>): Call {
  return {
    headers: request.headers,
    input: inputOf(request, endpoint),
    address: request.ip,
    requestId: request.id,
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = languageOf(request)
  reply.header('cache-control', 'no-store')
  if (frameworkCode(error) === 'malformed') {
    const fields = [{ path: '', reason: 'format' as const, message: fieldTexts.format[language] }]
    const envelope = failed(new Refusal('invalid', { fields }), language)
    request.answerCode = envelope.code
    return reply.code(200).send(envelope)
  }
  const refusal = httpRefusalOf(error)
  const status = httpFailures[refusal.failure]
  request.answerCode = status
  if (status === 503) reply.header('retry-after', '1')
  if (status >= 500) request.log.error({ err: safeError(refusal.cause ?? error) })
  return reply.code(status).send(httpFailed(refusal, language, request.id))
}

function httpRefusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error
  const framework = frameworkCode(error)
  if (framework !== null && framework !== 'malformed') return new HttpRefusal(framework)
  return new HttpRefusal(isUnavailable(error) ? 'unavailable' : 'internal')
}

/** What Fastify refuses by itself, before a route sees it. */
function frameworkCode(error: unknown): 'tooLarge' | 'unsupportedMediaType' | 'malformed' | null {
  if (!(error instanceof Error) || !('code' in error)) {
    return error instanceof SyntaxError ? 'malformed' : null
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'tooLarge'
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return 'unsupportedMediaType'
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'malformed'
    default:
      return null
  }
}

/**
 * A database's message can quote a row; what is logged is where it happened, not what was in it.
 */
function safeError(error: unknown): { type: string; code: string | null; stack: string | null } {
  if (!(error instanceof Error)) return { type: typeof error, code: null, stack: null }
  const code = 'code' in error ? String(error.code) : null
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n') ?? null
  return { type: error.name, code, stack: frames }
}
