import { postTransactions } from '@tillside/contract/integration/transactions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsOf } from '../testing/contents.ts'
import { callWithKey, itemResult, sendItems, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { pointRules } from '../testing/factories/spending.ts'

const inHours = (hours: number) =>
  `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`

const money = (totalAmount: string, netSpend = totalAmount) => ({ totalAmount, netSpend })

describe('a receipt that makes no sense', () => {
  let s: Shop
  let key: string
  let memberCode: string
  const send = (...items: unknown[]) => sendItems(s, postTransactions, items, key)
  const sale = (changes: object = {}) => receipt([['A', '10.00', 1]], { memberCode, ...changes })
  const bare = (changes: object) => ({ ...sale(), items: [], ...changes })

  beforeAll(async () => {
    s = await testShop({ receipts: { acceptSalesSince: '2026-01-01', lineTolerance: '0.10' } })
    key = (await testKey(s)).key
    memberCode = (await testMember(s)).memberCode
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })

  it('is refused by name, at its field, and changes nothing', async () => {
    const first = receipt([['A', '10.00', 4]], { memberCode, ...money('40.00', '30.00') })
    const back = { invoiceType: 'return', original: nameOf(first) }
    await send(first)
    const before = await contentsOf(s)
    const pairs: [object, string][] = [
      [sale({ occurredAt: '1969-12-31T23:59:59Z' }), 'dateImpossible occurredAt'],
      [sale({ occurredAt: '9999-01-01T00:00:00Z' }), 'dateImpossible occurredAt'],
      [sale({ occurredAt: '9998-12-31T00:00:00Z' }), 'dateAhead occurredAt'],
      [sale({ occurredAt: inHours(25) }), 'dateAhead occurredAt'],
      // Hong Kong's year began eight hours before.
      [sale({ occurredAt: '2025-12-31T15:59:59Z' }), 'dateTooEarly occurredAt'],
      [bare(money('-0.01')), 'saleNegative totalAmount'],
      [bare(money('1.00', '-0.01')), 'saleNegative netSpend'],
      [bare({ ...money('1.00', '1.01') }), 'spendAboveTotal netSpend'],
      [bare({ ...money('-10.00', '-10.01'), ...back }), 'spendAboveTotal netSpend'],
      [bare({ ...money('-1.00', '0.00'), invoiceType: 'exchange' }), 'spendAboveTotal netSpend'],
      [sale({ totalAmount: '10.11' }), 'linesNotTotal items'],
      [sale({ ...money('9.89') }), 'linesNotTotal items'],
      [bare(money('100000000000.00')), 'amountTooLarge totalAmount'],
      [bare({ ...money('-100000000000.00'), ...back }), 'amountTooLarge totalAmount'],
      [sale({ orderDiscount: '9999999999999.99' }), 'amountTooLarge orderDiscount'],
    ]
    const { items } = await send(...pairs.map(([item]) => item))
    const named = pairs.map(([, answer]) => `${answer}:${answer.split(' ', 1).join()}`)
    expect(items.map(itemResult)).toEqual(named)
    const positive = await send(bare({ ...money('1.00', '-1.00'), ...back }))
    expect(positive.items.map(itemResult)).toEqual(['invalid totalAmount:tooLarge'])
    expect(await contentsOf(s)).toEqual(before)
  })

  it('is not one at the very limits', async () => {
    const whole = receipt([['A', '10.00', 1]], { memberCode })
    const [line] = whole.items
    if (line === undefined) throw new Error('no line')
    const reduced = { ...line, total: '-10.00', quantity: '-1', spend: '-8.00' }
    const { items } = await send(
      sale({ occurredAt: inHours(23) }),
      sale({ occurredAt: '2025-12-31T16:00:00Z' }),
      bare(money('0.00')),
      bare(money('99999999999.99', '0.01')),
      sale({ totalAmount: '10.10' }),
      // The till names the total after the discounts of the lines.
      sale({ ...money('7.00'), items: [{ ...line, discount: '3.00', spend: '7.00' }] }),
      sale({ ...money('0.00', '2.00'), invoiceType: 'exchange', items: [line, reduced] }),
      bare({ ...money('-12.00', '-10.00'), invoiceType: 'return' }),
    )
    expect(items.map(itemResult)).toEqual(Array.from({ length: 8 }, () => 'created'))
  })

  it('stays recorded, and its repeat unchanged, where a rule came later', async () => {
    const { id } = await testMember(s)
    const old = receipt([['A', '10.00', 1]], { occurredAt: '2020-01-01T00:00:00Z' })
    await s.send(id, old)
    const { items } = await send(old, { ...old, sales: 'Amy' })
    expect(items.map(itemResult)).toEqual(['unchanged', 'changed invoiceNumber:changed'])
  })

  it('says in the reader’s language what is wrong', async () => {
    const headers = { 'user-language': 'zh-TW' }
    const items = [bare(money('-1.00'))]
    const answer = await callWithKey(s, postTransactions, { items }, key, headers)
    expect(answer.data).toMatchObject({ items: [{ message: '銷售單金額不可為負數。' }] })
  })
})

it('refuses a return that makes no sense by name, and changes nothing', async () => {
  const s = await testShop({ points: pointRules })
  const [{ memberCode }, other] = [await testMember(s), await testMember(s)]
  const { key } = await testKey(s)
  const ask = async (...items: object[]) =>
    (await sendItems(s, postTransactions, items, key)).items.map(itemResult)
  const sale = receipt([['A', '50.00', 2]], { memberCode })
  const original = nameOf(sale)
  const back = (quantity: number, changes: object = {}) =>
    receipt([['A', '50.00', quantity]], { memberCode, original, ...changes })
  expect(await ask(sale)).toEqual(['created'])
  const tooMuch = 'originalReturned netSpend:originalReturned'
  const pairs: [object, string][] = [
    [back(-3), tooMuch],
    [
      back(-1, { memberCode: other.memberCode }),
      'originalOtherMember original:originalOtherMember',
    ],
    [
      back(-1, { original: { ...original, invoiceNumber: 'NONE' } }),
      'originalUnknown original:originalUnknown',
    ],
    [back(-1, { occurredAt: '1969-12-31T00:00:00Z' }), 'dateImpossible occurredAt:dateImpossible'],
  ]
  const sold = await contentsOf(s)
  expect(await ask(...pairs.map(([item]) => item))).toEqual(pairs.map(([, answer]) => answer))
  expect(await contentsOf(s)).toEqual(sold)
  const whole = back(-2)
  expect(await ask(whole)).toEqual(['created'])
  const { invoiceNumber } = whole
  const returned = await contentsOf(s)
  expect(await ask(whole, back(-1, { invoiceNumber }), back(-1))).toEqual([
    'unchanged',
    'changed invoiceNumber:changed',
    tooMuch,
  ])
  expect(await contentsOf(s)).toEqual(returned)
  expect(await s.violations()).toEqual([])
  await s.close()
})

it('does not count a receipt of 0.00 as the first purchase', async () => {
  const first = {
    id: 'HELLO',
    names: { 'en-US': 'Hello', 'zh-HK': '你好' },
    from: '2026-01-01',
    to: '2026-12-31',
    firstPurchase: true,
    award: { bonus: 50 },
  }
  const s = await testShop({ points: { ...pointRules, promotions: [first] } })
  const { memberCode } = await testMember(s)
  const { key } = await testKey(s)
  const items = ['0.00', '10.00', '10.00'].map((price) =>
    receipt([['A', price, 1]], { memberCode }),
  )
  const answer = await sendItems(s, postTransactions, items, key)
  expect(answer.items.map((item) => ('points' in item ? item.points : null))).toEqual([0, 60, 10])
  await s.close()
})
