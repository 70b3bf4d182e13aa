import { searchHistoryKey } from '@tillside/contract/activity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const countMade = statement(
  `select count(*)::int as made from audit where company_id = $1 and action = 'staff.historyKey'`,
  z.object({ made: z.int() }),
)
const keyOf = async (token: string) => (await ok(company, searchHistoryKey, {}, { token })).key

test('the history key has 256 bits and belongs to the account, not to the session', async () => {
  const [amy, again, ben] = [
    await logIn(company),
    await logIn(company),
    await logIn(company, 'ben'),
  ]
  const asked = Array.from({ length: 8 }, (_, n) => keyOf(n % 2 === 0 ? amy : again))
  const keys = new Set(await Promise.all(asked))
  const [key = ''] = keys
  expect(keys.size).toBe(1)
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  expect(await keyOf(ben)).not.toBe(key)
  const { made } = await company.database.transaction(company.id, (tx) =>
    tx.one(countMade, [company.id]),
  )
  expect(made).toBe(2)
})
