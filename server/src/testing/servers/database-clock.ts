import { randomBytes } from 'node:crypto'
import * as pg from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../database/migrate.ts'

// The program reads the time only from its database, by `now()`. A database that finds another
// function of that name first can have any date that a test needs.

/** A separate database whose clock does not advance by itself. */
export type ClockDatabase = {
  ownerUrl: string
  /** The address for the program's own role. */
  url: string
  /** Sets the clock, from the next transaction on. */
  set(at: number): Promise<void>
  close(): Promise<void>
}

/** A setting that overrides the clock for one transaction. */
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
