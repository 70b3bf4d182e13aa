import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'

const ping = statement('select 1 as one', z.object({ one: z.literal(1) }))

/** `/healthz`: the process runs. `/readyz`: its database answers too, and it is not stopping. */
export function health(app: FastifyInstance, database: Database, leaving: () => boolean): void {
  let pinging: Promise<unknown> | null = null
  // Requests at the same time share one ping, so that they take one connection.
  const pingOnce = (): Promise<unknown> =>
    (pinging ??= database
      .withoutCompany((tx) => tx.one(ping, []))
      .finally(() => {
        pinging = null
      }))
  app.get('/healthz', () => ({ status: 'up' }))
  app.get('/readyz', async (_request, reply) => {
    if (leaving()) return reply.code(503).send({ status: 'stopping' })
    try {
      await pingOnce()
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'database away' })
    }
  })
}
