import { listGifts, redeemPoints } from '@tillside/contract/points'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { memberWith, money, mug, pointRules } from '../testing/factories/spending.ts'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { testClerk } from '../testing/factories/staff.ts'

let shop: Shop
let bare: Shop
let token: string
let today: string
beforeAll(async () => {
  shop = await testSpendingShop()
  bare = await testShop({ points: pointRules })
  token = await logIn(shop)
  today = await todayOf(shop)
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(async () => {
  await shop.close()
  await bare.close()
})

type Asked = Record<string, unknown>
const redeem = (input: object, options: { token?: string; language?: string } = {}) =>
  call(shop, redeemPoints, input, { token, ...options })

const readEffects = statement(
  `select e.type - 100000000 as type, e.points, e.store_code, s.account,
     e.amount, e.invoice_number, (
       select count(*)::int from audit a where a.company_id = $1 and a.place = e.member_id
         and a.member_id = $2
         and a.action = 'points.redeem' and a.details ->> 'entryId' = e.entry_id::text
         and a.staff_id = e.staff_id and a.store_code = e.store_code
         and a.details ->> 'points' = e.points::text) as audits
   from point_entry e join staff s using (company_id, staff_id)
   where e.company_id = $1 and e.member_id = $2 order by e.seq`,
  z.unknown(),
)
const effectsOn = (member: { id: string }) =>
  shop.database.transaction(shop.id, (tx) => tx.all(readEffects, [shop.id, member.id]))

describe('a gift for points', () => {
  test('writes one debit and one audit row and takes one piece of stock', async () => {
    const member = await memberWith(shop, 1000)
    const data = await ok(
      shop,
      redeemPoints,
      mug(member.memberCode, { giftId: 'PRESS', quantity: 2, expectedBalance: 1000 }),
      { token },
    )
    expect(data).toMatchObject({ balance: 200, amount: null })
    expect(data.entry).toMatchObject({
      type: 100000004,
      points: -800,
      balance: 200,
      amount: null,
      invoiceNumber: null,
      earnDate: null,
      expiryDate: null,
      subject: 'Press × 2',
      description: null,
      store: { code: 'S1', name: 'Harbour City' },
    })
    expect(Math.abs(Date.parse(data.entry.createDate) - Date.now())).toBeLessThan(60_000)
    expect(await effectsOn(member)).toEqual([
      {
        type: 4,
        points: -800,
        store_code: 'S1',
        account: 'amy',
        amount: null,
        invoice_number: null,
        audits: 1,
      },
    ])
    const { items } = await ok(shop, listGifts, { memberCode: member.memberCode }, { token })
    expect(items).toEqual([
      {
        giftId: 'GONE',
        name: 'Gone',
        description: null,
        image: null,
        points: 1,
        remaining: 0,
        perMemberLimit: 1,
        memberHas: 0,
        affordable: true,
      },
      {
        giftId: 'MUG',
        name: 'Mug',
        description: 'Holds coffee',
        image: null,
        points: 50,
        remaining: null,
        perMemberLimit: null,
        memberHas: 0,
        affordable: true,
      },
      {
        giftId: 'PRESS',
        name: 'Press',
        description: null,
        image: null,
        points: 400,
        remaining: 3,
        perMemberLimit: 2,
        memberHas: 2,
        affordable: false,
      },
    ])
  })

  test('is refused with the first of several reasons', async () => {
    const member = await memberWith(shop, 60)
    const nobody = mug('NOBODY', { giftId: 'NONE' })
    const of = (changes: Asked) => mug(member.memberCode, changes)
    const steps: [string, Asked, number, unknown][] = [
      ['member before gift', nobody, 111102, null],
      ['unknown', of({ giftId: 'NONE', expectedBalance: 1 }), 114007, null],
      ['stock before limit', of({ giftId: 'GONE', quantity: 2 }), 114008, null],
      ['stock', of({ giftId: 'PRESS', quantity: 10 }), 114008, null],
      ['limit before balance', of({ giftId: 'PRESS', quantity: 3 }), 114009, null],
      [
        'balance before what was shown',
        of({ quantity: 2, expectedBalance: 1 }),
        114005,
        { limit: 60 },
      ],
      ['what was shown', of({ expectedBalance: 61 }), 114010, null],
    ]
    const before = await contentsOf(shop, ['operation'])
    for (const [name, input, code, data] of steps) {
      const answer = await redeem(input)
      expect([name, answer.code, answer.data]).toEqual([name, code, data])
    }
    expect(await contentsOf(shop, ['operation'])).toEqual(before)
  })

  test('is unknown if the company has stopped it', async () => {
    const member = await memberWith(shop, 60)
    const stop = (stopped: boolean) =>
      shop.database.transaction(shop.id, (tx) =>
        tx.run(statement(`update gift set stopped = $1 where gift_id = 'MUG'`, z.unknown()), [
          stopped,
        ]),
      )
    await stop(true)
    expect((await redeem(mug(member.memberCode))).code).toBe(114007)
    const { items } = await ok(shop, listGifts, { memberCode: member.memberCode }, { token })
    expect(items.map((gift) => gift.giftId)).toEqual(['GONE', 'PRESS'])
    await stop(false)
  })

  test('is unknown if it is another company’s, and so is that company’s member', async () => {
    const member = await memberWith(shop, 60)
    const theirs = await memberWith(bare, 60)
    const amy = await logIn(bare)
    const mine = await call(bare, redeemPoints, mug(member.memberCode), { token: amy })
    expect(mine.code).toBe(111102)
    const input = mug(theirs.memberCode, { giftId: 'PRESS' })
    expect((await call(bare, redeemPoints, input, { token: amy })).code).toBe(114007)
    expect((await redeem(mug(theirs.memberCode))).code).toBe(111102)
    expect(await bare.entries(theirs.id)).toEqual([[2, 60]])
    expect(await bare.violations()).toEqual([])
  })
})

describe('points against a transaction', () => {
  test('are one debit with the money that the points pay', async () => {
    const member = await memberWith(shop, 1000)
    const input = money(member.memberCode, { invoiceNumber: 'POS-7' })
    const data = await ok(shop, redeemPoints, input, { token })
    expect(data).toMatchObject({ balance: 700, amount: '3.00' })
    expect(data.entry).toMatchObject({
      type: 100000015,
      points: -300,
      amount: '3.00',
      invoiceNumber: 'POS-7',
      description: null,
    })
    expect(await effectsOn(member)).toEqual([
      {
        type: 15,
        points: -300,
        store_code: 'S1',
        account: 'amy',
        amount: '3.00',
        invoice_number: 'POS-7',
        audits: 1,
      },
    ])
  })

  test('are refused at each limit with its name and value', async () => {
    const member = await memberWith(shop, 900)
    const of = (changes: Asked) => money(member.memberCode, changes)
    const steps: [Asked, number, unknown][] = [
      [money('NOBODY', { points: 0 }), 111102, null],
      [of({ points: 199 }), 114002, { limit: 200 }],
      [of({ points: 200 }), 0, expect.anything()],
      [of({ points: 201 }), 114004, { limit: 100 }],
      [of({ points: 5001 }), 114003, { limit: 5000 }],
      [of({ points: 5000, transactionAmount: '99.99' }), 114006, { limit: 4900 }],
      [of({ points: 5000 }), 114005, { limit: 700 }],
      [of({ points: 300, transactionAmount: '5.99' }), 114006, { limit: 200 }],
      [of({ points: 800 }), 114005, { limit: 700 }],
      [of({ points: 700, expectedBalance: 900 }), 114010, null],
      [of({ points: 700, expectedBalance: 700 }), 0, expect.anything()],
    ]
    for (const [input, code, data] of steps) {
      expect([input, await redeem(input)]).toMatchObject([input, { code, data }])
    }
  })

  test.each([
    [{ points: 100 }, '200'],
    [{ points: 6000 }, '5,000'],
    [{ points: 250 }, '100'],
    [{ transactionAmount: '1.00' }, '0'],
    [{ points: 1000 }, '900'],
    [{ expectedBalance: 1 }, ''],
  ])('%j: say why in every language', async (changes, figure) => {
    const { memberCode } = await memberWith(shop, 900)
    const said = await Promise.all(
      languages.map(async (language) => redeem(money(memberCode, changes), { language })),
    )
    // Only the texts for Hong Kong and Taiwan may be the same.
    expect(new Set(said.map((answer) => answer.message)).size).toBeGreaterThanOrEqual(3)
    expect(new Set(said.map((answer) => answer.code)).size).toBe(1)
    for (const { message } of said) expect(message).toContain(figure)
  })

  test('are refused if the company has no exchange rules', async () => {
    const member = await memberWith(bare, 900)
    const amy = await logIn(bare)
    for (const changes of [{}, { points: -1 }, { points: 0 }]) {
      const answer = await call(bare, redeemPoints, money(member.memberCode, changes), {
        token: amy,
      })
      expect(answer).toMatchObject({
        code: 114001,
        message: 'Please configure the points redemption rules',
      })
    }
  })

  test('leave out pending and expired lots', async () => {
    const member = await testMember(shop)
    await givePoints(shop, member, 300, today)
    await givePoints(shop, member, 500, addDays(today, -1))
    expect(await redeem(money(member.memberCode, { points: 400 }))).toMatchObject({
      code: 114005,
      data: { limit: 300 },
    })
    const { balance } = await ok(shop, redeemPoints, money(member.memberCode), { token })
    expect(balance).toBe(500)
  })

  test('are taken from the lot that expires first', async () => {
    const member = await testMember(shop)
    const late = await givePoints(shop, member, 300, addDays(today, 60))
    const soon = await givePoints(shop, member, 200, addDays(today, 5))
    await ok(shop, redeemPoints, money(member.memberCode), { token })
    const read = statement(
      'select lot_id, remaining from point_lot where member_id = $1 order by remaining',
      z.unknown(),
    )
    expect(await shop.database.transaction(shop.id, (tx) => tx.all(read, [member.id]))).toEqual([
      { lot_id: soon, remaining: 0 },
      { lot_id: late, remaining: 200 },
    ])
  })
})

describe('permissions', () => {
  test('differ for a gift and for part of a sale’s price', async () => {
    const { memberCode } = await memberWith(shop, 1000)
    const gift = await testClerk(shop, 'gina', { groupCode: 'gifts' })
    const cash = await testClerk(shop, 'mona', { groupCode: 'money' })
    const codes = async (as: string) => [
      (await redeem(mug(memberCode), { token: as })).code,
      (await redeem(money(memberCode), { token: as })).code,
    ]
    expect(await codes(gift)).toEqual([0, 10000])
    expect(await codes(cash)).toEqual([10000, 0])
  })
})
