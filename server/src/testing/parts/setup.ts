import type { TestProject } from 'vitest/node'
import { startPostgres } from '../servers/postgres.ts'
import { layOutInParts, partCount } from './lay-out.ts'

/** A temporary PostgreSQL whose placed tables are in parts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  const tables = await layOutInParts(postgres.ownerUrl)
  process.stdout.write(`${tables.length} tables are in ${partCount} parts\n`)
  project.provide('ownerUrl', postgres.ownerUrl)
  project.provide('databaseUrl', postgres.databaseUrl)
  return () => postgres.stop()
}
