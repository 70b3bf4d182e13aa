import { createCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { newForm } from '../testing/factories/registration.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers } from '../testing/servers/two.ts'

let company: TestCompany
let addresses: string[]
beforeAll(async () => {
  company = await testCompany()
  addresses = await twoServers()
})
afterAll(() => company.close())

const countKeys = statement(
  `select count(*)::int as keys, (select count(*)::int from member where company_id = $1) as members
   from member_key where company_id = $1 and kind = 'mobile' and value = $2`,
  z.object({ keys: z.int(), members: z.int() }),
)

test('of twenty concurrent registrations of one number exactly one succeeds', async () => {
  const token = await logIn(company)
  const spellings = ['0912345678', '912345678', '０９１２３４５６７８', ' 912345678 ', '91234567８']
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const mobile = spellings[n % spellings.length]
      const input = newForm({ countryCode: n % 3 === 0 ? '８８６' : '886', mobile })
      return post(addresses[n % 2] ?? '', createCustomer, input, {
        authorization: `Bearer ${token}`,
        'idempotency-key': crypto.randomUUID(),
      })
    }),
  )
  const outcomes = answers.map(({ status, code, data }) =>
    code === 0 ? 'made' : JSON.stringify([status, code, data]),
  )
  expect(outcomes.filter((one) => one === 'made')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['made', '[200,111103,{"field":"mobile"}]']))
  const counted = await company.database.transaction(company.id, (tx) =>
    tx.one(countKeys, [company.id, '+886912345678']),
  )
  expect(counted).toEqual({ keys: 1, members: 1 })
})
