import { randomBytes } from 'node:crypto'
import * as pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../database/migrate.ts'

// The program reads no clock but its database's, by the name `now()`. A database that finds another
// function of that name first lives on whatever day a test needs.

/** A database of its own whose clock stands until it is set. */
export type ClockDatabase = {
  ownerUrl: string
  /** For the program's own role. */
  url: string
  /** Sets the clock of everybody, from the next transaction on. */
  set(at: number): Promise<void>
  close(): Promise<void>
}

/** Set in one transaction, it goes before the clock of everybody. */
export const clockSetting = 'test.now'

const clock = `create table moment (at timestamptz not null);
  insert into moment values ('2023-12-20T12:00:00Z');
  grant select on moment to public;
  create function public.now() returns timestamptz language sql stable as $$
    select coalesce(nullif(current_setting('${clockSetting}', true), '')::timestamptz,
      (select at from public.moment))
  $$`

export async function testClock(): Promise<ClockDatabase> {
  const name = `clock_${randomBytes(6).toString('hex')}`
  const root = new pg.Client({ connectionString: inject('ownerUrl') })
  await root.connect()
  await root.query(`create database ${name}`)
  await root.query(`alter database ${name} set search_path = public, pg_catalog`)
  const ownerUrl = Object.assign(new URL(inject('ownerUrl')), { pathname: `/${name}` }).href
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(clock)
  return {
    ownerUrl,
    url: await migrate(ownerUrl),
    async set(at) {
      await owner.query('update moment set at = $1', [new Date(at).toISOString()])
    },
    async close() {
      await owner.end()
      await root.query(`drop database ${name} with (force)`)
      await root.end()
    },
  }
}
