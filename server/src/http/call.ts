import type { Endpoint } from '@tillside/contract/wire/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deviceCookie, deviceTokenIn } from '../values/device-cookie.ts'
import type { Call } from './request.ts'

/** The limit of the body of a usual call. */
export const bodyLimitBytes = 64 * 1024

/** The query of a GET; otherwise the body, which is an empty object when it is missing. */
function inputOf(request: FastifyRequest, { inQuery = [] }: Pick<Endpoint, 'inQuery'>): unknown {
  if (request.method === 'GET') return request.query
  const body = request.body === undefined ? {} : request.body
  if (inQuery.length === 0 || !isObject(body) || !isObject(request.query)) return body
  // The query's part is last, so that the body cannot override it.
  return { ...body, ...request.query }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The request, free of the web framework. */
export function callOf(
  request: FastifyRequest,
  endpoint: Pick<Endpoint, 'inQuery'>,
  reply: FastifyReply,
): Call {
  const isSecure = request.protocol === 'https'
  return {
    headers: request.headers,
    input: inputOf(request, endpoint),
    address: request.ip,
    device: {
      token: deviceTokenIn(request.headers.cookie, isSecure),
      keep: (token) => void reply.header('set-cookie', deviceCookie(token, isSecure)),
    },
    requestId: request.id,
  }
}
