import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../embedded/embedded.ts'
import { migrate } from '../../database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program's own role. The owner's address is for tests of row-level security. */
    databaseUrl: string
    ownerUrl: string
  }
}

/** A temporary PostgreSQL for one test run, or the one of DATABASE_URL if it is set. */
export async function startPostgres(): Promise<{
  ownerUrl: string
  databaseUrl: string
  stop(): Promise<void>
}> {
  const given = process.env['DATABASE_URL']
  if (given !== undefined && given !== '') {
    return { ownerUrl: given, databaseUrl: await migrate(given), stop: async () => {} }
  }
  const folder = await mkdtemp(join(tmpdir(), 'tillside-test-'))
  const embedded = await startEmbedded(folder, true)
  return {
    ownerUrl: embedded.url,
    databaseUrl: await migrate(embedded.url),
    async stop() {
      await embedded.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('ownerUrl', postgres.ownerUrl)
  project.provide('databaseUrl', postgres.databaseUrl)
  return () => postgres.stop()
}
