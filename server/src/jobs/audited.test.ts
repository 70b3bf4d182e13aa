import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { auditComparisons } from './audited.ts'
import { comparisons } from './invariants.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const changes = 2_000
const fill = statement(
  `insert into audit (company_id, place, audit_id, at, staff_id, action, request_id)
   select $1, audit_id, audit_id, now() - make_interval(secs => n), $2, 'coupon.issue', n::text
   from (select n, uuidv7() as audit_id from generate_series(1, ${changes}) n)`,
  z.unknown(),
)

test('the audit rows of a clerk are found one by one, by the index', async () => {
  const clerk = '0190a000-0000-7000-8000-000000000001'
  await company.database.transaction(company.id, (tx) => tx.run(fill, [company.id, clerk]))
  const owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query('analyze audit')
  await owner.end()
  const [find] = auditComparisons.auditedEntries.find
  const readNames = statement(
    `select concat(staff_id, ' ', to_jsonb(at) #>> '{}') as name from audit
     where company_id = $1 and staff_id = $2`,
    z.object({ name: z.string() }),
  )
  const explain = statement(
    `explain (analyze, costs off, timing off) ${find?.text}`,
    z.object({ 'QUERY PLAN': z.string() }),
  )
  const rows = await company.database.transaction(company.id, async (tx) => {
    const names = (await tx.all(readNames, [company.id, clerk])).map(({ name }) => name)
    return tx.all(explain, [company.id, names])
  })
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/Index Cond: .*ROW\(staff_id, at\) > .*ROW\(staff_id, at\) </)
  expect(plan).not.toMatch(/Rows Removed by/)
})

// With row-level security PostgreSQL uses no index for a condition that calculates a value.
test.each(comparisons)(
  '%s reads the values in its names before it looks for them',
  (_, { find }) => {
    for (const { text } of find) {
      if (text.includes('unnest($2')) expect(text).toMatch(/^with n as materialized \(/)
    }
  },
)
