import { randomUUID } from 'node:crypto'
import {
  cancelCouponRedeem,
  getCustomerCoupons,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import { staffActivity } from '@tillside/contract/activity'
import { cancelPoints, pointHistory } from '@tillside/contract/points'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import { call, logIn, ok, password } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

const base = { names: { 'en-US': 'A latte', 'zh-HK': '鮮奶咖啡' }, kind: 'gift' } as const

let shop: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testShop({
    coupons: [{ ...base, id: 'LATTE', validity: { days: 9 }, pointsCost: 100, stock: 1000 }],
  })
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterAll(() => shop.close())

const readEntry = statement(
  `select entry_id, description from point_entry
   where company_id = $1 and member_id = $2 and type = 100000005 order by seq desc limit 1`,
  z.object({ entry_id: z.string(), description: z.string() }),
)
const readIssued = statement(
  `select issued from stock where company_id = $1 and item_id = 'LATTE'`,
  z.object({ issued: z.int() }),
)
const issued = async () =>
  (await shop.database.transaction(shop.id, (tx) => tx.one(readIssued, [shop.id]))).issued

/** A member who bought so many coupons from 150 points that end in three days and 500 others. */
async function bought(quantity: number) {
  const member = await testMember(shop)
  await givePoints(shop, member, 500)
  await givePoints(shop, member, 150, addDays(today, 3))
  const { memberCode } = member
  const input = { memberCode, couponId: 'LATTE', quantity }
  const { coupons } = await ok(shop, issueCouponByPoints, input, { token })
  const entry = await shop.database.transaction(shop.id, (tx) =>
    tx.one(readEntry, [shop.id, member.id]),
  )
  const codes = coupons.map(({ code }) => code)
  return { ...member, codes, entryId: entry.entry_id, description: entry.description }
}
type Bought = Awaited<ReturnType<typeof bought>>
const cancel = (of: Bought, changes: object = {}, options: object = {}) => {
  const input = { memberCode: of.memberCode, entryId: of.entryId, reason: 'changed mind' }
  return call(shop, cancelPoints, { ...input, ...changes }, { token, ...options })
}
const redeem = (of: Bought, couponCode: string) =>
  call(shop, redeemCoupon, { memberCode: of.memberCode, couponCode }, { token })

describe('cancelling a purchase by points', () => {
  test('gives the points back to their lots, voids the coupons and returns the stock', async () => {
    const before = await issued()
    const buyer = await bought(2)
    expect(buyer.description).toBe('A latte × 2')
    expect(await issued()).toBe(before + 2)
    const answer = await cancel(buyer)
    expect(answer).toMatchObject({
      code: 0,
      data: {
        balance: 650,
        entries: [
          {
            type: 100000011,
            points: 200,
            balance: 650,
            subject: 'A latte × 2',
            description: 'changed mind',
          },
        ],
      },
    })
    expect(await shop.entries(buyer.id)).toEqual([
      [2, 500],
      [2, 150],
      [5, -200],
      [11, 200],
    ])
    expect((await shop.totals(buyer.id, today)).expiringSoon).toEqual([
      { points: 150, expiryDate: addDays(today, 3) },
    ])
    expect(await issued()).toBe(before)
    const { counts } = await ok(
      shop,
      getCustomerCoupons,
      { memberCode: buyer.memberCode },
      { token },
    )
    expect(counts).toEqual({ ISSUED: 0, USED: 0, EXPIRED: 2 })
    for (const code of buyer.codes) expect((await redeem(buyer, code)).code).toBe(113003)
    expect(await shop.violations()).toEqual([])
  })

  test('names the coupons in the clerk’s language, wherever they are named', async () => {
    const texts = { 'en-US': 'A latte × 2', 'zh-HK': '鮮奶咖啡 × 2' }
    const buyer = await bought(2)
    const read = async (language: 'en-US' | 'zh-HK') => {
      const options = { token, language }
      const { memberCode, entryId } = buyer
      const { items } = await ok(shop, pointHistory, { memberCode }, options)
      const ofCoupons = items.filter(({ type }) => [100000005, 100000011].includes(type))
      const day = await ok(shop, staffActivity, {}, options)
      const undone = day.items.find(
        (item) => item.action === 'points.cancel' && item.memberCode === memberCode,
      )
      const sold = day.items.find((item) => item.entryId === entryId)
      return [...ofCoupons.map(({ subject }) => subject), sold?.couponName, undone?.couponName]
    }
    expect(await read('zh-HK')).toEqual([texts['zh-HK'], texts['zh-HK'], undefined])
    expect(await cancel(buyer, {}, { language: 'zh-HK' })).toMatchObject({
      data: { entries: [{ subject: texts['zh-HK'] }] },
    })
    for (const language of ['en-US', 'zh-HK'] as const) {
      expect(await read(language)).toEqual(Array.from({ length: 4 }, () => texts[language]))
    }
  })

  test('twenty times with one key is once, and a second time is refused', async () => {
    const buyer = await bought(1)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(buyer, {}, { key })))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]?.code).toBe(0)
    expect((await cancel(buyer)).code).toBe(114011)
    expect(await shop.entries(buyer.id)).toHaveLength(4)
  })

  test('races with the coupon’s redemption: one of the two happens', async () => {
    for (let round = 0; round < 4; round++) {
      const buyer = await bought(2)
      const [cancelled, redeemed] = await Promise.all([
        cancel(buyer),
        redeem(buyer, buyer.codes[round % 2] ?? ''),
      ])
      expect([
        [0, 113003],
        [114011, 0],
      ]).toContainEqual([cancelled.code, redeemed.code])
    }
    expect(await shop.violations()).toEqual([])
  })

  test('is offered in the clerk’s own list exactly while it works', async () => {
    const buyer = await bought(1)
    const offered = async () => {
      const { items } = await ok(shop, staffActivity, {}, { token })
      return items.find(
        ({ entryId, action }) => entryId === buyer.entryId && action === 'coupon.issueByPoints',
      )?.cancellable
    }
    expect(await offered()).toBe(true)
    const [couponCode = ''] = buyer.codes
    await redeem(buyer, couponCode)
    expect(await offered()).toBe(false)
    const input = { couponCode, memberCode: buyer.memberCode, reason: 'wrong' }
    await ok(shop, cancelCouponRedeem, input, { token })
    expect(await offered()).toBe(true)
    await cancel(buyer)
    expect(await offered()).toBe(false)
  })
})

describe('a refusal', () => {
  test('is given for what cannot be undone, and changes nothing', async () => {
    const passwordHash = await hashPassword(password)
    const eve = { account: 'eve', firstName: 'Eve', lastName: 'Test', groupCode: 'full' }
    await shop.database.transaction(shop.id, (tx) =>
      addStaff(tx, shop.id, { ...eve, storeCode: 'S2', passwordHash }),
    )
    const [used, stranger] = [await bought(2), await bought(1)]
    await redeem(used, used.codes[1] ?? '')
    const elsewhere = { token: await logIn(shop, 'eve') }
    const before = await contentsOf(shop, ['operation'])
    const steps: [string, number, Bought, object?, object?][] = [
      ['nobody', 111102, used, { memberCode: 'NOBODY' }],
      ['no entry', 114011, used, { entryId: randomUUID() }],
      ['another member’s', 114011, used, { entryId: stranger.entryId }],
      ['one of them used', 114011, used],
      ['another store', 114011, stranger, {}, elsewhere],
    ]
    for (const [name, code, of, changes, options] of steps) {
      expect([name, (await cancel(of, changes, options)).code]).toEqual([name, code])
    }
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test('is given to whoever may redeem gifts only', async () => {
    const buyer = await bought(1)
    const sql = `update staff_group set permissions = '{pointRedeem}' where group_code = 'viewer'`
    const permit = statement(sql, z.unknown())
    await shop.database.transaction(shop.id, (tx) => tx.run(permit, []))
    const ben = { token: await logIn(shop, 'ben') }
    expect((await cancel(buyer, {}, ben)).code).toBe(10000)
    expect((await cancel(buyer)).code).toBe(0)
  })

  test('is given after the window', async () => {
    const buyer = await bought(1)
    // The program's role cannot change entries, so the owner's role does.
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    const sql = `update point_entry set created_at = now() - interval '30 minutes'
      where entry_id = $1`
    await owner.query(sql, [buyer.entryId])
    await owner.end()
    expect((await cancel(buyer)).code).toBe(114011)
  })
})
