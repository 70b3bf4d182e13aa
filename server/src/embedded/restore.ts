import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as pg from 'pg'
import { unpackBackup } from './archive.ts'
import { startEmbedded } from './embedded.ts'
import { makeHome } from './embedded-home.ts'

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
 * folder.
 * @throws Error with one line when there is no earlier backup, or the archive ends before `moment`
 */
export async function restore(
  archive: string,
  folder: string,
  moment: Date | null,
): Promise<Restored> {
  await unpackBackup(archive, folder, moment)
  const explain = async (error: unknown): Promise<never> => {
    throw (await isTooShort(folder)) ? tooShort(moment) : error
  }
  const embedded = await startEmbedded(folder).catch(explain)
  try {
    const lastChange = await recovered(embedded.url).catch(explain)
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

function tooShort(moment: Date | null): Error {
  return new Error(`the archive ends before ${moment?.toISOString() ?? 'the backup was complete'}`)
}

/** PostgreSQL exits when the archive does not reach the target time, or the end of the backup. */
async function isTooShort(folder: string): Promise<boolean> {
  const log = await readFile(join((await makeHome(folder)).folder, 'postgres.log'), 'utf8')
  return /before configured recovery target was reached|WAL ends before/.test(log)
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
