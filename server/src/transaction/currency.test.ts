import { postTransactions } from '@tillside/contract/integration/transactions'
import { pointHistory, previewPoints, redeemPoints } from '@tillside/contract/points'
import { explainTier, listTiers } from '@tillside/contract/tier'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import { getStoreAssignedCoupons } from '@tillside/contract/coupon'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok } from '../testing/factories/company.ts'
import { itemResult, sendItems, testKey } from '../testing/factories/key.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { pointRules } from '../testing/factories/spending.ts'

const texts = (text: string) => ({ 'en-US': text, 'zh-HK': text })

/** The same life in three currencies: a sale of three goods, and one of them returned. */
const lives = [
  {
    code: 'JPY',
    sale: '1286',
    third: '428',
    rest: '858',
    zero: '0',
    threshold: '1000',
    gap: '142',
    wrong: ['1286.00', '1286.0', '1286.5'],
    paid: ['1286', '3'],
    finePrice: ['428.67', '428.67'],
  },
  {
    code: 'KWD',
    sale: '12.345',
    third: '4.115',
    rest: '8.230',
    zero: '0.000',
    threshold: '10.000',
    gap: '1.770',
    wrong: ['12.34', '12', '12.3456'],
    paid: ['12.345', '3.000'],
    finePrice: ['4.115', '4.115'],
  },
  {
    code: 'HKD',
    sale: '1286.01',
    third: '428.67',
    rest: '857.34',
    zero: '0.00',
    threshold: '1000.00',
    gap: '142.66',
    wrong: ['1286', '1286.1', '1286.010'],
    paid: ['1286.01', '3.00'],
    finePrice: ['428.67', '428.67'],
  },
] as const

describe.each(lives)('money in $code', (life) => {
  let s: Shop
  let key: string
  let token: string
  beforeAll(async () => {
    const big = life.threshold
    s = await testShop({
      currency: { code: life.code, shown: true },
      points: {
        ...pointRules,
        perUnit: '1',
        exchange: { minimum: 1, maximum: 5000, increment: 1, pointValue: '1', maxShare: 0.5 },
      },
      tiers: [
        { code: 'base', names: texts('Base'), threshold: '0', renewThreshold: '0' },
        { code: 'high', names: texts('High'), threshold: big, renewThreshold: life.rest },
      ],
      coupons: [
        {
          id: 'OFF',
          names: texts('Off'),
          kind: 'amount',
          value: life.third,
          validity: { days: 9 },
        },
      ],
    })
    key = (await testKey(s)).key
    token = await logIn(s)
  })
  afterAll(async () => {
    expect(await s.violations()).toEqual([])
    await s.close()
  })

  const line = (quantity: string, total: string, discount: string) => ({
    skuCode: 'TEA',
    skuName: 'Tea',
    price: life.finePrice[0],
    quantity,
    total,
    discount,
    spend: total,
  })
  let number = 0
  const receipt = (memberCode: string, amount: string, changes: object = {}) => {
    number += 1
    return {
      invoiceNumber: `M${number}`,
      source: 100000028,
      storeCode: 'S1',
      memberCode,
      status: 'completed',
      invoiceType: 'sale',
      occurredAt: `${new Date().toISOString().slice(0, 19)}Z`,
      totalAmount: amount,
      netSpend: amount,
      items: [],
      ...changes,
    }
  }
  const send = (...items: object[]) => sendItems(s, postTransactions, items, key)

  test('keeps the decimals of the currency in a sale, a return, the tier, the points', async () => {
    const { memberCode } = await testMember(s)
    const nothing = await ok(s, explainTier, { memberCode }, { token })
    expect(nothing.standing).toMatchObject({ gradeSpend: life.zero, gapToNextTier: life.threshold })
    expect(nothing.moreAmount).toBe(life.zero)
    const sale = receipt(memberCode, life.sale, {
      items: [line('3', life.sale, life.zero)],
    })
    const original = { invoiceNumber: sale.invoiceNumber, source: sale.source }
    const back = receipt(memberCode, `-${life.third}`, {
      invoiceType: 'return',
      original,
      items: [line('-1', `-${life.third}`, life.zero)],
    })
    const { items } = await send(sale, back)
    expect(items.map(itemResult)).toEqual(['created', 'created'])

    const shown = await ok(s, transactionDetail, { memberCode, invoiceNumber: 'M1' }, { token })
    expect(shown).toMatchObject({
      totalAmount: life.sale,
      orderDiscount: life.zero,
      items: [{ total: life.sale, price: life.finePrice[1] }],
    })
    const list = await ok(s, listTransactions, { memberCode }, { token })
    expect(list.items.map(({ netSpend }) => netSpend)).toEqual([`-${life.third}`, life.sale])
    const { spend, standing } = await ok(s, explainTier, { memberCode }, { token })
    expect(standing.gradeSpend).toBe(life.rest)
    expect(spend?.map(({ amount }) => amount).sort()).toEqual([`-${life.third}`, life.sale].sort())
    const { items: entries } = await ok(s, pointHistory, { memberCode }, { token })
    expect(new Set(entries.map(({ amount }) => amount))).toEqual(new Set([life.third, life.sale]))
    const tiers = await ok(s, listTiers, {}, { token })
    expect(tiers.items[1]).toMatchObject({ threshold: life.threshold, renewThreshold: life.rest })
    const coupons = await ok(s, getStoreAssignedCoupons, { memberCode }, { token })
    expect(coupons.items[0]).toMatchObject({ value: life.third })
  })

  test('refuses amounts that are written with other decimals', async () => {
    const { memberCode } = await testMember(s)
    const { items } = await send(...life.wrong.map((amount) => receipt(memberCode, amount)))
    for (const item of items) {
      expect(itemResult(item)).toBe('invalid totalAmount:format netSpend:format')
    }
    for (const transactionAmount of life.wrong) {
      const input = { memberCode, kind: 'transaction', points: 1, transactionAmount }
      expect(await call(s, redeemPoints, input, { token })).toMatchObject({
        code: 422,
        data: { fields: [{ path: 'transactionAmount', reason: 'format' }] },
      })
    }
  })

  test('is paid with points in the same way', async () => {
    const { memberCode } = await testMember(s)
    const [transactionAmount, paid] = life.paid
    await send(receipt(memberCode, life.sale))
    const input = { memberCode, kind: 'transaction', points: 3, transactionAmount }
    expect(await ok(s, previewPoints, input, { token })).toMatchObject({ amount: paid })
    const done = await ok(s, redeemPoints, input, { token })
    expect(done).toMatchObject({ amount: paid, entry: { amount: paid } })
  })
})
