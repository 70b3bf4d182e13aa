import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/company.ts'
import { openDatabase, statement } from './database.ts'

// Row-level security, the second wall. The owner's connection only looks at the catalogue.
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

const tenantTables = `
  select c.relname as name, c.relrowsecurity as secured, c.relforcerowsecurity as forced,
    (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p')
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')`
const counted = z.object({ n: z.int() })

describe('every table that holds a company’s data', () => {
  test('is behind a policy, for its owner too', async () => {
    const { rows } = await owner.query<{
      name: string
      secured: boolean
      forced: boolean
      policies: number
    }>(tenantTables)
    expect(rows.length).toBeGreaterThan(20)
    const bare = rows.filter((row) => !row.secured || !row.forced || row.policies === 0)
    expect(bare.map((row) => row.name)).toEqual([])
  })

  test('shows nothing to the program where no company is named', async () => {
    const { rows } = await owner.query<{ name: string }>(tenantTables)
    const names = rows.map((row) => row.name).filter((name) => name !== 'company_address')
    for (const name of names) {
      const count = statement(`select count(*)::int as n from "${name}"`, counted)
      const seen = await one.database.withoutCompany((tx) => tx.one(count, []))
      expect([name, seen.n]).toEqual([name, 0])
    }
  })

  test('shows one company nothing of the other', async () => {
    const staff = statement(
      'select company_id::text as id from staff',
      z.object({ id: z.string() }),
    )
    const seen = await one.database.transaction(one.id, (tx) => tx.all(staff, []))
    expect(seen).toHaveLength(4)
    expect(new Set(seen.map((row) => row.id))).toEqual(new Set([one.id]))
  })

  test('takes no row for the other company', async () => {
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

describe('the program’s role', () => {
  test('owns nothing and passes no wall', async () => {
    const { rows } = await owner.query<{ rolsuper: boolean; rolbypassrls: boolean; owned: number }>(
      `select rolsuper, rolbypassrls,
         (select count(*)::int from pg_class where relowner = r.oid) as owned
       from pg_roles r where rolname = 'tillside_app'`,
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 0 }])
  })

  test.each(['point_entry', 'audit', 'consent', 'qualifying_spend', 'point_burn'])(
    'may not change or remove a row of %s',
    async (table) => {
      for (const sql of [
        `update "${table}" set company_id = company_id`,
        `delete from "${table}"`,
      ]) {
        const change = one.database.transaction(one.id, (tx) =>
          tx.run(statement(sql, z.unknown()), []),
        )
        await expect(change).rejects.toThrow(/permission denied/)
      }
    },
  )
})

test('a pool of one crosses no companies, aborted transactions among them', async () => {
  const database = openDatabase(inject('databaseUrl'), 1)
  const who = statement('select company_id::text as id from company', z.object({ id: z.string() }))
  for (let n = 0; n < 200; n++) {
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
