import { couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

let shop: Shop
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  shop = await testShop({ couponRules: { returnGivesBack: true } })
  token = await logIn(shop)
  member = await testMember(shop)
})
afterEach(async () => {
  expect(await shop.violations()).toEqual([])
})
afterAll(() => shop.close())

async function redeemed(at = shop, of = member, by = token, invoiceNumber?: string) {
  const couponCode = await testCoupon(at, of)
  const input = { couponCode, memberCode: of.memberCode }
  const options = { token: by }
  await ok(at, redeemCoupon, invoiceNumber ? { ...input, invoiceNumber } : input, options)
  return couponCode
}
const statusOf = async (couponCode: string, at = shop, by = token) =>
  (await ok(at, couponCodeDetail, { couponCode }, { token: by })).status
const line = (code: string) => ({ code, name: 'Treat', value: null, quantity: 1 })
const cancelled = (changes: Parameters<typeof receipt>[1], quantity = 1) =>
  receipt([['A', '10.00', quantity]], { status: 'cancelled', ...changes })
const readReasons = statement(
  `select cancelled_reason as reason, (select count(*)::int from audit a where a.company_id = $1
     and a.action = 'coupon.giveBack' and a.details ->> 'couponCode' = $2) as audits
   from coupon_redemption where company_id = $1 and coupon_code = $2`,
  z.object({ reason: z.nullable(z.string()), audits: z.int() }),
)
const reasonsOf = (code: string) =>
  shop.database.transaction(shop.id, (tx) => tx.all(readReasons, [shop.id, code]))

describe('a fully returned sale gives back its coupon', () => {
  test('once, with the last return', async () => {
    const code = await redeemed()
    // In groups and lower case, as the till may print it.
    const coupons = [line(`${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase())]
    const sale = receipt([['A', '10.00', 2]], { coupons })
    const back = () => receipt([['A', '10.00', -1]], { original: nameOf(sale) })
    await shop.send(member.id, sale)
    await shop.send(member.id, back())
    expect(await statusOf(code)).toBe('USED')
    const last = back()
    await shop.send(member.id, last)
    expect(await statusOf(code)).toBe('ISSUED')
    expect(await shop.send(member.id, last)).toMatchObject({ outcome: 'unchanged' })
    expect(await reasonsOf(code)).toEqual([
      { reason: `returned with ${last.invoiceNumber}`, audits: 1 },
    ])
  })

  test('if only the clerk linked the coupon to the receipt', async () => {
    const sale = receipt([['B', '10.00', 1]])
    const code = await redeemed(shop, member, token, sale.invoiceNumber)
    await shop.send(member.id, sale)
    const input = { original: 'newest', occurredAt: '2026-03-11T04:00:00Z' } as const
    await shop.send(member.id, receipt([['B', '10.00', -1]], input))
    expect(await statusOf(code)).toBe('ISSUED')
  })

  test('if the coupon paid for everything, after all goods are returned', async () => {
    const code = await redeemed()
    const sale = receipt([['FREE', '0.00', 2]], { coupons: [line(code)] })
    await shop.send(member.id, sale)
    const back = () =>
      receipt([['FREE', '0.00', -1]], { invoiceType: 'return', original: nameOf(sale) })
    await shop.send(member.id, back())
    expect(await statusOf(code)).toBe('USED')
    await shop.send(member.id, back())
    expect(await statusOf(code)).toBe('ISSUED')
  })
})

describe('a cancelled sale gives back its coupon', () => {
  test('if the till printed it on the receipt', async () => {
    const code = await redeemed()
    const sale = cancelled({ coupons: [line(code), line('NONE')] })
    expect(await shop.send(member.id, sale)).toMatchObject({ outcome: 'created', points: 0 })
    expect(await statusOf(code)).toBe('ISSUED')
    expect(await shop.send(member.id, sale)).toMatchObject({ outcome: 'unchanged' })
    expect(await reasonsOf(code)).toEqual([
      { reason: `cancelled with ${sale.invoiceNumber}`, audits: 1 },
    ])
  })

  test('if the clerk entered the invoice number at the same store', async () => {
    const sale = cancelled({})
    const code = await redeemed(shop, member, token, sale.invoiceNumber)
    await shop.send(member.id, { ...sale, storeCode: 'S2' })
    expect(await statusOf(code)).toBe('USED')
    await shop.send(member.id, { ...sale, source: 100000029 })
    expect(await statusOf(code)).toBe('ISSUED')
  })

  test('except after a return, and for coupons of other members or other sales', async () => {
    const theirs = await redeemed(shop, await testMember(shop))
    await shop.send(member.id, cancelled({ coupons: [line(theirs)] }))
    const [back, again, kept] = [await redeemed(), await redeemed(), await redeemed()]
    await shop.send(member.id, cancelled({ coupons: [line(back)] }, -1))
    await shop.send(member.id, receipt([['A', '10.00', 1]], { coupons: [line(again)] }))
    await shop.send(member.id, cancelled({ coupons: [line(again)] }))
    const other = await redeemed(shop, member, token, 'ANOTHER')
    await shop.send(member.id, cancelled({ coupons: [line(other)] }))
    await shop.send(member.id, cancelled({ status: 'deposit', coupons: [line(kept)] }))
    await shop.send(member.id, cancelled({ coupons: [line(kept)] }))
    const states = [theirs, back, again, other, kept].map(async (code) => statusOf(code))
    expect(new Set(await Promise.all(states))).toEqual(new Set(['USED']))
  })
})

describe('a coupon stays used', () => {
  test('if it has expired since', async () => {
    const code = await redeemed()
    const sale = receipt([['C', '10.00', 1]], { coupons: [line(code)] })
    await shop.send(member.id, sale)
    const sql = `update coupon set start_date = '2020-01-01', expiry_date = '2020-01-31'
      where coupon_code = $1`
    await shop.database.transaction(shop.id, (tx) => tx.run(statement(sql, z.unknown()), [code]))
    await shop.send(member.id, receipt([['C', '10.00', -1]], { original: nameOf(sale) }))
    expect(await statusOf(code)).toBe('USED')
  })

  test('if it belongs to another member or another sale', async () => {
    const stranger = await testMember(shop)
    const [theirs, another] = [await redeemed(shop, stranger), await redeemed()]
    await shop.send(member.id, receipt([['D', '10.00', 1]], { coupons: [line(another)] }))
    const sale = receipt([['E', '10.00', 1]], { coupons: [line(theirs), line('NONE')] })
    await shop.send(member.id, sale)
    await shop.send(member.id, receipt([['E', '10.00', -1]], { original: nameOf(sale) }))
    expect([await statusOf(theirs), await statusOf(another)]).toEqual(['USED', 'USED'])
  })

  test('if the company’s rules do not give coupons back', async () => {
    const strict = await testShop()
    const [by, of] = [await logIn(strict), await testMember(strict)]
    const code = await redeemed(strict, of, by)
    const sale = receipt([['A', '10.00', 1]], { coupons: [line(code)] })
    await strict.send(of.id, sale)
    await strict.send(of.id, receipt([['A', '10.00', -1]], { original: nameOf(sale) }))
    await strict.send(of.id, cancelled({ coupons: [line(code)] }))
    expect(await statusOf(code, strict, by)).toBe('USED')
    await strict.close()
  })
})
