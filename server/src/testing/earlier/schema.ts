import { hash as digest } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as pg from 'pg'
import { migrate } from '../../database/migrate.ts'
import { prepareVersion } from '../../database/version.ts'
import { projectRoot } from '../../process/config.ts'

/**
 * A database of an owner who is no superuser, to test migrations with rows of before.
 * @param name of the database and its owner
 * @param at the addresses of the test's PostgreSQL
 */
export async function earlierSchema(name: string, at: { ownerUrl: string; databaseUrl: string }) {
  const superuser = new pg.Client({ connectionString: at.ownerUrl })
  await superuser.connect()
  await superuser.query(`create role ${name} login createrole password 'secret'`)
  await superuser.query(`create database ${name} owner ${name}`)
  const ofDatabase = (address: string, changes: Partial<URL> = {}) =>
    Object.assign(new URL(address), { pathname: `/${name}`, ...changes }).href
  const ownerUrl = ofDatabase(at.ownerUrl, { username: name, password: 'secret' })
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  const adapted = await prepareVersion(client, (sql) => client.query(sql))
  await client.query(`create table schema_migration (name text primary key, checksum text not null,
    applied_at timestamptz not null default now())`)
  const folder = join(projectRoot, 'server/migrations')
  const open = (await readdir(folder)).toSorted()

  return {
    /** A connection of the owner. */
    client,
    superuserUrl: ofDatabase(at.ownerUrl),
    /** Applies the next migrations, without the one whose name begins with this. */
    async applyBefore(number: string): Promise<void> {
      while (open[0] !== undefined && !open[0].startsWith(number)) {
        const file = open.shift() ?? ''
        const sql = await readFile(join(folder, file), 'utf8')
        await client.query(adapted(sql))
        const values = [file, digest('sha256', sql, 'hex')]
        await client.query('insert into schema_migration (name, checksum) values ($1, $2)', values)
      }
    },
    /** Applies all other migrations as the program does. */
    migrate: () => migrate(ownerUrl, ofDatabase(at.databaseUrl)),
    async drop(): Promise<void> {
      await client.end()
      await superuser.query(`drop database ${name} with (force)`)
      await superuser.query(`drop role ${name}`)
      await superuser.end()
    },
  }
}
