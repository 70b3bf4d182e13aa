import { cancelPoints, explainPoints, redeemPoints } from '@tillside/contract/points'
import { addDays } from '@tillside/contract/rules/day'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, ok } from '../../testing/factories/company.ts'
import { todayOf } from '../../testing/factories/coupon.ts'
import { testMember } from '../../testing/factories/member.ts'
import { givePoints } from '../../testing/factories/points.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import type { Shop } from '../../testing/factories/shop.ts'
import { pointRules, testSpendingShop } from '../../testing/factories/spending.ts'
import { expireSome } from '../../jobs/expiry.ts'
import { addDebit, lockAccount } from '../ledger.ts'

const exchange = { minimum: 1, maximum: 5000, increment: 1, pointValue: '0.01', maxShare: null }
type Till = { shop: Shop; token: string; today: string }
let debt: Till
let clamp: Till
async function open(rules: object): Promise<Till> {
  const shop = await testSpendingShop({ points: { ...pointRules, exchange, ...rules } })
  return { shop, token: await logIn(shop), today: await todayOf(shop) }
}
beforeAll(async () => {
  debt = await open({ refundPolicy: 'debt', returnGraceDays: 0 })
  clamp = await open({ refundPolicy: 'clamp' })
})
afterAll(async () => {
  for (const { shop } of [debt, clamp]) {
    expect(await shop.violations()).toEqual([])
    await shop.close()
  }
})

const noon = (day: string) => ({ occurredAt: `${day}T04:00:00Z` })
const explained = ({ shop, token }: Till, { memberCode }: { memberCode: string }) =>
  ok(shop, explainPoints, { memberCode }, { token })
const none = { taken: 0, back: 0, lapsed: 0, forgiven: 0, owed: 0 }

/** Sells, spends the points elsewhere, and returns everything. */
async function shortfall({ shop, token, today }: Till, member: Member, price = '100.00') {
  const sale = receipt([['A', price, 1]], noon(addDays(today, -1)))
  await shop.send(member.id, sale)
  const input = { memberCode: member.memberCode, kind: 'transaction', points: Number(price) }
  const { entry } = await ok(shop, redeemPoints, input, { token })
  const whole = receipt([['A', price, -1]], { original: nameOf(sale), ...noon(today) })
  await shop.send(member.id, whole)
  return { back: whole, entryId: entry.id }
}
type Member = Awaited<ReturnType<typeof testMember>>

test('a debt names its return and what is left to repay', async () => {
  const { shop, today } = debt
  const member = await testMember(shop)
  const { back } = await shortfall(debt, member)
  const of = { date: today, invoiceNumber: back.invoiceNumber }
  expect(await explained(debt, member)).toMatchObject({
    balance: -100,
    valid: 0,
    debt: 100,
    lots: [],
    returns: [{ ...none, ...of, taken: 100, owed: 100 }],
  })
  await shop.send(member.id, receipt([['A', '30.00', 1]], noon(today)))
  expect(await explained(debt, member)).toMatchObject({
    debt: 70,
    returns: [{ ...none, ...of, taken: 100, owed: 70 }],
  })
  await shop.send(member.id, receipt([['A', '80.00', 1]], noon(today)))
  // A repaid return needs no explanation.
  expect(await explained(debt, member)).toMatchObject({ balance: 10, debt: 0, returns: [] })
})

test('the oldest of two returns is repaid first', async () => {
  const { shop, today } = debt
  const member = await testMember(shop)
  const sales = ['100.00', '50.00'].map((price) => receipt([['A', price, 1]], noon(today)))
  for (const sale of sales) await shop.send(member.id, sale)
  const input = { memberCode: member.memberCode, kind: 'transaction', points: 150 }
  await ok(shop, redeemPoints, input, { token: debt.token })
  const backs = sales.map((sale) =>
    receipt([['A', sale.totalAmount, -1]], { original: nameOf(sale), ...noon(today) }),
  )
  for (const back of backs) await shop.send(member.id, back)
  const owed = async () => (await explained(debt, member)).returns.map((one) => one.owed)
  expect(await owed()).toEqual([50, 100])
  await shop.send(member.id, receipt([['A', '110.00', 1]], noon(today)))
  expect(await owed()).toEqual([40])
})

test('points that paid and came back name their return, also those that lapsed', async () => {
  const { shop, token, today } = debt
  const member = await testMember(shop)
  await givePoints(shop, member, 60)
  const sale = receipt([['A', '10.00', 1]], noon(today))
  const { invoiceNumber } = sale
  const input = { memberCode: member.memberCode, kind: 'transaction', points: 60, invoiceNumber }
  await ok(shop, redeemPoints, input, { token })
  await shop.send(member.id, sale)
  const whole = receipt([['A', '10.00', -1]], { original: nameOf(sale), ...noon(today) })
  await shop.send(member.id, whole)
  const came = { date: today, invoiceNumber: whole.invoiceNumber }
  expect((await explained(debt, member)).returns).toEqual([
    { ...none, ...came, taken: 10, back: 60 },
  ])

  const other = await testMember(shop)
  const lotId = await givePoints(shop, other, 40, addDays(today, -2))
  const old = receipt([['A', '10.00', 1]], noon(addDays(today, -2)))
  await shop.database.transaction(shop.id, async (tx) => {
    const account = await lockAccount(tx, shop.id, other.id)
    const dates = { at: `${addDays(today, -2)}T04:00:00Z`, earnDate: null, expiryDate: null }
    const from = { storeCode: 'S1', staffId: null, transactionId: null, description: null }
    const terms = { amount: '0.40', reverses: null, invoiceNumber: old.invoiceNumber }
    const spending = { ...dates, ...from, ...terms, type: 'redeemTransaction', points: 40 } as const
    await addDebit(account, spending, [{ lotId, points: 40 }])
  })
  await shop.send(other.id, old)
  const late = receipt([['A', '10.00', -1]], { original: nameOf(old), ...noon(today) })
  await shop.send(other.id, late)
  expect((await explained(debt, other)).returns).toEqual([
    { ...none, date: today, invoiceNumber: late.invoiceNumber, taken: 10, back: 40, lapsed: 40 },
  ])
  await shop.database.transaction(shop.id, (tx) => expireSome(tx, shop.id, today))
})

test('under clamp, a forgiven shortfall names its return until something settles it', async () => {
  const { shop, token, today } = clamp
  const member = await testMember(shop)
  const { back, entryId } = await shortfall(clamp, member)
  expect(await explained(clamp, member)).toMatchObject({
    balance: 0,
    debt: 0,
    returns: [{ ...none, date: today, invoiceNumber: back.invoiceNumber, forgiven: 100 }],
  })
  const undo = { memberCode: member.memberCode, entryId, reason: 'changed her mind' }
  await ok(shop, cancelPoints, undo, { token })
  expect((await explained(clamp, member)).returns).toEqual([])
})
