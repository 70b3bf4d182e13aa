import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as pg from 'pg'
import { unpackBackup } from './archive.ts'
import { archiveEnd, recoverToEnd } from './archive-end.ts'
import { removeEmbedded, startEmbedded } from './embedded.ts'
import { makeHome } from './embedded-home.ts'
import { sayIfSlow } from '../process/wait.ts'

/** The content of a restored database. */
export type Restored = {
  /** The time of its last transaction, RFC 3339; null: none since the backup. */
  lastChange: string | null
  /** Rows, by table. */
  rows: Record<string, number>
}

const recoveryOnly = ['restore_command', 'recovery_target_time', 'recovery_target_action']
const counted = ['company', 'staff', 'member', 'point_entry', 'coupon', 'transaction', 'audit']

/**
 * Restores the archive's database into a folder of its own, as it was at `moment`, or up to the end
 * of the archive. No other database is changed. To use the restored one, set DATA_DIR to the
 * folder. A restore that fails leaves nothing in the folder.
 * @param dataDir the folder of the archived server; when it runs, it archives its latest changes
 * @throws Error with one line when there is no earlier backup, or the archive ends before `moment`
 */
export async function restore(
  archive: string,
  dataDir: string,
  folder: string,
  moment: Date | null,
): Promise<Restored> {
  const end = await archiveEnd(archive, dataDir)
  await unpackBackup(archive, folder, moment)
  try {
    return await recover(folder).catch(async (error: unknown) => {
      const log = await readLog(folder)
      if (/WAL ends before/.test(log)) {
        throw new Error('the archive ends before its backup was complete')
      }
      if (moment === null || !/before configured recovery target was reached/.test(log)) throw error
      if (end === null || end < moment) throw tooShort(moment, end)
      // Nothing was changed after the moment, so the end of the archive has the same state.
      await recoverToEnd(folder)
      return recover(folder)
    })
  } catch (error) {
    await removeEmbedded(folder)
    throw error
  }
}

/** Starts the server of a folder, waits for its recovery, and counts the rows. */
async function recover(folder: string): Promise<Restored> {
  const embedded = await startEmbedded(folder)
  try {
    const lastChange = await sayIfSlow(
      'PostgreSQL to repeat the changes in the archive',
      recovered(embedded.url),
    )
    const client = new pg.Client({ connectionString: embedded.url })
    await client.connect()
    try {
      for (const name of recoveryOnly) await client.query(`alter system reset ${name}`)
      const rows: Restored['rows'] = {}
      for (const table of counted) {
        const found = await client.query<{ n: string }>(`select count(*) as n from ${table}`)
        rows[table] = Number(found.rows[0]?.n)
      }
      return { lastChange, rows }
    } finally {
      await client.end()
    }
  } finally {
    await embedded.release()
  }
}

/** Waits for the end of the recovery. */
async function recovered(url: string): Promise<string | null> {
  for (;;) {
    const state = await look(url)
    if (!state.recovering) return state.last?.toISOString() ?? null
    await pause(50)
  }
}

function tooShort(moment: Date, end: Date | null): Error {
  const all = end === null ? '' : `: at ${end.toISOString()}, to which a restore without --to leads`
  return new Error(`the archive ends before ${moment.toISOString()}${all}`)
}

async function readLog(folder: string): Promise<string> {
  return readFile(join((await makeHome(folder)).folder, 'postgres.log'), 'utf8')
}

async function look(url: string): Promise<{ recovering: boolean; last: Date | null }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ recovering: boolean; last: Date | null }>(
      `select pg_is_in_recovery() as recovering, pg_last_xact_replay_timestamp() as last`,
    )
    const [row] = rows
    if (row === undefined) throw new Error('PostgreSQL did not answer')
    return row
  } finally {
    await client.end().catch(() => {})
  }
}
