import { couponCodeDetail } from '@tillside/contract/coupon'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { waitUntil } from '../process/wait.ts'
import { ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMergeShop } from '../testing/merge-shop.ts'
import { countIssued } from '../points/gift/stock.ts'
import { makeCouponCode, ownerOfCode } from './code.ts'

let t: Awaited<ReturnType<typeof testMergeShop>>
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
// Not the owner of the tests, who is a superuser: policies hold for this role.
const program = new pg.Client({ connectionString: inject('databaseUrl') })
const watcher = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  t = await testMergeShop()
  await Promise.all([owner, program, watcher].map((client) => client.connect()))
})
afterAll(async () => {
  expect(await t.shop.violations()).toEqual([])
  await Promise.all([owner, program, watcher].map((client) => client.end()))
  await t.shop.close()
})

const ownerOf = (code: string) =>
  t.shop.database.reading(t.shop.id, async (tx) => ownerOfCode(tx, t.shop.id, code))
const detailOf = async (couponCode: string) =>
  (await ok(t.shop, couponCodeDetail, { couponCode }, t)).member.memberCode
const dropKeys = () => owner.query('delete from coupon_key where company_id = $1', [t.shop.id])

const treat = ['coupon', 'TREAT'] as const
// As the release before this one inserts it.
const insertCoupon = statement(
  `insert into coupon (company_id, coupon_code, member_id, coupon_id, issue_date, start_date,
     expiry_date)
   values ($1, $2, $3, 'TREAT', current_date, current_date, current_date)`,
  z.unknown(),
)
async function insertWithoutKey(memberId: string): Promise<string> {
  const code = makeCouponCode()
  await t.shop.database.transaction(t.shop.id, async (tx) => {
    await tx.run(insertCoupon, [t.shop.id, code, memberId])
    await countIssued(tx, t.shop.id, treat, 1)
  })
  return code
}

describe('a coupon has a key with its member', () => {
  test('from the statement that makes it, without the trigger', async () => {
    const [anna] = await t.two()
    await owner.query('begin')
    await owner.query('set local session_replication_role = replica')
    const code = makeCouponCode()
    await owner.query(
      `select make_coupons($1, $2, 'TREAT', $3, now(), current_date, current_date, current_date,
         null, 'S1', null, null)`,
      [t.shop.id, anna.id, [code]],
    )
    await owner.query('commit')
    expect(await ownerOf(code)).toBe(anna.id)
  })

  test('from the trigger, when the release before this one inserts it', async () => {
    const [anna] = await t.two()
    const code = await insertWithoutKey(anna.id)
    expect(await ownerOf(code)).toBe(anna.id)
    // Also after the program has made one in the same transaction.
    const later = makeCouponCode()
    await t.shop.database.transaction(t.shop.id, async (tx) => {
      await tx.run(
        statement(
          `select make_coupons($1, $2, 'TREAT', $3, now(), current_date, current_date,
             current_date, null, 'S1', null, null)`,
          z.unknown(),
        ),
        [t.shop.id, anna.id, [makeCouponCode()]],
      )
      await tx.run(insertCoupon, [t.shop.id, later, anna.id])
      await countIssued(tx, t.shop.id, treat, 1)
    })
    expect(await ownerOf(later)).toBe(anna.id)
  })

  test('that follows a merge and its undo', async () => {
    const [survivor, merged] = await t.two()
    const code = await testCoupon(t.shop, merged)
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    expect([await ownerOf(code), await detailOf(code)]).toEqual([survivor.id, survivor.memberCode])
    expect(await t.unmerge(merged)).toMatchObject({ code: 0 })
    expect([await ownerOf(code), await detailOf(code)]).toEqual([merged.id, merged.memberCode])
  })
})

// More than a page of `fill_coupon_keys`, which also reads the coupons of other tests.
const many = `insert into coupon (company_id, coupon_code, member_id, coupon_id, issue_date,
    start_date, expiry_date)
  select $1, 'MANY' || lpad(n::text, 6, '0'), $2, 'TREAT', current_date, current_date, current_date
  from generate_series(1, 12000) n`

describe('coupons from before get keys', () => {
  test('also one that changes meanwhile and moves to another block', async () => {
    const [anna] = await t.two()
    const of = [t.shop.id, anna.id]
    await owner.query('begin')
    await owner.query('set local session_replication_role = replica')
    await owner.query(many, of)
    await owner.query('commit')
    // Another transaction makes the fill wait in its first page.
    await owner.query('begin')
    await owner.query(`insert into coupon_key values ($1, 'MANY000001', $2)`, of)
    const filling = program.query('call fill_coupon_keys()')
    const waiting = `select from pg_stat_activity
      where wait_event_type = 'Lock' and query like 'call fill_coupon_keys%'`
    expect(await waitUntil(async () => (await watcher.query(waiting)).rowCount === 1)).toBe(true)
    const change = `update coupon set voided_reason = repeat('x', 200)
      where company_id = $1 and member_id = $2`
    expect((await watcher.query(change, of)).rowCount).toBe(12_000)
    await owner.query('rollback')
    await filling
    expect(await t.shop.violations()).toEqual([])
    const found = await owner.query(
      'select from coupon_key where company_id = $1 and member_id = $2',
      of,
    )
    expect(found.rowCount).toBe(12_000)
  })

  test('all of them, and once more after an interruption', async () => {
    const [anna, ben] = await t.two()
    const codes = [await testCoupon(t.shop, anna), await testCoupon(t.shop, ben)]
    const [first = '', second = ''] = codes
    await dropKeys()
    expect(await t.shop.violations()).not.toEqual([])
    // A transaction around it ends it with the first range.
    await program.query('begin')
    await expect(program.query('call fill_coupon_keys()')).rejects.toThrow(/transaction/)
    await program.query('rollback')
    expect(await ownerOf(first)).toBeNull()
    const late = await insertWithoutKey(anna.id)
    await program.query('call fill_coupon_keys()')
    await program.query('call fill_coupon_keys()')
    expect(await Promise.all([first, second, late].map(ownerOf))).toEqual([
      anna.id,
      ben.id,
      anna.id,
    ])
    expect(await t.shop.violations()).toEqual([])
  })

  test('with the member of a merge that ran before them', async () => {
    const [survivor, merged] = await t.two()
    const code = await testCoupon(t.shop, merged)
    await dropKeys()
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    expect(await ownerOf(code)).toBe(survivor.id)
    await program.query('call fill_coupon_keys()')
    expect(await ownerOf(code)).toBe(survivor.id)
  })
})

test('doctor reports a coupon without a key, a key without one, and another member', async () => {
  const [anna, ben] = await t.two()
  const code = await testCoupon(t.shop, anna)
  const prefix = code.slice(0, 4)
  const of = [t.shop.id, code]
  await owner.query('delete from coupon_key where company_id = $1 and coupon_code = $2', of)
  expect(await t.shop.violations()).toEqual([`keyed: codes ${prefix}…: 1 coupons, 0 keys`])
  await owner.query('insert into coupon_key values ($1, $2, $3)', [...of, ben.id])
  expect(await t.shop.violations()).toEqual([
    `keyed: codes ${prefix}…: 1 coupons, 1 keys that name other members`,
  ])
  await owner.query(
    'update coupon_key set member_id = $3 where company_id = $1 and coupon_code = $2',
    [...of, anna.id],
  )
  await owner.query('insert into coupon_key values ($1, $2, $3)', [t.shop.id, 'LOST', anna.id])
  expect(await t.shop.violations()).toEqual(['keyed: codes LOST…: 0 coupons, 1 keys'])
  await owner.query('delete from coupon_key where company_id = $1 and coupon_code = $2', [
    t.shop.id,
    'LOST',
  ])
})
