import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import { references } from './placement.ts'

// What a program finds out about the cluster with its own role.

const readCluster = statement(
  `select exists (select from pg_extension where extname = 'citus') as cluster`,
  z.object({ cluster: z.boolean() }),
)
const readMisplaced = statement(
  `select c.relname as table from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     and c.relname not in ('schema_migration', 'citus_tables', 'citus_schemas')
     and not exists (
       select from pg_dist_partition p where p.logicalrelid = c.oid
         and p.partmethod = case when c.relname = any ($1) then 'n' else 'h' end::"char")
   order by c.relname`,
  z.object({ table: z.string() }),
)

/** Whether the database is a node of a Citus cluster. */
export async function isCluster(database: Database): Promise<boolean> {
  return (await database.withoutCompany((tx) => tx.one(readCluster, []))).cluster
}

/** The tables that are not where `placement.ts` says; none where there is no cluster. */
export async function findMisplaced(database: Database): Promise<string[]> {
  if (!(await isCluster(database))) return []
  const rows = await database.withoutCompany((tx) => tx.all(readMisplaced, [references]))
  return rows.map(({ table }) => table)
}
