import cors from '@fastify/cors'
import { idempotencyHeader } from '@tillside/contract/wire/endpoint'
import { languageHeader } from '@tillside/contract/wire/language'
import type { FastifyInstance } from 'fastify'

/** A day; browsers cut it to what they like. */
const keepAnswerSeconds = 86_400

/**
 * Lets portals that are served from these origins ask this API. Who asks is told by a header and
 * never by a cookie, so no other page gains anything by a visit of the same browser.
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
