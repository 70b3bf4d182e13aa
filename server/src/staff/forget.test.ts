import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { forgetStaffTraces } from './forget.ts'

let s: Shop
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  s = await testShop()
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await s.close()
})

test('sessions that another transaction has locked are left, and others are deleted', async () => {
  await owner.query(
    `insert into session (company_id, token_hash, staff_id, permission_version, ended_at)
     select $1, sha256(n::text::bytea), staff_id, 1, now() - interval '3 days'
     from generate_series(1, 4) n, (select staff_id from staff where company_id = $1 limit 1) s`,
    [s.id],
  )
  const {
    rows: [session],
  } = await owner.query('select staff_id from session where company_id = $1 limit 1', [s.id])
  const left = `select array(select n from generate_series(1, 4) n join session e
    on e.company_id = $1 and e.token_hash = sha256(n::text::bytea) order by n) as left`
  const forget = (limit: number) =>
    s.database.transaction(s.id, (tx) => forgetStaffTraces(tx, s.id, limit))
  await owner.query('begin')
  await owner.query(
    `select from session where company_id = $1 and staff_id = $3 and token_hash = sha256($2)
     for update`,
    [s.id, '1', session?.staff_id],
  )
  expect(await forget(2)).toBe(2)
  expect(await forget(2)).toBe(1)
  expect(await forget(2)).toBe(0)
  await owner.query('rollback')
  expect((await owner.query(left, [s.id])).rows).toEqual([{ left: [1] }])
  expect(await forget(2)).toBe(1)
  expect((await owner.query(left, [s.id])).rows).toEqual([{ left: [] }])
})
