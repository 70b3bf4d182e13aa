import type { TestProject } from 'vitest/node'
import { distribute } from '../../cluster/distribute.ts'
import { migrate } from '../../database/migrate.ts'
import { logCommands } from './database.ts'

/**
 * The database of CLUSTER_URL on the coordinator of a Citus cluster, which only tests use. It is
 * migrated and distributed here. Each test file makes companies of its own, which stay there.
 */
export default async function setup(project: TestProject): Promise<void> {
  const ownerUrl = process.env['CLUSTER_URL'] ?? ''
  if (ownerUrl === '') throw new Error('CLUSTER_URL is not set')
  const databaseUrl = await migrate(ownerUrl)
  const { moves } = await distribute(ownerUrl)
  await logCommands(ownerUrl)
  if (moves.length > 0) process.stdout.write(`${moves.length} tables placed\n`)
  project.provide('ownerUrl', ownerUrl)
  project.provide('databaseUrl', databaseUrl)
}
