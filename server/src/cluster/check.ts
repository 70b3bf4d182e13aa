import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import { columnOf, copied } from './placement.ts'
import { readTwoPhases } from './two-phases.ts'

// Facts about the cluster that a program reads with its own role.

const readCluster = statement(
  `select exists (select from pg_extension where extname = 'citus') as cluster`,
  z.object({ cluster: z.boolean() }),
)
const readPlaces = statement(
  `select c.relname as table, p.logicalrelid is not null as placed,
     column_to_column_name(p.logicalrelid, p.partkey) as column
   from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     and (p.partmethod = 'h' or p.repmodel = 't')
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     and c.relname not in ('schema_migration', 'two_phases', 'citus_tables', 'citus_schemas')
   order by c.relname`,
  z.object({ table: z.string(), placed: z.boolean(), column: z.nullable(z.string()) }),
)

const readCommit = statement(readTwoPhases, z.object({ has: z.boolean() }))

/** Whether the database is a node of a Citus cluster. */
export async function isCluster(database: Database): Promise<boolean> {
  return (await database.withoutCompany((tx) => tx.one(readCluster, []))).cluster
}

/** The tables that are not where `placement.ts` says; none where there is no cluster. */
export async function findMisplaced(database: Database): Promise<string[]> {
  if (!(await isCluster(database))) return []
  const [tables, commit] = await database.withoutCompany((tx) =>
    Promise.all([tx.all(readPlaces, []), tx.one(readCommit, [])]),
  )
  const misplaced = tables
    .filter(({ table, placed, column }) => {
      if (copied.has(table)) return !placed || column !== null
      return !placed || column !== columnOf.get(table)
    })
    .map(({ table }) => table)
  return commit.has ? misplaced : [...misplaced, 'two_phases']
}
