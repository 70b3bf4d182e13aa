import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'

const ping = statement('select 1 as one', z.object({ one: z.literal(1) }))

/** `/healthz`: the process runs. `/readyz`: its database answers too, and it is not stopping. */
export function health(app: FastifyInstance, database: Database, leaving: () => boolean): void {
  app.get('/healthz', () => ({ status: 'up' }))
  app.get('/readyz', async (_request, reply) => {
    if (leaving()) return reply.code(503).send({ status: 'stopping' })
    try {
      await database.withoutCompany((tx) => tx.one(ping, []))
      return { status: 'ready' }
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'database away' })
    }
  })
}
