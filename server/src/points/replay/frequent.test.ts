import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { todayOf } from '../../testing/factories/coupon.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { memberWith, testSpendingShop } from '../../testing/factories/spending.ts'
import { lockAccount } from '../ledger.ts'
import { readFacts } from './facts.ts'
import { takeBackAwards } from './own-lots.ts'

// A member who buys often, in tables without statistics: the rows are written and read in one
// transaction. PostgreSQL then expects few rows, and a join of three tables of the member may
// compare all rows of each with all rows of the others.

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
     reverses, transaction_id)
   select $1, $2, ${debit}, ${10 + sales} + n, 100000008, -12, 12, ${lot}, ${debit}
   from generate_series(1, ${returned}) n`,
  `insert into point_burn (company_id, member_id, entry_id, lot_id, points)
   select $1, $2, ${debit}, ${lot}, 12 from generate_series(1, ${returned}) n`,
  // Each return is of a transaction of its own.
  `insert into point_return (company_id, member_id, fact_id, transaction_id, after_seq, day, kind,
     entry_id, points)
   select $1, $2, ${debit}, ${debit}, ${9 + sales} + n, current_date, 'award', ${lot}, 12
   from generate_series(1, ${returned}) n`,
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

test('a return of one of many sales does not compare all lots, burns and entries', async () => {
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
  // Each row a few times, and for each earlier return at most all entries twice.
  expect(counted[0]).toBeLessThan((10 + 2 * returned) * (sales + returned))
})
