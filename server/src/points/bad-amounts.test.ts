import { randomUUID } from 'node:crypto'
import { redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn } from '../testing/factories/company.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { memberWith, money, testSpendingShop } from '../testing/factories/spending.ts'

let shop: Shop
let token: string
beforeAll(async () => {
  shop = await testSpendingShop()
  token = await logIn(shop)
})
afterAll(() => shop.close())

const wrong = (written: string) => (field: string) => ({ field, written })

describe('an invalid number of points or amount of money', () => {
  const numbers = [
    '-1',
    '0',
    '0.1',
    '1e309',
    'NaN',
    '"10"',
    '" 10 "',
    '"１０"',
    '9007199254740993',
    'null',
    '[]',
    '[300]',
    '{}',
    'true',
  ]
  const cases = [
    ...numbers.map((written) => wrong(written)('points')),
    ...numbers.map((written) => wrong(written)('transactionAmount')),
    ...['"-1.00"', '"1"', '"1.5"', '"1.000"', '"１.00"', '"1e3"', '"+1.00"', '300'].map((written) =>
      wrong(written)('transactionAmount'),
    ),
    ...['0.1', '1e309', '"10"', '9007199254740993', 'null', '[]'].map((written) =>
      wrong(written)('expectedBalance'),
    ),
  ]
  test.each(cases)('$field of $written is refused with its path', async ({ field, written }) => {
    const { memberCode } = await memberWith(shop, 0)
    const others = Object.entries(money(memberCode)).filter(([name]) => name !== field)
    const valid = JSON.stringify(Object.fromEntries(others))
    const body = `${valid.slice(0, -1)},"${field}":${written}}`
    const response = await shop.app.inject({
      method: 'POST',
      url: `/web/api/v1${redeemPoints.path}`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      payload: body,
    })
    // NaN is not valid JSON, so the refusal names no field.
    const path = written === 'NaN' ? '' : field
    expect(response.json()).toMatchObject({ code: 422, data: { fields: [{ path }] } })
  })

  test('the transaction amount is required if the company has a share rule', async () => {
    const { memberCode } = await memberWith(shop, 1000)
    const { transactionAmount: _, ...input } = money(memberCode)
    const fields = [{ path: 'transactionAmount', reason: 'required' }]
    expect(await call(shop, redeemPoints, input, { token })).toMatchObject({
      code: 422,
      data: { fields },
    })
    const at = [{ path: 'points', reason: 'tooSmall' }]
    expect(await call(shop, redeemPoints, { ...input, points: 0 }, { token })).toMatchObject({
      code: 422,
      data: { fields: at },
    })
  })
})
