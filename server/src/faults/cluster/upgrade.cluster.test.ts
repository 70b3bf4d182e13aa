import type * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { checkCluster, distribute } from '../../cluster/distribute.ts'
import { prepareVersion } from '../../database/version.ts'
import { connectOwner } from '../../testing/cluster/nodes.ts'
import { testCompany, type TestCompany } from '../../testing/factories/company.ts'

// A later release migrates a database that is distributed.

let owner: pg.Client
let company: TestCompany
beforeAll(async () => {
  owner = await connectOwner()
  company = await testCompany()
})
afterAll(async () => {
  await company.close()
  await owner.end()
})

test('functions that a migration has replaced are adapted by another run', async () => {
  await owner.query('alter function bought_by set plan_cache_mode = force_generic_plan')
  await expect(checkCluster(inject('ownerUrl'))).rejects.toThrow(
    'not adapted to the cluster; run tillside database distribute',
  )
  await distribute(inject('ownerUrl'))
  await checkCluster(inject('ownerUrl'))
})

test('the form of a function for several nodes gets its name by another run', async () => {
  const make = (name: string, n: number) =>
    owner.query(`create function ${name}() returns int language sql as 'select ${n}'`)
  await make('later', 1)
  await make('later_on_nodes', 2)
  await expect(checkCluster(inject('ownerUrl'))).rejects.toThrow('not adapted to the cluster')
  await distribute(inject('ownerUrl'))
  await checkCluster(inject('ownerUrl'))
  const { rows } = await owner.query('select later() as later, later_on_one() as one')
  expect(rows).toEqual([{ later: 2, one: 1 }])
  await owner.query('drop function later, later_on_one')
})

test('a migration of a later release changes placed and copied tables', async () => {
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
  expect(adapted('call fill_later();\n')).toBe('call fill_later();\n')
})
