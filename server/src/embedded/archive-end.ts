import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import { walOf } from './archive.ts'
import { findHome } from './embedded-home.ts'
import { addressOf } from './launch.ts'
import { postmaster, readLines } from './postmaster.ts'

const flushMs = 15_000

/**
 * The time up to which the archive contains every change. If the server of `dataDir` runs and can
 * archive its latest changes, this is now; otherwise it is the time of the last write to the newest
 * archived file. Null when the archive has no file.
 */
export async function archiveEnd(archive: string, dataDir: string): Promise<Date | null> {
  const flushed = await flush(archive, dataDir).catch(() => null)
  if (flushed !== null) return flushed
  const files = (await readdir(walOf(archive))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  const times = await Promise.all(
    files.map(async (name) => (await lstat(join(walOf(archive), name))).mtimeMs),
  )
  return times.length === 0 ? null : new Date(Math.max(...times))
}

/** Lets a running server archive its latest changes. @returns null when it does not */
async function flush(archive: string, dataDir: string): Promise<Date | null> {
  const home = await findHome(dataDir)
  const running = await postmaster(home)
  const [password] = readLines(join(home.folder, 'password'))
  if (running?.port === undefined || running.port === null || password === undefined) return null
  const client = new pg.Client({ connectionString: addressOf(password, running.port) })
  client.on('error', () => {})
  await client.connect()
  try {
    // One byte back: without changes since the last switch, PostgreSQL answers the first byte of a
    // file that is not archived before the next change.
    const { rows } = await client.query<{ at: Date; file: string; command: string }>(
      `select clock_timestamp() as at, pg_walfile_name(pg_switch_wal() - 1) as file,
         current_setting('archive_command') as command`,
    )
    const [last] = rows
    if (last?.command.includes(`"${walOf(archive)}/`) !== true) return null
    for (const giveUp = Date.now() + flushMs; Date.now() < giveUp; await sleep(50)) {
      const state = await client.query<{ done: boolean }>(
        'select last_archived_wal >= $1 as done from pg_stat_archiver',
        [last.file],
      )
      if (state.rows[0]?.done === true) return last.at
    }
    return null
  } finally {
    await client.end()
  }
}

/** Lets a recovery in a folder continue to the end of the archive, with the server stopped. */
export async function recoverToEnd(folder: string): Promise<void> {
  const home = await findHome(folder)
  while ((await postmaster(home)) !== null) await sleep(50)
  const file = join(home.cluster, 'postgresql.auto.conf')
  const settings = await readFile(file, 'utf8')
  await writeFile(file, settings.replaceAll(/^recovery_target_time = .*\n/gm, ''))
}
