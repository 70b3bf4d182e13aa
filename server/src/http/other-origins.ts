import cors from '@fastify/cors'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { languageHeader } from '@tillside/contract/wire/language'
import type { FastifyInstance } from 'fastify'

/** A day; browsers apply their own, lower limits. */
const keepAnswerSeconds = 86_400

/**
 * Allows portals on these origins to call the API (CORS). The session is in a header, never in a
 * cookie, so another page in the same browser cannot use it.
 */
export async function allowOrigins(
  app: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ['authorization', 'content-type', idempotencyHeader, languageHeader],
    exposedHeaders: ['retry-after'],
    maxAge: keepAnswerSeconds,
  })
}
