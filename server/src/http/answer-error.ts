import { httpFailures } from '@tillside/contract/wire/failures'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../database/database.ts'
import { fieldTexts } from '../text/answer-texts.ts'
import { failed, httpFailed } from '../text/envelope.ts'
import { HttpRefusal, Refusal } from '../text/fail.ts'
import { languageOf } from './request.ts'

/** Answers an error with its envelope. Only a failure of the server itself is logged. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const language = languageOf(request)
  reply.header('cache-control', 'no-store')
  if (isMalformed(error)) {
    const fields = [{ path: '', reason: 'format' as const, message: fieldTexts.format[language] }]
    const envelope = failed(new Refusal('invalid', { fields }), language)
    request.answerCode = envelope.code
    return reply.code(200).send(envelope)
  }
  const refusal = httpRefusalOf(error)
  const status = httpFailures[refusal.failure]
  request.answerCode = status
  if (status === 503) reply.header('retry-after', '1')
  if (status >= 500) {
    request.log.error({ reqId: request.id, err: safeError(refusal.cause ?? error) })
  }
  return reply.code(status).send(httpFailed(refusal, language, request.id))
}

/** The HTTP refusal for any error; `internal` for one that we do not know. */
export function httpRefusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error
  const framework = frameworkCode(error)
  if (framework !== null && framework !== 'malformed') return new HttpRefusal(framework)
  return new HttpRefusal(isUnavailable(error) ? 'unavailable' : 'internal')
}

/** Whether the body of the request is not JSON. */
export function isMalformed(error: unknown): boolean {
  return frameworkCode(error) === 'malformed'
}

/** Our name for an error that Fastify throws before a route runs; null for any other error. */
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

/** An error without its message: a message of PostgreSQL can quote a row. */
export function safeError(error: unknown): {
  type: string
  code: string | null
  stack: string | null
} {
  if (!(error instanceof Error)) return { type: typeof error, code: null, stack: null }
  const code = 'code' in error ? String(error.code) : null
  const frames =
    error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .join('\n') ?? null
  return { type: error.name, code, stack: frames }
}
