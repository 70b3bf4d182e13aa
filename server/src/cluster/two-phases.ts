import type * as pg from 'pg'

// An empty table that only the coordinator has. A change that deletes from it commits in two phases
// (`database/connection/session-settings.ts`).

const readTwoPhases = `select exists (
  select from pg_dist_partition where logicalrelid = to_regclass('two_phases') and partmethod = 'n'
) as has`

/** Whether the coordinator has the table. */
export async function hasTwoPhases(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(readTwoPhases)
  return rows[0]?.has === true
}

/** Adds the table. A restored copy may be there, which Citus does not know. */
export async function addTwoPhases(client: pg.Client): Promise<void> {
  if (await hasTwoPhases(client)) return
  await client.query('create table if not exists two_phases (nothing int)')
  await client.query('grant delete on two_phases to tillside_app')
  await client.query(`select citus_add_local_table_to_metadata('two_phases')`)
}
