import { integrationBase, requestIdHeader } from '@tillside/contract/integration/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { KeyRefusal } from '../../text/fail.ts'
import { httpRefusalOf, isMalformed, safeError } from '../answer-error.ts'
import { languageOf } from '../request.ts'
import { type LoggedProblem, problemOfRefusal, statusOfProblem } from './problem.ts'

/** Whether the request is one of the integration interface, also with a path that nothing has. */
export function isKeyRequest({ url }: Pick<FastifyRequest, 'url'>): boolean {
  return url.startsWith(`${integrationBase}/`)
}

/** Answers any error as a problem. Only a failure of the server itself is logged. */
export function answerProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOf(request)
  const refusal =
    error instanceof KeyRefusal
      ? error
      : isMalformed(error)
        ? new KeyRefusal('malformed')
        : httpRefusalOf(error)
  const status = statusOfProblem[refusal.failure]
  if (status === 503) reply.header('retry-after', '1')
  if (refusal instanceof KeyRefusal && refusal.retryAfterSeconds !== null) {
    reply.header('retry-after', String(refusal.retryAfterSeconds))
  }
  if (status >= 500) {
    request.log.error({ reqId: request.id, err: safeError(refusal.cause ?? error) })
  }
  return sendProblem(problemOfRefusal(refusal, language, request.id), request, reply)
}

/** Answers a refusal with its HTTP status. */
export function sendProblem(
  { problem, answerCode }: LoggedProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.answerCode = answerCode
  return reply
    .code(problem.status)
    .header(requestIdHeader, request.id)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}
