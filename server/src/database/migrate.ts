import { createHmac, hash as digest } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import * as pg from 'pg'
import { projectRoot } from '../process/config.ts'
import { locationOf } from './connection/session-settings.ts'
import { prepareVersion } from './version.ts'

const folder = join(projectRoot, 'server/migrations')

/** The work that a process waits for during a long `migrate`. */
export const migrating = 'the database, which may be applying migrations'

/**
 * Migrates the database to this program's schema and creates the program's own role. Several
 * processes may do so at once; each migration runs once, in one transaction unless its name ends in
 * `.steps.sql`.
 * @param ownerUrl a connection URL that may create tables and, unless `appUrl` is given, roles
 * @returns the connection URL that the program uses: a role that neither owns tables nor bypasses
 *   row-level security
 * @throws Error when the version of PostgreSQL is not supported, a migration that already ran was
 *   changed, the role could bypass row-level security, or its password would be guessable
 */
export async function migrate(ownerUrl: string, appUrl?: string): Promise<string> {
  const program = appUrl ?? programAddress(ownerUrl)
  const client = await connectAsOwner(ownerUrl)
  try {
    const adapted = await prepareVersion(client, (sql) => client.query(sql).catch(ignoreRace))
    await client
      .query(
        `create table if not exists schema_migration (
           name text primary key, checksum text not null,
           applied_at timestamptz not null default now())`,
      )
      .catch(ignoreRace)
    await makeRole(client, program, appUrl !== undefined)
    await applyAll(client, adapted)
    await checkRole(client)
    return program
  } finally {
    await client.end()
  }
}

/**
 * Compares the database's schema with this program. `older`: a migration of this program has not
 * run. A schema of a newer program counts as `current`, because migrations only add.
 */
export async function readSchemaState(ownerUrl: string): Promise<'empty' | 'older' | 'current'> {
  const client = await connectAsOwner(ownerUrl)
  try {
    const found = `select to_regclass('schema_migration') is not null as exists`
    const { rows } = await client.query<{ exists: boolean }>(found)
    if (rows[0]?.exists !== true) return 'empty'
    const done = await client.query<{ name: string }>('select name from schema_migration')
    const names = new Set(done.rows.map(({ name }) => name))
    return (await listMigrations()).every((name) => names.has(name)) ? 'current' : 'older'
  } finally {
    await client.end()
  }
}

async function listMigrations(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

async function connectAsOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect().catch((cause: unknown) => {
    const message = `cannot connect to the database ${locationOf(url)}: ${reasonOf(cause)}`
    throw new Error(message, { cause })
  })
  return client
}

/** The message; for a host name with several addresses that of each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/**
 * `create … if not exists` can still collide with another process that does the same. The object
 * then exists.
 */
function ignoreRace(error: unknown): void {
  const known = ['23505', '42P07', '42710', '42723', 'XX000']
  if (!(error instanceof pg.DatabaseError && known.includes(error.code ?? ''))) throw error
}

// Every process derives the same password from the owner's, so there is no second secret to keep.
function programAddress(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  // Without a password there is no secret to derive one from, however the owner authenticates.
  if (url.password === '') {
    throw new Error(
      'DATABASE_URL has no password to derive the program’s own from; set DATABASE_APP_URL',
    )
  }
  const secret = createHmac('sha256', url.password).update('tillside_app').digest('base64url')
  url.username = 'tillside_app'
  url.password = secret
  return url.href
}

async function makeRole(client: pg.Client, program: string, given: boolean): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = 'tillside_app'")
  const secret = pg.escapeLiteral(decodeURIComponent(new URL(program).password))
  if (rowCount === 0) {
    await client.query(`create role tillside_app login password ${secret}`).catch(ignoreRace)
  } else if (!given && !(await connects(program))) {
    await client.query(`alter role tillside_app login password ${secret}`).catch(ignoreRace)
  }
}

async function connects(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function applyAll(client: pg.Client, adapted: (migration: string) => string): Promise<void> {
  for (const name of await listMigrations()) {
    const sql = await readFile(join(folder, name), 'utf8')
    const migration = { name, sql: adapted(sql), checksum: digest('sha256', sql, 'hex') }
    await (name.endsWith('.steps.sql') ? applyInSteps : applyAtOnce)(client, migration)
  }
}

type Migration = { name: string; sql: string; checksum: string }

/** How long a change of the schema waits for each lock, and how often it tries again. */
export const lockTimeout = '1s'
const mostTries = 300
const lockNotAvailable = '55P03'
const deadlock = '40P01'

/**
 * Repeats a change of the schema that gave up a lock to running requests.
 * @param what its name for the error, such as `migration 0001_companies.sql`
 * @throws Error when another transaction keeps the lock for minutes
 */
export async function repeatWhileLocked(what: string, apply: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await apply()
    } catch (error) {
      const state = error instanceof pg.DatabaseError ? error.code : undefined
      if (state !== lockNotAvailable && state !== deadlock) throw error
      if (tries === mostTries) {
        const message = `${what} waits for a table that another transaction keeps locked`
        throw new Error(message, { cause: error })
      }
      await setTimeout(500)
    }
  }
}

/**
 * Applies a migration in one transaction. All requests that need a table wait behind a migration
 * that waits for its lock, so it gives up after a second, lets them pass and tries again.
 */
function applyAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  return repeatWhileLocked(`migration ${migration.name}`, () => tryAtOnce(client, migration))
}

async function tryAtOnce(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    // The lock makes a second process wait here until the first has recorded the migration.
    await client.query('set local lock_timeout = 0')
    await client.query('lock table schema_migration in exclusive mode')
    if (!(await hasRun(client, migration))) {
      await client.query(`set local lock_timeout = '${lockTimeout}'`)
      await client.query(migration.sql)
      await record(client, migration)
    }
    await client.query('commit')
  } catch (error) {
    // The first error is the cause; a connection that is lost has rolled back.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const stepsLock = `hashtext('tillside migration in steps')`

/**
 * Applies a migration that changes too many rows for one transaction: one call of a procedure that
 * commits after each part, so that requests wait for no more than a part. It may run again after an
 * interruption, so it skips what is done.
 */
async function applyInSteps(client: pg.Client, migration: Migration): Promise<void> {
  if (await hasRun(client, migration)) return
  // A second process waits here. A lock on a table would end with the first part. A statement that
  // waits holds a snapshot, so vacuum could not remove the rows that the first process replaces.
  while (!(await hasStepsLock(client))) await setTimeout(500)
  try {
    if (await hasRun(client, migration)) return
    await repeatWhileLocked(`migration ${migration.name}`, async () => {
      await client.query(migration.sql)
    })
    await record(client, migration)
  } finally {
    // On a lost connection PostgreSQL has released it, and the error of the migration is the cause.
    await client.query(`select pg_advisory_unlock(${stepsLock})`).catch(() => {})
  }
}

async function hasStepsLock(client: pg.Client): Promise<boolean> {
  const tried = `select pg_try_advisory_lock(${stepsLock}) as locked`
  const { rows } = await client.query<{ locked: boolean }>(tried)
  return rows[0]?.locked === true
}

/** @throws Error when the migration was changed after it ran */
async function hasRun(client: pg.Client, { name, checksum }: Migration): Promise<boolean> {
  const done = await client.query<{ checksum: string }>(
    'select checksum from schema_migration where name = $1',
    [name],
  )
  const before = done.rows[0]?.checksum
  if (before !== undefined && before !== checksum) {
    throw new Error(`migration ${name} was changed after it ran; add a new migration instead`)
  }
  return before !== undefined
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
    name,
    checksum,
  ])
}

async function checkRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ rolsuper: boolean; rolbypassrls: boolean; owns: boolean }>(
    `select rolsuper, rolbypassrls,
       exists (select from pg_class c where c.relowner = r.oid and c.relkind = 'r') as owns
     from pg_roles r where rolname = 'tillside_app'`,
  )
  const role = rows[0]
  if (role === undefined || role.rolsuper || role.rolbypassrls || role.owns) {
    throw new Error(
      'the role tillside_app must not be a superuser, bypass row-level security or own tables',
    )
  }
}
