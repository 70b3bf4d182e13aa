import { truncate } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

// Result codes of SQLite (https://www.sqlite.org/rescode.html).
const busy = 5
const notADatabase = 26

/**
 * Waits for an exclusive lock between processes. Node cannot lock files, but SQLite locks its file
 * with a lock of the operating system, which ends with the process: a killed process leaves no
 * lock. Nothing is written to the file, so its content does not matter and a full disk is no
 * obstacle.
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
