import { redeemCoupon } from '@tillside/contract/coupon'
import { findMember } from '@tillside/contract/integration/members'
import { redeemPoints } from '@tillside/contract/points'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { type Database, statement } from '../database/database.ts'
import { namePayer } from '../points/spending.ts'
import { waitUntil } from '../process/wait.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { ok, shortcuts } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { callWithKey, testKey } from '../testing/factories/key.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Known, testMergeShop } from '../testing/merge-shop.ts'

// A merge deletes rows at one member and inserts them at the other. A change that is not committed
// when the merge begins must not be lost.

let t: Awaited<ReturnType<typeof testMergeShop>>
const other = new pg.Client({ connectionString: inject('ownerUrl') })
// Counts the waiting sessions: in the transaction of `other` their number would not change.
const watcher = new pg.Client({ connectionString: inject('ownerUrl') })
let waiters: () => Promise<number>
beforeAll(async () => {
  t = await testMergeShop()
  await Promise.all([other.connect(), watcher.connect()])
  await other.query(`select set_config('app.company_id', $1, false)`, [t.shop.id])
  waiters = await waitersOf(other, watcher)
})
afterAll(async () => {
  await Promise.all([other.end(), watcher.end()])
  expect(await t.shop.violations()).toEqual([])
  await t.shop.close()
})

const readCoupon = statement(
  `select c.member_id, c.used, c.voided_reason, r.cancelled_reason
   from coupon c left join coupon_redemption r using (company_id, member_id, coupon_code)
   where c.company_id = $1 and c.coupon_code = $2`,
  z.unknown(),
)
const coupon = (code: string) =>
  t.shop.database.reading(t.shop.id, (tx) => tx.one(readCoupon, [t.shop.id, code]))
const isWaiting = async () => (await waiters()) === 1

/** Merges while a change is open, which is committed when the merge waits for it. */
async function mergeDuring(survivor: Known, merged: Known, change: string, values: unknown[]) {
  await other.query('begin')
  expect((await other.query(change, values)).rowCount).toBe(1)
  const merging = t.merge(survivor, merged)
  expect(await waitUntil(isWaiting)).toBe(true)
  await other.query('commit')
  expect(await merging).toMatchObject({ code: 0 })
}

it('a merge keeps the undo of a redemption that it waited for', async () => {
  const [survivor, merged] = await t.two()
  const code = await testCoupon(t.shop, merged)
  const { memberCode } = merged
  await ok(t.shop, redeemCoupon, { couponCode: code, memberCode }, t)
  const undo = `select undo_redemptions($1, $2, array[$3], 'a mistake', current_date, null, 60)`
  await mergeDuring(survivor, merged, undo, [t.shop.id, merged.id, code])
  expect(await coupon(code)).toEqual({
    member_id: survivor.id,
    used: false,
    voided_reason: null,
    cancelled_reason: 'a mistake',
  })
  // It can be redeemed once more.
  await ok(t.shop, redeemCoupon, { couponCode: code, memberCode }, t)
})

it('a merge keeps a coupon void that became void while it waited', async () => {
  const [survivor, merged] = await t.two()
  const code = await testCoupon(t.shop, merged)
  const voiding = `update coupon set voided_reason = 'misprint'
    where company_id = $1 and member_id = $2 and coupon_code = $3`
  await mergeDuring(survivor, merged, voiding, [t.shop.id, merged.id, code])
  expect(await coupon(code)).toMatchObject({ member_id: survivor.id, voided_reason: 'misprint' })
})

// A receipt locks the account, and then the member by its foreign key.
it('a merge that waits for an account lets its holder add rows of the member', async () => {
  const [survivor, merged] = await t.two()
  const at = [t.shop.id, merged.id]
  const of = 'where company_id = $1 and member_id = $2'
  await other.query('begin')
  await other.query(`select from point_account ${of} for update`, at)
  const merging = t.merge(survivor, merged)
  expect(await waitUntil(isWaiting)).toBe(true)
  const row = other.query(`select from member ${of} for key share nowait`, at)
  const added = await row.then(
    () => true,
    () => false,
  )
  await other.query('rollback')
  expect(await merging).toMatchObject({ code: 0 })
  expect(added).toBe(true)
})

// A redemption adds up the points of each payer in a statement of its own. On a cluster no trigger
// makes a merge wait for it.
it('a merge waits for the redemptions of a sale that names the member already', async () => {
  const [member] = await t.two()
  await givePoints(t.shop, member, 100)
  const { id, memberCode } = member
  const input = { memberCode, kind: 'transaction', points: 40, invoiceNumber: 'PAID' }
  await ok(t.shop, redeemPoints, input, t)
  await other.query('begin')
  const lock = `select from paid_sale where company_id = $1 and reference = 'PAID' for update`
  expect((await other.query(lock, [t.shop.id])).rowCount).toBe(1)
  const naming = t.shop.database.transaction(t.shop.id, (tx) => namePayer(tx, t.shop.id, id))
  const waited = await waitUntil(isWaiting, 2000)
  await other.query('commit')
  await naming
  expect(waited).toBe(true)
})

it('a till that has found the merged member gets the survivor', async () => {
  const email = 'between@example.com'
  const [survivor, merged] = await t.two({}, { email })
  await givePoints(t.shop, survivor, 70)
  const { database } = t.shop
  let found = 0
  // The merge is between the statement that finds the member and the one that reads it.
  const between: Database = {
    ...database,
    reading: (companyId, work) =>
      database.reading(companyId, (tx) =>
        work({
          ...tx,
          async maybe(s, values) {
            const row = await tx.maybe(s, values)
            if (s.text.includes('from member_key') && values.includes(email) && found++ === 0) {
              expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
            }
            return row
          },
        }),
      ),
  }
  const app = await createApp(between, pino({ level: 'silent' }), shortcuts)
  const { key } = await testKey(t.shop)
  const answer = await callWithKey({ app }, findMember, { email }, key)
  await app.close()
  const { memberCode } = survivor
  expect(answer.data).toMatchObject({ member: { memberCode }, points: { balance: 70 } })
  expect(found).toBe(2)
})
