import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { findByName, lastCharacter, readInOrder } from './search.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

test('the keys of names are found by the index, with many members', async () => {
  const fill = statement(
    `with people as (
       insert into member (company_id, member_id, member_code, uni_customer_no, card_number,
         first_name, last_name, address, registration_date, custom_fields, marketing_opt_in)
       select $1, uuidv7(), 'Z' || n, 'UZ' || n, 'CZ' || n, 'Zed' || n, 'Many', '{}',
         '2026-01-05', '{}', false
       from generate_series(1, 5000) n returning company_id, member_id, first_name
     )
     insert into member_name_key (company_id, member_id, key)
     select company_id, member_id, key from people,
       unnest(array['many', lower(first_name)]) as key`,
    z.unknown(),
  )
  await company.database.transaction(company.id, (tx) => tx.run(fill, [company.id]))
  // Only the owner may. Without it the plan depends on when autovacuum last ran.
  const owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query('analyze member_name_key')
  await owner.end()
  const explain = statement(
    `explain (analyze, costs off, timing off) ${findByName.text}`,
    z.object({ 'QUERY PLAN': z.string() }),
  )
  const rows = await company.database.transaction(company.id, async (tx) => {
    await tx.one(readInOrder, [])
    return tx.all(explain, [company.id, 'many', `many${lastCharacter}`])
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/Index Only Scan using member_name_key_company_id_key_member_id_idx/)
  expect(plan).not.toMatch(/Seq Scan/)
  // At most 200 keys are read, however many members have the name.
  expect(plan).toMatch(/Limit \(actual rows=200/)
  expect(plan).toMatch(/Index Only Scan using \w+ on member_name_key \(actual rows=200/)
})
