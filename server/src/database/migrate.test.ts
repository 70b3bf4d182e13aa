import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { expect, inject, test } from 'vitest'
import { waitUntil } from '../process/wait.ts'
import { oldInserts } from '../testing/earlier/receipt.ts'
import { earlierSchema } from '../testing/earlier/schema.ts'

const isWaiting = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like $1`
const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }

test('requests pass a migration that waits for a lock', { timeout: 120_000 }, async () => {
  const db = await earlierSchema('migration_waits', at)
  const reader = new pg.Client({ connectionString: db.superuserUrl })
  const request = new pg.Client({ connectionString: db.superuserUrl })
  try {
    await Promise.all([reader.connect(), request.connect()])
    await db.applyBefore('0094')
    await reader.query('begin')
    await reader.query('select from member')
    const migrated = db.migrate()
    const isQueued = async () => (await request.query(isWaiting, ['%alter table%'])).rowCount === 1
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

test('a migration in steps goes on after a deadlock', { timeout: 120_000 }, async () => {
  const name = 'migration_deadlock'
  const db = await earlierSchema(name, at)
  const other = new pg.Client({ connectionString: db.superuserUrl })
  const watcher = new pg.Client({ connectionString: db.superuserUrl })
  try {
    await Promise.all([other.connect(), watcher.connect()])
    await db.applyBefore('0083')
    const company = randomUUID()
    // In the same order in the table and in each index, so that the second is never filled first.
    const receipts = [randomUUID(), randomUUID(), randomUUID()].toSorted()
    await other.query(`insert into company_address values ('one', $1)`, [company])
    await other.query(
      `insert into company (company_id, identifier, time_zone, settings, logo)
       values ($1, 'one', 'UTC', '{}', '')`,
      [company],
    )
    for (const id of receipts) await other.query(oldInserts.receipt, [company, id, null])
    await db.applyBefore('0084')
    // PostgreSQL ends the transaction that looks for a deadlock first: the migration.
    await other.query(`set deadlock_timeout = '100s'`)
    await other.query(`alter role ${name} set deadlock_timeout = '5s'`)
    await other.query('begin')
    await other.query('select from transaction where transaction_id = $1 for update', [receipts[1]])
    const migrated = db.migrate()
    const isBlocked = async () =>
      (await watcher.query(isWaiting, ['call fill_places%'])).rowCount === 1
    expect(await waitUntil(isBlocked)).toBe(true)
    await other.query('select from transaction for update')
    await other.query('commit')
    await migrated
    const { rows } = await watcher.query('select place from transaction order by place')
    expect(rows).toEqual(receipts.map((place) => ({ place })))
    const happened = `select from pg_stat_database
      where datname = current_database() and deadlocks > 0`
    expect(await waitUntil(async () => (await watcher.query(happened)).rowCount === 1)).toBe(true)
  } finally {
    await Promise.all([other.end(), watcher.end()])
    await db.drop()
  }
})
