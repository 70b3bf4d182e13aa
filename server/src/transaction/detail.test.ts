import { redeemCoupon } from '@tillside/contract/coupon'
import { transactionDetail } from '@tillside/contract/transaction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

let shop: Shop
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  shop = await testShop()
  token = await logIn(shop)
  member = await testMember(shop)
})
afterAll(() => shop.close())

const ask = (invoiceNumber: string, of = member, by = token) =>
  call(shop, transactionDetail, { memberCode: of.memberCode, invoiceNumber }, { token: by })
const read = (invoiceNumber: string, of = member) =>
  ok(shop, transactionDetail, { memberCode: of.memberCode, invoiceNumber }, { token })

async function redeemed(invoiceNumber: string, of = member) {
  const couponCode = await testCoupon(shop, of)
  const input = { couponCode, memberCode: of.memberCode, invoiceNumber }
  await ok(shop, redeemCoupon, input, { token })
  return couponCode
}
const line = (code: string) => ({ code, name: 'As the till says', value: '5.00', quantity: 1 })

describe('the detail of a receipt', () => {
  test('lists the lines in order and the points', async () => {
    const sale = receipt([
      ['CUP', '10.00', 2],
      ['TEA', '5.00', 1],
    ])
    await shop.send(member.id, sale)
    const detail = await read(sale.invoiceNumber)
    expect(detail).toMatchObject({
      invoiceNumber: sale.invoiceNumber,
      netSpend: '25.00',
      store: { code: 'S1', name: 'Harbour City' },
      status: 'completed',
      pointsEarned: 25,
      coupons: [],
      points: [{ type: 100000000, points: 25 }],
    })
    expect(detail.items).toEqual([
      {
        skuCode: 'CUP',
        skuName: 'Goods CUP',
        price: '10.00',
        quantity: 2,
        total: '20.00',
        discount: '0.00',
        spend: '20.00',
      },
      expect.objectContaining({ skuCode: 'TEA', quantity: 1, spend: '5.00' }),
    ])
  })

  test('keeps fractions of prices and quantities', async () => {
    const [rice] = receipt([['RICE', '1.00', 1]]).items
    if (rice === undefined) throw new Error('no line')
    const items = [{ ...rice, price: '0.0125', quantity: '1.250' }]
    const sale = receipt([['RICE', '1.00', 1]], { items })
    await shop.send(member.id, sale)
    expect((await read(sale.invoiceNumber)).items).toMatchObject([
      { price: '0.0125', quantity: 1.25 },
    ])
  })

  test('shows the points that a return took back', async () => {
    const sale = receipt([['A', '10.00', 1]])
    await shop.send(member.id, sale)
    const at = '2026-03-11T04:00:00Z'
    const back = receipt([['A', '10.00', -1]], { original: nameOf(sale), occurredAt: at })
    await shop.send(member.id, back)
    expect(await read(back.invoiceNumber)).toMatchObject({
      invoiceType: 'return',
      netSpend: '-10.00',
      items: [{ quantity: -1, spend: '-10.00' }],
      points: [{ points: -10 }],
    })
  })

  test('is of the newest receipt if two sources use the same number', async () => {
    const old = receipt([['OLD', '1.00', 1]])
    const { invoiceNumber } = old
    const changes = { invoiceNumber, source: 100000029, occurredAt: '2026-04-01T04:00:00Z' }
    await shop.send(member.id, receipt([['NEW', '2.00', 1]], changes))
    await shop.send(member.id, old)
    expect(await read(invoiceNumber)).toMatchObject({
      source: 100000029,
      items: [{ skuCode: 'NEW' }],
    })
  })
})

describe('the coupons of a receipt', () => {
  test('are listed once, whether the till, the clerk or both recorded them', async () => {
    const sale = receipt([['A', '10.00', 1]])
    const both = await redeemed(sale.invoiceNumber)
    const clerks = await redeemed(sale.invoiceNumber)
    await redeemed('ANOTHER')
    const printed = `${both.slice(0, 4)}-${both.slice(4)}`.toLowerCase()
    const coupons = [line(printed), line('TILL-ONLY')]
    await shop.send(member.id, { ...sale, coupons })
    expect((await read(sale.invoiceNumber)).coupons).toEqual([
      ...coupons,
      { code: clerks, name: expect.any(String), value: null, quantity: 1 },
    ])
  })

  test('do not include coupons that other members redeemed for the same number', async () => {
    const stranger = await testMember(shop)
    const sale = receipt([['A', '10.00', 1]])
    await redeemed(sale.invoiceNumber, stranger)
    await shop.send(member.id, sale)
    expect((await read(sale.invoiceNumber)).coupons).toEqual([])
  })
})

describe('the detail is refused', () => {
  test('for a number that no receipt of this member has', async () => {
    const sale = receipt([['A', '10.00', 1]])
    await shop.send(member.id, sale)
    const stranger = await testMember(shop)
    const unknown = await ask('NO-SUCH-NUMBER')
    expect(unknown).toMatchObject({ status: 200, code: 115001, data: null })
    expect(await ask(sale.invoiceNumber, stranger)).toEqual(unknown)
  })

  test('for an unknown member and, identically, for another company’s member', async () => {
    const other = await testShop()
    const theirs = await testMember(other)
    const sale = receipt([['A', '10.00', 1]])
    await other.send(theirs.id, sale)
    const unknown = await ask(sale.invoiceNumber, { id: '', memberCode: 'NOBODY' })
    expect(unknown).toMatchObject({ status: 200, code: 111102, data: null })
    expect(await ask(sale.invoiceNumber, theirs)).toEqual(unknown)
    expect(await ask(sale.invoiceNumber)).toMatchObject({ code: 115001 })
    await other.close()
  })

  test('for a clerk without the permission', async () => {
    expect(await ask('ANY', member, await logIn(shop, 'dan'))).toMatchObject({ code: 10000 })
  })
})
