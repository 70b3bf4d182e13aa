import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import { waitUntil } from '../process/wait.ts'
import { earlierSchema } from '../testing/earlier/schema.ts'

const isWaiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%alter table%'`

test('requests pass a migration that waits for a lock', { timeout: 120_000 }, async () => {
  const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
  const db = await earlierSchema('migration_waits', at)
  const reader = new pg.Client({ connectionString: db.superuserUrl })
  const request = new pg.Client({ connectionString: db.superuserUrl })
  try {
    await Promise.all([reader.connect(), request.connect()])
    await db.applyBefore('0094')
    await reader.query('begin')
    await reader.query('select from member')
    const migrated = db.migrate()
    const isQueued = async () => (await request.query(isWaiting)).rowCount === 1
    expect(await waitUntil(isQueued)).toBe(true)
    await request.query(`set statement_timeout = '30s'`)
    // It waits behind the migration, and is answered while the reader still holds its lock.
    await request.query('select from member')
    await reader.query('commit')
    await migrated
    expect((await request.query('select merged from member')).rows).toEqual([])
  } finally {
    await Promise.all([reader.end(), request.end()])
    await db.drop()
  }
})
