import { failures, type FailureName } from '@tillside/contract/wire/failures'
import { languages } from '@tillside/contract/wire/language'
import { previewPoints, redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureTexts } from '../text/failure-texts.ts'
import { call, logIn } from '../testing/factories/company.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { memberWith, money, pointRules, testSpendingShop } from '../testing/factories/spending.ts'

// The company's rules: 200 to 5,000 points in steps of 100, one cent per point, up to half of the
// sale. The checks run in this order: configured, positive, minimum, maximum, multiple, share,
// balance.
let shop: Shop
let bare: Shop
let token: string
beforeAll(async () => {
  shop = await testSpendingShop()
  bare = await testShop({ points: pointRules })
  token = await logIn(shop)
})
afterAll(async () => {
  for (const one of [shop, bare]) {
    expect(await one.violations()).toEqual([])
    await one.close()
  }
})

/** Points, sale amount and balance; then the expected refusal and the limit that it contains. */
type Row = readonly [
  points: number,
  sale: string,
  balance: number,
  refusal?: FailureName,
  limit?: number,
]
const rows: Row[] = [
  [-1, '999.00', 9_999, 'invalid'],
  [0, '999.00', 9_999, 'invalid'],
  [1, '999.00', 9_999, 'pointsBelowMinimum', 200],
  [199, '999.00', 9_999, 'pointsBelowMinimum', 200],
  [200, '999.00', 9_999],
  [201, '999.00', 9_999, 'pointsNotMultiple', 100],
  [4_999, '999.00', 9_999, 'pointsNotMultiple', 100],
  [5_000, '999.00', 9_999],
  [5_001, '999.00', 9_999, 'pointsAboveMaximum', 5_000],
  [5_100, '999.00', 9_999, 'pointsAboveMaximum', 5_000],
  [299, '999.00', 9_999, 'pointsNotMultiple', 100],
  [300, '999.00', 9_999],
  [301, '999.00', 9_999, 'pointsNotMultiple', 100],
  [600, '11.99', 9_999, 'pointsAboveShare', 500],
  [600, '12.00', 9_999],
  [600, '12.01', 9_999],
  [700, '12.00', 9_999, 'pointsAboveShare', 600],
  [300, '999.00', 299, 'pointsAboveBalance', 299],
  [300, '999.00', 300],
  [300, '999.00', 301],
  // Each of these breaks all later rules too; the refusal is for the first rule.
  [0, '0.00', 0, 'invalid'],
  [150, '0.00', 0, 'pointsBelowMinimum', 200],
  [5_050, '0.00', 0, 'pointsAboveMaximum', 5_000],
  [250, '0.00', 0, 'pointsNotMultiple', 100],
  [300, '5.99', 0, 'pointsAboveShare', 200],
  [300, '6.00', 0, 'pointsAboveBalance', 0],
]

describe('points against a sale, at and next to each limit, in every language', () => {
  for (const [points, sale, balance, refusal, limit] of rows) {
    test(`${points} of a sale of ${sale} with ${balance}: ${refusal ?? 'done'}`, async () => {
      const { memberCode } = await memberWith(shop, balance)
      const input = money(memberCode, { points, transactionAmount: sale })
      const data = limit === undefined ? expect.anything() : { limit }
      const code = refusal === undefined ? 0 : failures[refusal].code
      for (const language of languages) {
        const shown = await call(shop, previewPoints, input, { token, language })
        expect(shown).toMatchObject({ code, data })
        if (refusal === undefined) continue
        const done = await call(shop, redeemPoints, input, { token, language })
        expect(done).toEqual(shown)
        const figure = limit?.toLocaleString('en-US') ?? ''
        expect(done.message).toBe(failureTexts[refusal][language].replace('{limit}', figure))
      }
      if (refusal !== undefined) return
      const done = await call(shop, redeemPoints, input, { token })
      expect(done).toMatchObject({ code: 0, data: { balance: balance - points } })
    })
  }

  test('without exchange rules no other check runs', async () => {
    const { memberCode } = await memberWith(bare, 0)
    const amy = await logIn(bare)
    for (const points of [-1, 0, 150, 250, 5_001]) {
      for (const language of languages) {
        const input = money(memberCode, { points })
        const answer = await call(bare, redeemPoints, input, { token: amy, language })
        const message = failureTexts.pointsNotConfigured[language]
        expect(answer).toMatchObject({ code: failures.pointsNotConfigured.code, message })
      }
    }
  })
})
