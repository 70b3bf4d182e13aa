import { redeemCoupon } from '@tillside/contract/coupon'
import { getOneCustomer } from '@tillside/contract/member'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { call, logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { atLevel } from '../testing/repetition.ts'
import { openDatabase, statement } from './database.ts'
import { migrate } from './migrate.ts'

// Row-level security, the second protection of each company's data. The owner's connection only
// reads the catalogue.
let owner: pg.Client
let one: TestCompany
let other: TestCompany

beforeAll(async () => {
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  one = await testCompany()
  other = await testCompany()
})
afterAll(async () => {
  await owner.end()
  await one.close()
  await other.close()
})

// Every table, view and sequence of the schema.
const relations = `
  select c.relname as name, c.relkind as kind, c.relrowsecurity and c.relforcerowsecurity as walled,
    exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped) as tenant,
    array(select concat(p.polcmd, p.polpermissive, ' ', pg_get_expr(p.polqual, p.polrelid), ' | ',
      pg_get_expr(p.polwithcheck, p.polrelid))
      from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    and n.nspname !~ '^pg_(toast_)?temp' and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  order by 1`
type Relation = {
  name: string
  kind: string
  walled: boolean
  tenant: boolean
  policies: string[]
}
const ofCompany = '(company_id = current_company())'
const counted = z.object({ n: z.int() })
/** The program's privileges on each table, from the catalogue. */
const granted = `
  select c.relname as name, array(
      select p from unnest('{select,insert,update,delete,truncate,references,trigger}'::text[]) p
      where has_table_privilege('tillside_app', c.oid, p)) as privileges
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`
type Granted = { name: string; privileges: string[] }

describe('every table', () => {
  test('belongs to one company and has row-level security, for its owner too', async () => {
    const { rows } = await owner.query<Relation>(relations)
    expect(rows.filter((row) => row.tenant).length).toBeGreaterThan(30)
    // Tables only: a view would read with its owner's privileges, and nothing counts on a sequence.
    expect(rows.filter((row) => !/^[rp]$/.test(row.kind))).toEqual([])
    const others = rows.filter((row) => !row.tenant).map((row) => row.name)
    expect(others).toEqual(['schema_migration'])
    const bare = rows.filter(
      (row) =>
        row.tenant &&
        row.name !== 'company_address' &&
        !(row.walled && row.policies.join() === `*t ${ofCompany} | ${ofCompany}`),
    )
    expect(bare).toEqual([])
    // The directory is read before a company is known. It says which address belongs to which
    // company, and nothing else.
    const directory = rows.find((row) => row.name === 'company_address')
    expect(directory).toMatchObject({ walled: true, policies: [`*t true | ${ofCompany}`] })
  })

  test('shows nothing to the program when no company is set', async () => {
    const { rows } = await owner.query<Relation>(relations)
    const names = rows.map((row) => row.name).filter((name) => name !== 'company_address')
    expect(names.length).toBeGreaterThan(30)
    for (const name of names) {
      const count = statement(`select count(*)::int as n from "${name}"`, counted)
      const look = one.database.withoutCompany((tx) => tx.one(count, []))
      if (name === 'schema_migration') await expect(look).rejects.toThrow(/permission denied/)
      else expect([name, (await look).n]).toEqual([name, 0])
    }
  })

  test('shows nothing for a company that does not exist, and accepts no row for it', async () => {
    const { rows } = await owner.query<Relation>(relations)
    const unknownCompany = '00000000-0000-4000-8000-000000000000'
    for (const { name } of rows.filter((row) => row.tenant && row.name !== 'company_address')) {
      const count = statement(`select count(*)::int as n from "${name}"`, counted)
      const seen = await one.database.reading(unknownCompany, (tx) => tx.one(count, []))
      expect([name, seen.n]).toEqual([name, 0])
    }
  })

  test('shows one company nothing of another', async () => {
    const staff = statement(
      'select company_id::text as id from staff',
      z.object({ id: z.string() }),
    )
    const seen = await one.database.transaction(one.id, (tx) => tx.all(staff, []))
    expect(seen).toHaveLength(4)
    expect(new Set(seen.map((row) => row.id))).toEqual(new Set([one.id]))
  })

  test('accepts no row for another company', async () => {
    const insert = statement(
      'insert into store (company_id, store_code, name) values ($1, $2, $3)',
      z.unknown(),
    )
    const attempt = one.database.transaction(one.id, (tx) =>
      tx.run(insert, [other.id, 'X1', 'Theirs']),
    )
    await expect(attempt).rejects.toThrow(/row-level security/)
  })
})

describe('a person with psql', () => {
  let psql: pg.Client
  beforeAll(async () => {
    const connection = { connectionString: inject('databaseUrl'), application_name: 'psql' }
    psql = new pg.Client(connection)
    await psql.connect()
  })
  afterAll(() => psql.end())

  test('is told why there are no rows, and how to see them', async () => {
    for (const table of ['member', 'staff', 'point_entry']) {
      const refused = psql.query(`select * from ${table}`)
      await expect(refused).rejects.toMatchObject({
        message: 'no company is chosen, so row-level security hides every row',
        hint: expect.stringContaining("select use_company('identifier');"),
      })
    }
    const { rows } = await psql.query('select identifier from company_address')
    expect(rows).toContainEqual({ identifier: one.identifier })
    await expect(psql.query("select use_company('nowhere')")).rejects.toMatchObject({
      message: 'there is no company nowhere',
    })
  })

  test('sees the rows of the company that they choose, and no others', async () => {
    await psql.query('select use_company($1)', [one.identifier])
    const { rows } = await psql.query('select company_id from staff')
    expect(rows).toHaveLength(4)
    expect(new Set(rows.map((row) => row.company_id))).toEqual(new Set([one.id]))
    await psql.query('reset app.company_id')
    await expect(psql.query('select from staff')).rejects.toThrow('no company is chosen')
  })

  test('sees them in and after the transaction in which they choose it', async () => {
    await psql.query('begin')
    await psql.query('select use_company($1)', [one.identifier])
    expect((await psql.query('select from staff')).rowCount).toBe(4)
    await psql.query('commit')
    expect((await psql.query('select from staff')).rowCount).toBe(4)
    await psql.query('reset app.company_id')
  })
})

/** The ledger, consents and the audit log, with the rows they are made of. */
const keptForEver = ['point_entry', 'point_burn', 'qualifying_spend', 'consent', 'audit']

describe('the program’s role', () => {
  test('owns nothing, cannot bypass row-level security or become another role', async () => {
    const { rows } = await owner.query(
      `select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (select count(*)::int from pg_class where relowner = r.oid) as owned,
         (select count(*)::int from pg_auth_members where member = r.oid) as roles,
         has_schema_privilege(r.oid, 'public', 'create') as may_create,
         has_database_privilege(r.oid, current_database(), 'create') as may_make_schemas
       from pg_roles r where rolname = 'tillside_app'`,
    )
    expect(rows).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        owned: 0,
        roles: 0,
        may_create: false,
        may_make_schemas: false,
      },
    ])
    // No function runs with its owner's privileges.
    const definer = `select p.oid::regprocedure::text as name from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and p.prosecdef`
    expect((await owner.query(definer)).rows).toEqual([])
  })

  test('has no password that can be guessed', async () => {
    const open = 'postgres://owner@127.0.0.1:1/none'
    await expect(migrate(open)).rejects.toThrow(/DATABASE_URL has no password.*DATABASE_APP_URL/)
  })

  test('may change rows where a rule allows it, and delete only expired rows', async () => {
    const { rows } = await owner.query<Granted>(granted)
    const may = (privilege: string) =>
      rows.filter((row) => row.privileges.includes(privilege)).map((row) => row.name)
    for (const never of ['truncate', 'references', 'trigger']) expect(may(never)).toEqual([])
    for (const kept of keptForEver) {
      const row = rows.find((table) => table.name === kept)
      expect(row).toEqual({ name: kept, privileges: ['select', 'insert'] })
    }
    // Rows of value can never be deleted. `point_report` only says that a report is being made, and
    // `coupon_expiry_walk` how far a job is.
    const job = /^(point_report|coupon_expiry_walk)$/
    const worth = /^(point_|gift|coupon|transaction|tier|member$|member_tier|company|store|staff)/
    expect(may('delete').filter((name) => worth.test(name) && !job.test(name))).toEqual([])
    expect(rows.filter((row) => worth.test(row.name)).length).toBeGreaterThan(15)
  })

  test.each(keptForEver)('may not change or remove a row of %s', async (table) => {
    for (const sql of [
      `update "${table}" set company_id = company_id`,
      `delete from "${table}"`,
      `truncate "${table}"`,
    ]) {
      const change = one.database.transaction(one.id, (tx) =>
        tx.run(statement(sql, z.unknown()), []),
      )
      await expect(change).rejects.toThrow(/permission denied/)
    }
  })
})

const rounds = atLevel({ short: 60, full: 340, long: 340 })

describe('one connection for two companies', () => {
  test(
    `mixes nothing up in ${rounds * 3} requests, including refused and failed ones`,
    { timeout: 120_000 },
    async () => {
      const database = openDatabase(inject('databaseUrl'), 1)
      const app = await createApp(database, pino({ level: 'silent' }))
      const sides = await Promise.all(
        [one, other].map(async (company) => {
          const member = await testMember(company)
          const coupon = await testCoupon(company, member)
          return { company, member, coupon, token: await logIn(company) }
        }),
      )
      const divide = statement('select 1 / 0', z.unknown())
      async function ask(n: number): Promise<void> {
        const [mine, theirs] = n % 2 === 0 ? sides : sides.toReversed()
        if (mine === undefined || theirs === undefined) throw new Error('no company')
        const { token, company, member } = mine
        const look = async (code: string) =>
          (await call({ app }, getOneCustomer, { code }, { token })).data
        expect(await look(member.memberCode)).toMatchObject({ memberCode: member.memberCode })
        expect(await look(theirs.member.memberCode)).toBeNull()
        // Rolled back: once by a refusal, once by a statement that fails.
        const input = { memberCode: member.memberCode, couponCode: theirs.coupon }
        expect((await call({ app }, redeemCoupon, input, { token })).code).toBe(113001)
        if (n % 5 !== 0) return
        const broken = database.transaction(company.id, (tx) => tx.run(divide, []))
        await expect(broken).rejects.toThrow(/division by zero/)
      }
      // Ten at a time, so that they compete for the connection.
      for (let n = 0; n < rounds; n += 10) {
        await Promise.all(Array.from({ length: 10 }, (_, i) => ask(n + i)))
      }
      await app.close()
      await database.close()
    },
  )

  test('has no company set after a transaction, however it ended', async () => {
    const database = openDatabase(inject('databaseUrl'), 1)
    const who = statement(
      'select company_id::text as id from company',
      z.object({ id: z.string() }),
    )
    for (let n = 0; n < rounds; n++) {
      const company = n % 2 === 0 ? one : other
      if (n % 7 === 0) {
        const broken = database.transaction(company.id, (tx) =>
          tx.run(statement('select 1 / 0', z.unknown()), []),
        )
        await expect(broken).rejects.toThrow(/division by zero/)
      }
      const seen = await database.transaction(company.id, (tx) => tx.all(who, []))
      expect(seen).toEqual([{ id: company.id }])
      expect(await database.withoutCompany((tx) => tx.all(who, []))).toEqual([])
    }
    await database.close()
  })
})
