import { randomUUID } from 'node:crypto'
import { cancelPoints, explainPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { addDebit, lockAccount } from './ledger.ts'
import { lotsToSpend } from './lots.ts'

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testSpendingShop()
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(() => shop.close())

async function spend(input: object, as = token): Promise<string> {
  return (await ok(shop, redeemPoints, input, { token: as })).entry.id
}
const cancel = (
  { memberCode }: { memberCode: string },
  entryId: string,
  options: { key?: string; token?: string } = {},
) => call(shop, cancelPoints, { memberCode, entryId, reason: 'wrong one' }, { token, ...options })
const lotsOf = async (memberCode: string) =>
  (await ok(shop, explainPoints, { memberCode }, { token })).lots
const run = (sql: string, values: readonly unknown[]) =>
  shop.database.transaction(shop.id, (tx) => tx.run(statement(sql, z.unknown()), values))

/** Adds a debit that was made `minutes` ago. @returns its entry id */
async function spentBefore(member: { id: string }, minutes: number): Promise<string> {
  return shop.database.transaction(shop.id, async (tx) => {
    const account = await lockAccount(tx, shop.id, member.id)
    const takes = (await lotsToSpend(account, 100, today)) ?? []
    const at = new Date(Date.now() - minutes * 60_000).toISOString()
    const plain = { amount: '1.00', invoiceNumber: null, transactionId: null, description: null }
    const none = { earnDate: null, expiryDate: null, reverses: null, staffId: null }
    const entry = { ...plain, ...none, at, storeCode: 'S1', type: 'redeemTransaction' } as const
    return (await addDebit(account, { ...entry, points: 100 }, takes)).id
  })
}

describe('cancelling a spending', () => {
  test('gives back a gift’s points and its stock', async () => {
    const member = await memberWith(shop, 500)
    const read = statement(`select issued from stock where item_id = 'PRESS'`, z.unknown())
    const stock = () => shop.database.transaction(shop.id, (tx) => tx.one(read, []))
    const before = await stock()
    const entryId = await spend(mug(member.memberCode, { giftId: 'PRESS' }))
    const { entries, balance } = await ok(
      shop,
      cancelPoints,
      { memberCode: member.memberCode, entryId, reason: 'wrong one' },
      { token },
    )
    expect(balance).toBe(500)
    expect(entries).toMatchObject([
      {
        type: 100000010,
        points: 400,
        balance: 500,
        subject: 'Press',
        description: 'wrong one',
        store: { code: 'S1', name: 'Harbour City' },
      },
    ])
    expect(await stock()).toEqual(before)
    // Cancelled redemptions do not count towards the limit of two.
    for (let n = 0; n < 2; n++) {
      await givePoints(shop, member, 400)
      await spend(mug(member.memberCode, { giftId: 'PRESS' }))
    }
  })

  test('gives back the points that paid for a sale, as a refund', async () => {
    const member = await memberWith(shop, 500)
    const entryId = await spend(money(member.memberCode, { invoiceNumber: 'POS-8' }))
    expect(await cancel(member, entryId)).toMatchObject({
      code: 0,
      data: {
        balance: 500,
        entries: [{ type: 100000009, points: 300, amount: '3.00', invoiceNumber: 'POS-8' }],
      },
    })
  })

  test('gives back to the original lots, which keep their expiry dates', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 200, addDays(today, 5))
    await givePoints(shop, member, 200, addDays(today, 60))
    const before = await lotsOf(member.memberCode)
    const entryId = await spend(money(member.memberCode))
    expect(await lotsOf(member.memberCode)).toMatchObject([{ remaining: 100 }])
    await cancel(member, entryId)
    expect(await lotsOf(member.memberCode)).toEqual(before)
    expect(before.map((lot) => lot.expiryDate)).toEqual([addDays(today, 5), addDays(today, 60)])
  })

  test('gives back points that have expired since and writes them off again', async () => {
    const member = await testMember(shop)
    const soon = await givePoints(shop, member, 200, today)
    await givePoints(shop, member, 200, addDays(today, 60))
    const entryId = await spend(money(member.memberCode))
    const yesterday = addDays(today, -1)
    await run('update point_lot set expires_on = $2 where lot_id = $1', [soon, yesterday])
    const { entries, balance } = await ok(
      shop,
      cancelPoints,
      { memberCode: member.memberCode, entryId, reason: 'wrong one' },
      { token },
    )
    expect(entries).toMatchObject([
      { type: 100000009, points: 300, balance: 400 },
      { type: 100000012, points: -200, balance: 200, expiryDate: yesterday },
    ])
    expect(balance).toBe(200)
    expect(await lotsOf(member.memberCode)).toMatchObject([{ remaining: 200 }])
  })

  test('writes one audit row, and is not repeated for the same key', async () => {
    const member = await memberWith(shop, 500)
    const entryId = await spend(money(member.memberCode))
    const key = randomUUID()
    const first = await cancel(member, entryId, { key })
    expect(first.code).toBe(0)
    expect(await cancel(member, entryId, { key })).toEqual(first)
    const read = statement(
      `select details ->> 'reverses' as reverses, details ->> 'reason' as reason from audit
       where member_id = $1 and action = 'points.cancel'`,
      z.unknown(),
    )
    expect(await shop.database.transaction(shop.id, (tx) => tx.all(read, [member.id]))).toEqual([
      { reverses: entryId, reason: 'wrong one' },
    ])
  })
})

describe('a cancellation is refused', () => {
  test('a second time, for an entry that is no spending, and for another member', async () => {
    const member = await memberWith(shop, 500)
    const other = await memberWith(shop, 500)
    const lot = await givePoints(shop, member, 1)
    const entryId = await spend(money(member.memberCode))
    expect((await cancel({ memberCode: 'NOBODY' }, entryId)).code).toBe(111102)
    expect((await cancel(other, entryId)).code).toBe(114011)
    expect((await cancel(member, lot)).code).toBe(114011)
    expect((await cancel(member, randomUUID())).code).toBe(114011)
    expect((await cancel(member, entryId)).code).toBe(0)
    const before = await contentsOf(shop, ['operation'])
    expect((await cancel(member, entryId)).code).toBe(114011)
    const [back] = (await shop.entries(member.id)).slice(-1)
    expect(back).toEqual([9, 300])
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test('at another store, for every clerk', async () => {
    const member = await memberWith(shop, 500)
    const eve = await testClerk(shop, 'eve', { storeCode: 'S2' })
    const entryId = await spend(money(member.memberCode))
    expect((await cancel(member, entryId, { token: eve })).code).toBe(114011)
    // Another clerk of the same store can cancel it.
    const rob = await testClerk(shop, 'rob')
    expect((await cancel(member, entryId, { token: rob })).code).toBe(0)
  })

  test('after the time limit', async () => {
    const member = await memberWith(shop, 500)
    const [late, inTime] = [await spentBefore(member, 31), await spentBefore(member, 29)]
    expect((await cancel(member, late)).code).toBe(114011)
    expect((await cancel(member, inTime)).code).toBe(0)
  })

  test('without the permission that the spending required', async () => {
    const member = await memberWith(shop, 500)
    const gina = await testClerk(shop, 'gina', { groupCode: 'gifts' })
    const mona = await testClerk(shop, 'mona', { groupCode: 'money' })
    const [gift, cash] = [
      await spend(mug(member.memberCode)),
      await spend(money(member.memberCode)),
    ]
    expect((await cancel(member, gift, { token: mona })).code).toBe(10000)
    expect((await cancel(member, cash, { token: gina })).code).toBe(10000)
    expect((await cancel(member, gift, { token: gina })).code).toBe(0)
    expect((await cancel(member, cash, { token: mona })).code).toBe(0)
  })
})

test('a cancellation repays a debt first, from the lots that expire first', async () => {
  const member = await testMember(shop)
  await givePoints(shop, member, 200, addDays(today, 5))
  await givePoints(shop, member, 100, addDays(today, 60))
  const entryId = await spend(money(member.memberCode))
  await run(
    `update company set settings = jsonb_set(settings, '{points,refundPolicy}', '"debt"')`,
    [],
  )
  await shop.database.transaction(shop.id, async (tx) => {
    const account = await lockAccount(tx, shop.id, member.id)
    const plain = { amount: null, invoiceNumber: null, transactionId: null, description: null }
    const none = { earnDate: null, expiryDate: null, reverses: null, staffId: null }
    const at = new Date().toISOString()
    const entry = { ...plain, ...none, at, storeCode: null, type: 'returned' } as const
    await addDebit(account, { ...entry, points: 150 }, [])
  })
  expect((await shop.totals(member.id)).balance).toBe(-150)
  expect(await cancel(member, entryId)).toMatchObject({ code: 0, data: { balance: 150 } })
  expect(await lotsOf(member.memberCode)).toMatchObject([{ remaining: 50 }, { remaining: 100 }])
})
