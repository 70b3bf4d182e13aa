import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'

const readCluster = statement(
  `select exists (select from pg_extension where extname = 'citus') as cluster`,
  z.object({ cluster: z.boolean() }),
)
/** Whether the database is a node of a Citus cluster. */
export async function isCluster(database: Database): Promise<boolean> {
  return (await database.withoutCompany((tx) => tx.one(readCluster, []))).cluster
}
