import cors from '@fastify/cors'
import { requestIdHeader, storeHeader } from '@tillside/contract/integration/endpoint'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { languageHeader } from '@tillside/contract/wire/language'
import type { FastifyInstance } from 'fastify'

/** What a portal sends, and a till that calls the integration interface from a page. */
const sent = [
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
  idempotencyHeader,
  languageHeader,
  storeHeader,
]
const received = ['etag', 'ratelimit', 'ratelimit-policy', requestIdHeader, 'retry-after']

/** A day; browsers apply their own, lower limits. */
const keepAnswerSeconds = 86_400

/**
 * Allows portals and tills on these origins to call the API (CORS). The session and the API key are
 * in a header, never in a cookie, so another page in the same browser cannot use them.
 */
export async function allowOrigins(
  app: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST', 'PATCH'],
    allowedHeaders: sent,
    exposedHeaders: received,
    maxAge: keepAnswerSeconds,
  })
}
