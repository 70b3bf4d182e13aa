import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import { readExtension } from './citus.ts'

const readCluster = statement(readExtension, z.object({ version: z.string() }))

/** Whether the database is a node of a Citus cluster. */
export async function isCluster(database: Database): Promise<boolean> {
  return (await database.withoutCompany((tx) => tx.maybe(readCluster, []))) !== null
}
