import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { newId } from '../values/id.ts'
import { batchAudit, writeAudit } from './audit.ts'
import { type Database, statement } from './database.ts'

let company: Shop
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  company = await testShop()
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await company.close()
})

const Row = z.object({ action: z.string(), member_id: z.nullable(z.string()), placed: z.boolean() })
const readRows = statement(
  `select action, member_id, place = coalesce(member_id, audit_id) as placed from audit
   where company_id = $1 and request_id = $2 order by audit_id`,
  Row,
)
const rowsOf = (request: string) =>
  company.database.reading(company.id, async (tx) => tx.all(readRows, [company.id, request]))
/** An act on a member, and one on none. */
const acts = (memberId: string) => [
  { action: 'one', memberId, details: {} },
  { action: 'none', memberId: null, details: {} },
]
const placed = (member: string) => [
  { action: 'one', member_id: member, placed: true },
  { action: 'none', member_id: null, placed: true },
]

test('the place of an audit row is its member, or the row itself', async () => {
  const { id } = await testMember(company)
  const actor = { company, staff: null, store: null }
  await company.database.transaction(company.id, async (tx) => {
    for (const act of acts(id)) writeAudit(tx, actor, 'place-own', act)
  })
  expect(await rowsOf('place-own')).toEqual(placed(id))
})

// Without the trigger, which would fill the column.
const quiet = statement('set local session_replication_role = replica', z.unknown())
const writeOne = statement(
  `select write_audit($1, $2, null, null, $3, 'place-function', '{}')`,
  z.unknown(),
)
const insertBefore = statement(
  'insert into audit (company_id, action, member_id, request_id) values ($1, $2, $3, $4)',
  z.unknown(),
)

test('a function and a batch write it, and a trigger for the release before this one', async () => {
  const { id } = await testMember(company)
  await owner.query('begin')
  await owner.query(quiet.text)
  for (const { action, memberId } of acts(id))
    await owner.query(writeOne.text, [company.id, memberId, action])
  await owner.query('commit')
  expect(await rowsOf('place-function')).toEqual(placed(id))

  const statements = vi.fn<(text: string) => void>()
  const batch = batchAudit(watched(company.database, statements), () => {})
  const caller = {
    company: { id: company.id, identifier: '', revision: 1, timeZone: 'UTC' },
    staff: { id: newId(), account: '', firstName: '', lastName: '' },
    isSystem: false,
    store: { code: 'S1', name: '' },
    group: { code: '', permissionVersion: 1, menus: [] },
    hasMemberModule: true,
    permissions: new Set<never>(),
    seenPermissionVersion: 1,
    now: new Date().toISOString(),
    today: '2026-11-25',
  }
  batch.add(caller, 'place-batch', acts(id))
  await batch.close()
  expect(await rowsOf('place-batch')).toEqual(placed(id))
  expect(statements.mock.calls.flat().join()).toMatch(/\bplace\b/)

  await company.database.transaction(company.id, async (tx) => {
    for (const { action, memberId } of acts(id))
      await tx.run(insertBefore, [company.id, action, memberId, 'place-before'])
  })
  expect((await rowsOf('place-before')).toSorted((a, b) => (a.action < b.action ? 1 : -1))).toEqual(
    placed(id),
  )
})

/** Notes the statements of each transaction. */
function watched(real: Database, note: (text: string) => void): Database {
  return {
    ...real,
    transaction: (companyId, work) =>
      real.transaction(companyId, (tx) =>
        work({
          ...tx,
          all: (s, values) => {
            note(s.text)
            return tx.all(s, values)
          },
        }),
      ),
  }
}

test('doctor reports an audit row with another place or without its member', async () => {
  const [{ id }, lost] = [await testMember(company), newId()]
  const write = (sql: string, ...values: string[]) => owner.query(sql, [company.id, ...values])
  await write(insertBefore.text, 'lost', lost, 'doctor')
  await write(insertBefore.text, 'moved', id, 'doctor')
  await write(`update audit set place = audit_id where company_id = $1 and action = 'moved'`)
  const found = (await company.violations()).filter((one) => one.startsWith('auditMember'))
  expect(found.toSorted()).toEqual([
    `auditMember: audit refers to member ${lost}, which is missing`,
    expect.stringMatching(/^auditMember: audit row \S+ has another place$/),
  ])
})

test('rows from before get a place, also after an interruption', async () => {
  const before = new pg.Client({ connectionString: inject('ownerUrl') })
  await before.connect()
  // A table as it was between the two migrations. Its owner, who is no superuser, sees its rows one
  // company at a time.
  await before.query(`create schema before_place;
    set search_path = before_place, public;
    create table audit (
      company_id uuid, audit_id uuid default uuidv7(), member_id uuid, place uuid)`)
  const of = [company.id, newId()]
  const insert = `insert into audit (company_id, member_id)
    select $1, case n % 2 when 0 then $2::uuid end from generate_series(1, 40000) n`
  await before.query(insert, of)
  await before.query(`
    alter table audit add constraint audit_placed check (place is not null) not valid;
    create trigger fill_place before insert or update on audit
      for each row when (new.place is null) execute function place_audit_row();
    alter table audit enable row level security;
    alter table audit force row level security;
    create policy own on audit using (company_id = current_company());
    create role before_place;
    grant select on company_address to before_place;
    grant usage, create on schema before_place to before_place;
    alter table audit owner to before_place;
    set role before_place`)
  await before.query('begin')
  await expect(before.query('call fill_places_of_audit_rows()')).rejects.toThrow(/transaction/)
  await before.query('rollback')
  await before.query(`select set_config('app.company_id', $1, false)`, [company.id])
  await before.query('insert into audit (company_id, member_id) values ($1, $2)', of)
  await before.query('call fill_places_of_audit_rows()')
  await before.query('call fill_places_of_audit_rows()')
  await before.query('reset role')
  const { rows } = await before.query(
    `select count(*)::int as all, count(*) filter (where place = coalesce(member_id, audit_id))::int
       as placed, (select convalidated from pg_constraint where conname = 'audit_placed') as valid
     from audit`,
  )
  await before.query('drop schema before_place cascade')
  await before.query('drop owned by before_place; drop role before_place')
  await before.end()
  expect(rows).toEqual([{ all: 40_001, placed: 40_001, valid: true }])
})
