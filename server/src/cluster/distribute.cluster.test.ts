import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { prepareVersion } from '../database/version.ts'
import { connectOwner } from '../testing/cluster/nodes.ts'
import { isCluster } from './check.ts'
import { checkCluster, distribute } from './distribute.ts'

// On a real cluster, in `npm run test:cluster`.

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(async () => {
  await company.close()
})

test('a second run finds nothing to place', async () => {
  const { moves, placed, nodes } = await distribute(inject('ownerUrl'))
  expect(moves).toEqual([])
  expect(placed.length).toBeGreaterThan(60)
  expect(nodes.length).toBeGreaterThan(1)
})

test('doctor finds every table in its place', async () => {
  expect(await isCluster(company.database)).toBe(true)
  await checkCluster(inject('ownerUrl'))
})

test('functions that a migration has replaced are adapted by another run', async () => {
  const owner = await connectOwner()
  onTestFinished(() => owner.end())
  await owner.query('alter function bought_by set plan_cache_mode = force_generic_plan')
  await expect(checkCluster(inject('ownerUrl'))).rejects.toThrow(
    'not adapted to the cluster; run tillside database distribute',
  )
  await distribute(inject('ownerUrl'))
  await checkCluster(inject('ownerUrl'))
})

test('a migration of a later release changes placed and copied tables', async () => {
  const owner = await connectOwner()
  onTestFinished(() => owner.end())
  const adapted = await prepareVersion(owner, () => Promise.reject(new Error('PostgreSQL has all')))
  await owner.query('begin')
  await owner.query(
    adapted(`drop trigger if exists fill_place on transaction;
alter table stock add column later int;
alter table gift add column later int;
create index later on member (company_id, member_id, changed_at);
create or replace function later() returns int language sql as $$
  select 1;
$$;
`),
  )
  const read = 'select later from stock where company_id = $1'
  expect((await owner.query(read, [company.id])).rows[0]).toEqual({ later: null })
  await owner.query('rollback')
})

test('the wall holds on the nodes: no rows without a company', async () => {
  const rows = await company.database.withoutCompany((tx) =>
    tx.all({ name: '', text: 'select member_id from member limit 1', row: z.unknown() }, []),
  )
  expect(rows).toEqual([])
})
