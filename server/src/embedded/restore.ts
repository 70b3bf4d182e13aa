import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as pg from 'pg'
import { unpackBackup } from './archive.ts'
import { startEmbedded } from './embedded.ts'
import { makeHome } from './embedded-home.ts'

/** What a restored database has in it. */
export type Restored = {
  /** The last change that it knows, RFC 3339; null: none since the copy. */
  lastChange: string | null
  /** Rows, by table. */
  rows: Record<string, number>
}

const recoveryOnly = ['restore_command', 'recovery_target_time', 'recovery_target_action']
const counted = ['company', 'staff', 'member', 'point_entry', 'coupon', 'transaction', 'audit']

/**
 * Makes the database of the archive anew in a folder of its own, as it was at `moment`, or with all
 * that the archive knows. It touches no other; who wants to work with it sets DATA_DIR to the
 * folder.
 * @throws Error with one line when there is no copy from before, or the archive ends earlier
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

/** Waits until all has been read that was wanted. */
async function recovered(url: string): Promise<string | null> {
  for (;;) {
    const state = await look(url)
    if (!state.recovering) return state.last?.toISOString() ?? null
    await pause(50)
  }
}

function tooShort(moment: Date | null): Error {
  return new Error(`the archive ends before ${moment?.toISOString() ?? 'the copy was whole'}`)
}

/** PostgreSQL ends itself when the archive does not reach the moment, or the end of the copy. */
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
    if (row === undefined) throw new Error('PostgreSQL said nothing')
    return row
  } finally {
    await client.end().catch(() => {})
  }
}
