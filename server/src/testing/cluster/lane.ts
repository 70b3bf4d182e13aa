import type * as pg from 'pg'
import { isOnCluster } from './off-cluster.ts'
import { changeEpoch } from '../../company/epoch.ts'
import { statement } from '../../database/database.ts'
import type { TestCompany } from '../factories/company.ts'
import * as z from 'zod/mini'

// For tests that also run on the cluster of CLUSTER_URL.

/**
 * Changes accounts, groups or stores with SQL. On one PostgreSQL a trigger then changes the epoch,
 * which ends what a process remembers; a cluster has no trigger.
 */
export function changeBySql(
  { database, id }: Pick<TestCompany, 'database' | 'id'>,
  sql: string,
  values: readonly unknown[] = [],
): Promise<number> {
  return database.transaction(id, (tx) => {
    if (isOnCluster) changeEpoch(tx, id)
    return tx.run(statement(sql, z.unknown()), values)
  })
}

/**
 * Counts the sessions that wait for the transaction of a connection, on any node.
 * @param watcher another connection, where the first one has work
 */
export async function waitersOf(
  blocking: pg.Client,
  watcher = blocking,
): Promise<() => Promise<number>> {
  const own = isOnCluster ? 'citus_backend_gpid()' : 'pg_backend_pid()'
  const { rows } = await blocking.query(`select ${own}::text as id`)
  const { id } = z.object({ id: z.string() }).parse(rows[0])
  const waiting = isOnCluster
    ? 'select from citus_lock_waits where blocking_gpid = $1'
    : 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
  return async () => (await watcher.query(waiting, [id])).rowCount ?? 0
}
