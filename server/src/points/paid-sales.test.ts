import { cancelPoints, previewPoints, redeemPoints } from '@tillside/contract/points'
import { failures } from '@tillside/contract/wire/failures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, testSpendingShop } from '../testing/factories/spending.ts'

// The rules: 200 to 5,000 points in steps of 100, one cent per point, up to half of the sale.
let shop: Shop
let token: string
beforeAll(async () => {
  shop = await testSpendingShop()
  token = await logIn(shop)
})
afterAll(async () => {
  expect(await shop.violations()).toEqual([])
  await shop.close()
})

const redeem = (input: object) => call(shop, redeemPoints, input, { token })
const aboveShare = (limit: number) => ({
  code: failures.pointsAboveShare.code,
  data: { limit },
})

test.each(['invoiceNumber', 'openSale'])(
  'all points for one %s are within the share',
  async (by) => {
    const { memberCode } = await memberWith(shop, 9000)
    const other = await memberWith(shop, 9000)
    const of = (points: number, code = memberCode) =>
      money(code, { points, transactionAmount: '10.00', [by]: `${by} 1` })
    expect(await redeem(of(300))).toMatchObject({ code: 0 })
    // The second one needs no minimum of its own; half of 10.00 is 500 points.
    expect(await redeem(of(300))).toMatchObject(aboveShare(200))
    expect(await call(shop, previewPoints, of(300), { token })).toMatchObject(aboveShare(200))
    expect(await ok(shop, previewPoints, of(100), { token })).toMatchObject({ points: 100 })
    expect(await redeem(of(100))).toMatchObject({ code: 0 })
    expect(await redeem(of(200, other.memberCode))).toMatchObject(aboveShare(100))
    expect(await redeem(of(100, other.memberCode))).toMatchObject({ code: 0 })
    expect(await redeem(of(100))).toMatchObject(aboveShare(0))
    // Another sale has its own limits, and so has a redemption that names none.
    const another = money(memberCode, { transactionAmount: '10.00', [by]: 'another' })
    expect(await redeem(another)).toMatchObject({ code: 0 })
    expect(await redeem(money(memberCode, { transactionAmount: '10.00' }))).toMatchObject({
      code: 0,
    })
  },
)

test('what was undone does not count, and a refused one neither', async () => {
  const { memberCode } = await memberWith(shop, 1000)
  const input = money(memberCode, { points: 500, transactionAmount: '10.00', invoiceNumber: 'U1' })
  const { entry } = await ok(shop, redeemPoints, input, { token })
  expect(await redeem(input)).toMatchObject(aboveShare(0))
  const undo = { memberCode, entryId: entry.id, reason: 'wrong sale' }
  await ok(shop, cancelPoints, undo, { token })
  expect(await redeem(input)).toMatchObject({ code: 0 })
})

test('after a return, the points that did not come back still count', async () => {
  const { id, memberCode } = await memberWith(shop, 9000)
  const of = (points: number, transactionAmount: string) =>
    money(memberCode, { points, transactionAmount, invoiceNumber: 'BACK 1' })
  expect(await redeem(of(600, '20.00'))).toMatchObject({ code: 0 })
  const sale = receipt([['A', '20.00', 1]], { invoiceNumber: 'BACK 1', netSpend: '14.00' })
  await shop.send(id, sale)
  const half = { original: nameOf(sale), invoiceType: 'return' } as const
  const back = receipt([], { ...half, totalAmount: '-10.00', netSpend: '-7.00' })
  expect(await shop.send(id, back)).toMatchObject({ outcome: 'created' })
  // 300 of the 600 came back. Half of the 10.00 that are left is 500 points.
  expect(await redeem(of(500, '10.00'))).toMatchObject(aboveShare(200))
  expect(await redeem(of(200, '10.00'))).toMatchObject({ code: 0 })
})

test('steps count for each redemption after a return that gave back a part of one', async () => {
  const { id, memberCode } = await memberWith(shop, 9000)
  const of = (points: number) =>
    money(memberCode, { points, transactionAmount: '100.00', invoiceNumber: 'STEP 1' })
  expect(await redeem(of(500))).toMatchObject({ code: 0 })
  const sale = receipt([['A', '20.00', 1]], { invoiceNumber: 'STEP 1', netSpend: '15.00' })
  await shop.send(id, sale)
  const half = { original: nameOf(sale), invoiceType: 'return' } as const
  const back = receipt([], { ...half, totalAmount: '-10.00', netSpend: '-7.50' })
  expect(await shop.send(id, back)).toMatchObject({ outcome: 'created' })
  // 250 points still pay, and they are no multiple of 100.
  expect(await redeem(of(150))).toMatchObject({ code: failures.pointsNotMultiple.code })
  expect(await redeem(of(200))).toMatchObject({ code: 0 })
})

test('an open sale that gets its invoice number is one sale', async () => {
  const { memberCode } = await memberWith(shop, 1000)
  const sale = { points: 300, transactionAmount: '10.00', openSale: 'till 4' }
  expect(await redeem(money(memberCode, sale))).toMatchObject({ code: 0 })
  const later = { ...sale, invoiceNumber: 'L1' }
  expect(await redeem(money(memberCode, later))).toMatchObject(aboveShare(200))
  expect(await redeem(money(memberCode, { ...later, points: 200 }))).toMatchObject({ code: 0 })
})

test('references that one redemption connects are one sale', async () => {
  const { memberCode } = await memberWith(shop, 9000)
  const other = await memberWith(shop, 9000)
  const sale = (points: number, names: object, code = memberCode) =>
    money(code, { points, transactionAmount: '10.00', ...names })
  const [open, both] = [{ openSale: 'till 5' }, { openSale: 'till 5', invoiceNumber: 'C1' }]
  expect(await redeem(sale(200, open))).toMatchObject({ code: 0 })
  expect(await redeem(sale(100, both, other.memberCode))).toMatchObject({ code: 0 })
  // The redemption of both counts once, and that of the open sale for the invoice too.
  expect(await redeem(sale(300, { invoiceNumber: 'C1' }))).toMatchObject(aboveShare(200))
  expect(await redeem(sale(200, { invoiceNumber: 'C1' }))).toMatchObject({ code: 0 })
  expect(await redeem(sale(100, open))).toMatchObject(aboveShare(0))
})

test('a redemption that was undone connects nothing', async () => {
  const { memberCode } = await memberWith(shop, 9000)
  const sale = (points: number, names: object) =>
    money(memberCode, { points, transactionAmount: '10.00', ...names })
  const wrong = sale(200, { openSale: 'till 6', invoiceNumber: 'W1' })
  const { entry } = await ok(shop, redeemPoints, wrong, { token })
  const undo = { memberCode, entryId: entry.id, reason: 'wrong sale' }
  await ok(shop, cancelPoints, undo, { token })
  expect(await redeem(sale(500, { openSale: 'till 6' }))).toMatchObject({ code: 0 })
  expect(await redeem(sale(500, { invoiceNumber: 'W1' }))).toMatchObject({ code: 0 })
})
