import { truncate } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

// Result codes of SQLite (https://www.sqlite.org/rescode.html).
const busy = 5
const notADatabase = 26

/**
 * Waits for an exclusive lock between processes. Node has no call for file locks, but SQLite locks
 * its file with the operating system's, which end with their process. So a killed process leaves
 * no lock, and the content of the file does not matter: nothing is ever written to it, also when
 * the disk is full.
 * @returns releases the lock
 */
export async function lock(file: string): Promise<() => void> {
  for (;;) {
    const database = new DatabaseSync(file)
    try {
      database.exec('pragma journal_mode = memory; begin exclusive')
      return () => database.close()
    } catch (error) {
      database.close()
      const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
      if (code === notADatabase) await truncate(file)
      else if (code !== busy) throw error
    }
    await sleep(50)
  }
}
