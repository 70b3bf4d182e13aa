import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { getStoreAssignedCoupons, issueCoupon } from '@tillside/contract/coupon'
import { redeemPoints } from '@tillside/contract/points'
import { failures } from '@tillside/contract/wire/failures'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { earlierSchema } from '../testing/earlier/schema.ts'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, mug, testSpendingShop } from '../testing/factories/spending.ts'

// Issued coupons and gifts are counted outside of the definitions (migration 0104), and the release
// before counts in them.

const base = { names: { 'en-US': 'x', 'zh-HK': 'x' }, kind: 'gift', validity: { days: 9 } } as const
let shop: Shop
let token: string
const owner = new pg.Client({ connectionString: inject('ownerUrl') })
const other = new pg.Client({ connectionString: inject('ownerUrl') })
beforeAll(async () => {
  shop = await testSpendingShop({
    coupons: [
      { ...base, id: 'FEW', stock: 5 },
      { ...base, id: 'HELD', stock: 5 },
      { ...base, id: 'OPEN' },
    ],
  })
  await Promise.all([owner.connect(), other.connect()])
  for (const client of [owner, other]) {
    await client.query(`select set_config('app.company_id', $1, false)`, [shop.id])
  }
  token = await logIn(shop)
})
afterAll(async () => {
  await Promise.all([owner.end(), other.end()])
  await shop.close()
})

async function issue(couponId: string, quantity = 1): Promise<number> {
  const { memberCode } = await testMember(shop)
  return (await call(shop, issueCoupon, { memberCode, couponId, quantity }, { token })).code
}
async function redeem(giftId: string, quantity = 1): Promise<number> {
  const { memberCode } = await memberWith(shop, 10_000)
  return (await call(shop, redeemPoints, mug(memberCode, { giftId, quantity }), { token })).code
}
async function counts(id: string): Promise<{ stock: number; shown: number }> {
  const { rows } = await owner.query<{ stock: number; shown: number }>(
    `select s.issued as stock, coalesce(d.issued, g.issued) as shown from stock s
       left join coupon_definition d on s.company_id = d.company_id and coupon_id = item_id
       left join gift g on s.company_id = g.company_id and gift_id = item_id
     where s.company_id = $1 and item_id = $2`,
    [shop.id, id],
  )
  expect(rows).toHaveLength(1)
  return rows[0] ?? { stock: -1, shown: -1 }
}
async function leftOf(couponId: string): Promise<number | null | undefined> {
  const { memberCode } = await testMember(shop)
  const { items } = await ok(shop, getStoreAssignedCoupons, { memberCode }, { token })
  return items.find((item) => item.couponId === couponId)?.remaining
}

const outOfStock = [failures.couponOutOfStock.code, failures.giftOutOfStock.code]

const limitOpen = (stock: number) =>
  owner.query(
    `update coupon_definition set stock = $2 where company_id = $1 and coupon_id = 'OPEN'`,
    [shop.id, stock],
  )

/** How that release counts what it issues. */
const take = (table: string, id: string, quantity: number) =>
  `update ${table} set issued = issued + ${quantity}
   where company_id = '${shop.id}' and ${id} and (stock is null or issued + ${quantity} <= stock)`

describe('the release before counts in the definitions', () => {
  test('and both releases together give as many coupons as there are', async () => {
    const taken = take('coupon_definition', `coupon_id = 'FEW'`, 2)
    expect(await issue('FEW', 2)).toBe(0)
    expect((await owner.query(taken)).rowCount).toBe(1)
    expect(await counts('FEW')).toEqual({ stock: 4, shown: 4 })
    expect((await owner.query(taken)).rowCount).toBe(0)
    expect(await leftOf('FEW')).toBe(1)
    expect(await issue('FEW', 2)).toBe(outOfStock[0])
    expect(await issue('FEW')).toBe(0)
    expect(await counts('FEW')).toEqual({ stock: 5, shown: 5 })
    expect(await leftOf('FEW')).toBe(0)
  })

  test('and both together give as many gifts as there are', async () => {
    const taken = take('gift', `gift_id = 'PRESS'`, 2)
    expect(await redeem('PRESS', 2)).toBe(0)
    expect((await owner.query(taken)).rowCount).toBe(1)
    expect(await redeem('PRESS', 2)).toBe(outOfStock[1])
    expect(await redeem('PRESS')).toBe(0)
    expect(await counts('PRESS')).toEqual({ stock: 5, shown: 5 })
    expect((await owner.query(taken)).rowCount).toBe(0)
  })

  test('a count that it holds is not waited for, and its next change catches up', async () => {
    await other.query('begin')
    await other.query(
      `select from coupon_definition where company_id = $1 and coupon_id = 'HELD'
       for no key update`,
      [shop.id],
    )
    expect(await issue('HELD', 3)).toBe(0)
    expect(await counts('HELD')).toEqual({ stock: 3, shown: 0 })
    const refusal = await other.query<{ reason: string | null }>(
      `select issue_refusal($1, $2, 'HELD', 3, current_date, 'S1', false) as reason`,
      [shop.id, randomUUID()],
    )
    expect(refusal.rows).toEqual([{ reason: 'couponOutOfStock' }])
    await other.query(take('coupon_definition', `coupon_id = 'HELD'`, 1))
    await other.query('commit')
    expect(await counts('HELD')).toEqual({ stock: 4, shown: 4 })
    // A gift of which it sees more than are left: its update then finds none.
    await owner.query(
      `insert into gift (company_id, gift_id, names, points, stock)
       values ($1, 'RARE', '{"en-US": "x", "zh-HK": "x"}', 1, 3)`,
      [shop.id],
    )
    await other.query('begin')
    await other.query(`select from gift where gift_id = 'RARE' for no key update`)
    expect(await redeem('RARE', 2)).toBe(0)
    expect((await other.query(take('gift', `gift_id = 'RARE'`, 2))).rowCount).toBe(0)
    await other.query('commit')
    expect(await counts('RARE')).toEqual({ stock: 2, shown: 0 })
    expect((await owner.query(take('gift', `gift_id = 'RARE'`, 1))).rowCount).toBe(1)
    expect(await counts('RARE')).toEqual({ stock: 3, shown: 3 })
  })

  test('a coupon without a limit is only counted outside, until it gets one', async () => {
    expect(await issue('OPEN', 3)).toBe(0)
    expect(await counts('OPEN')).toEqual({ stock: 3, shown: 0 })
    await expect(limitOpen(2)).rejects.toThrow('coupon_definition_check')
    await limitOpen(4)
    expect(await counts('OPEN')).toEqual({ stock: 3, shown: 3 })
    expect([await issue('OPEN'), await issue('OPEN')]).toEqual([0, outOfStock[0]])
  })
})

test(
  'the counts of before are taken over, and an issue that runs',
  { timeout: 120_000 },
  async () => {
    const at = { ownerUrl: inject('ownerUrl'), databaseUrl: inject('databaseUrl') }
    const db = await earlierSchema('migration_stock', at)
    const client = new pg.Client({ connectionString: db.superuserUrl })
    try {
      await client.connect()
      await db.applyBefore('0104')
      const company = randomUUID()
      await client.query(`insert into company_address values ('one', $1)`, [company])
      await client.query(
        `insert into company (company_id, identifier, time_zone, settings, logo)
       values ($1, 'one', 'UTC', '{}', '')`,
        [company],
      )
      await client.query(
        `insert into coupon_definition (company_id, coupon_id, names, kind, valid_days, stock,
           issued)
       values ($1, 'A', '{}', 'gift', 9, 20, 7), ($1, 'B', '{}', 'gift', 9, null, 8)`,
        [company],
      )
      await client.query(
        `insert into gift (company_id, gift_id, names, points, stock, issued)
       values ($1, 'A', '{}', 1, 20, 9)`,
        [company],
      )
      await client.query('begin')
      await client.query(`select from coupon_definition where coupon_id = 'A' for no key update`)
      let migrated = false
      const migrating = db.migrate().then(() => (migrated = true))
      // An order that was checked without the stock would otherwise exceed it.
      await setTimeout(1_500)
      expect(migrated).toBe(false)
      await client.query(`update coupon_definition set issued = issued + 1 where coupon_id = 'A'`)
      await client.query('commit')
      await migrating
      const { rows } = await client.query(
        'select kind, item_id, issued from stock order by kind, item_id',
      )
      expect(rows).toEqual([
        { kind: 'coupon', item_id: 'A', issued: 8 },
        { kind: 'coupon', item_id: 'B', issued: 8 },
        { kind: 'gift', item_id: 'A', issued: 9 },
      ])
    } finally {
      await client.end()
      await db.drop()
    }
  },
)
