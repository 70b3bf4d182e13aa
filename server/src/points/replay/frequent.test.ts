import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { todayOf } from '../../testing/factories/coupon.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, testSpendingShop } from '../../testing/factories/spending.ts'
import { lockAccount } from '../ledger.ts'
import { readFacts } from './facts.ts'
import { takeBackAwards } from './own-lots.ts'

// A member who buys often. The statements compare nothing with everything, also where PostgreSQL
// does not know how many rows a member has: these are written and read in one transaction.

const [sales, returned] = [300, 100]
const idOf = (kind: number) =>
  `format('0190000${kind}-0000-7000-8000-%s', lpad(n::text, 12, '0'))::uuid`
const [lot, debit] = [idOf(1), idOf(2)]
const fill = [
  `insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after)
   select $1, $2, ${lot}, 10 + n, 100000000, 12, 12 * n from generate_series(1, ${sales}) n`,
  `insert into point_lot (company_id, member_id, lot_id, points, remaining, earned_at, active_from)
   select $1, $2, ${lot}, 12, case when n > ${returned} then 12 else 0 end, now(), current_date
   from generate_series(1, ${sales}) n`,
  `insert into point_entry (company_id, member_id, entry_id, seq, type, points, balance_after,
     reverses)
   select $1, $2, ${debit}, ${10 + sales} + n, 100000008, -12, 12, ${lot}
   from generate_series(1, ${returned}) n`,
  `insert into point_burn (company_id, member_id, entry_id, lot_id, points)
   select $1, $2, ${debit}, ${lot}, 12 from generate_series(1, ${returned}) n`,
].map((text) => statement(text, z.unknown()))
const readCount = statement(
  `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
   from pg_stat_xact_user_tables where relname like 'point\\_%'`,
  z.object({ rows: z.int() }),
)

const origin = {
  at: new Date().toISOString(),
  amount: null,
  invoiceNumber: null,
  storeCode: 'S1',
  staffId: null,
  transactionId: null,
  description: null,
}

let shop: Shop
beforeAll(async () => {
  shop = await testSpendingShop()
})
afterAll(() => shop.close())

test('a return of one of many sales reads each row a few times', async () => {
  const member = await memberWith(shop, 400)
  const today = await todayOf(shop)
  class Undone extends Error {}
  const counted: number[] = []
  const work = shop.database.transaction(shop.id, async (tx) => {
    for (const one of fill) await tx.run(one, [shop.id, member.id])
    const account = await lockAccount(tx, shop.id, member.id)
    const before = await tx.one(readCount, [])
    const { lots } = await readFacts(account)
    expect(lots.length).toBeGreaterThan(sales)
    const lotId = `01900001-0000-7000-8000-${String(sales).padStart(12, '0')}`
    const award = { lotId, points: 12, amount: '12.50' }
    const points = await takeBackAwards(account, { day: today, awards: [award] }, origin)
    expect(points).toBe(12)
    const after = await tx.one(readCount, [])
    counted.push(after.rows - before.rows)
    throw new Undone()
  })
  await expect(work).rejects.toThrow(Undone)
  expect(counted[0]).toBeLessThan(10 * (sales + returned))
})
