import {
  integrationBase,
  integrationBodyLimitBytes,
  requestIdHeader,
} from '@tillside/contract/integration/endpoint'
import { problemPath } from '@tillside/contract/integration/problems'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpRefusal } from '../../text/fail.ts'
import { safeError } from '../answer-error.ts'
import { bodyLimitBytes, callOf, isObject } from '../call.ts'
import type { Places } from '../places/places.ts'
import { type Dependencies, languageOf } from '../request.ts'
import { sendProblem } from './answer-problem.ts'
import { etagOf, hasEtag } from './etag.ts'
import { describeProblem, isProblem, problemOfEnvelope } from './problem.ts'
import { type KeyRates, keyRates, withRates } from './rate-limit.ts'
import { holderOf, type KeyDependencies, type KeyRoute } from './serve-key.ts'

type Mounted = {
  dependencies: Dependencies & KeyDependencies
  places: Places
  keyRoutes: readonly KeyRoute[]
  /** The requests of one API key that this process answers in a minute. */
  requestsPerMinute: number
}

/**
 * Mounts the integration interface. A success is the data itself; every refusal is an HTTP status
 * with `application/problem+json` (RFC 9457), also one of the web framework
 * (`answer-problem.ts`).
 */
export function mountKeys(server: FastifyInstance, mounted: Mounted): void {
  const rates = keyRates(mounted.requestsPerMinute)
  void server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header(requestIdHeader, request.id)
      })
      for (const route of mounted.keyRoutes) mountRoute(scope, mounted, rates, route)
      scope.get<{ Params: { name: string } }>(
        problemPath(':name'),
        async ({ params: { name } }) => {
          if (!isProblem(name)) throw new HttpRefusal('notFound')
          return describeProblem(name)
        },
      )
    },
    { prefix: integrationBase },
  )
}

function mountRoute(
  scope: FastifyInstance,
  { dependencies, places }: Mounted,
  rates: KeyRates,
  route: KeyRoute,
): void {
  const { endpoint } = route
  scope.route({
    method: endpoint.method,
    // `/members/{memberCode}` in the web framework's notation.
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: integrationBodyLimitBytes,
    // A large body needs a valid key before it is read; so does a chunked one, of unknown size.
    async preParsing(request) {
      const { headers } = request
      const length = headers['content-length']
      // Without length and without chunks, a request has no body.
      const hasBody = length !== undefined || headers['transfer-encoding'] !== undefined
      const isSmall = !hasBody || Number(length ?? 'none') <= bodyLimitBytes
      if (isSmall) return
      await places.forStaff(request, () => holderOf(dependencies, { headers }))
    },
    async handler(request, reply) {
      const call = callOf(request, {}, reply)
      const inPath = isObject(request.params) ? request.params : {}
      const input = Object.keys(inPath).length === 0 ? call.input : withPath(call.input, inPath)
      const report = (error: unknown): void =>
        request.log.error({ reqId: request.id, err: safeError(error) })
      const limited = withRates(dependencies, rates, (headers) => void reply.headers(headers))
      const envelope = await places.forStaff(request, () =>
        route.answer(limited, { ...call, input }, report),
      )
      if (envelope.code !== 0) {
        return sendProblem(
          problemOfEnvelope(envelope, languageOf(call), request.id),
          request,
          reply,
        )
      }
      return sendData(envelope.data, request, reply)
    },
  })
}

function sendData(data: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const text = JSON.stringify(data)
  reply.header('cache-control', 'no-store')
  if (request.method === 'GET') {
    const etag = etagOf(data, text)
    reply.header('etag', etag)
    if (hasEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  }
  return reply.type('application/json; charset=utf-8').send(text)
}

/** The path's part is last, so that neither the query nor the body can override it. */
function withPath(input: unknown, inPath: Record<string, unknown>): unknown {
  // A body that is not an object stays wrong.
  return isObject(input) ? { ...input, ...inPath } : input
}
