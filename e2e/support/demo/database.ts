import { type Database, openDatabase } from '@tillside/server/database/database'

let opened: Database | null = null

/** The product's database, opened once in each worker of the runner. */
export function demoDatabase(): Database {
  opened ??= openDatabase(process.env['E2E_DATABASE_URL'] ?? '', 2)
  return opened
}

/** Closes it at the end of a worker. */
export async function closeDemoDatabase(): Promise<void> {
  await opened?.close()
  opened = null
}
