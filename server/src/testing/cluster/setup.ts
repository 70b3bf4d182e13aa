import * as pg from 'pg'
import type { TestProject } from 'vitest/node'
import { distribute } from '../../cluster/distribute.ts'
import { migrate } from '../../database/migrate.ts'

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

/** The tests read the commands to the nodes (`commands.ts`). */
async function logCommands(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`do $$ begin
    execute format('alter database %I set citus.log_remote_commands = on', current_database());
  end $$`)
  await owner.end()
}
