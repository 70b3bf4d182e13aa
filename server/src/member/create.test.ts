import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { KeysTaken, NewMember, takenKeyKinds } from './create.ts'
import { createMember, createMembers } from '../register/create.ts'

const readKeys = statement(
  'select kind, value from member_key where company_id = $1 and member_id = $2 order by kind',
  z.object({ kind: z.string(), value: z.string() }),
)
const readConsents = statement(
  `select kind, version, agreed, language, at, store_code from consent
   where company_id = $1 and member_id = $2 order by kind`,
  z.object({
    kind: z.string(),
    version: z.string(),
    agreed: z.boolean(),
    language: z.string(),
    at: z.string(),
    store_code: z.nullable(z.string()),
  }),
)
const readBeginning = statement(
  `select mt.tier_code, mt.start_date, mt.expiry_date, a.balance, a.entries, m.tnc_version
   from member m join member_tier mt using (company_id, member_id)
   join point_account a using (company_id, member_id) where company_id = $1 and member_id = $2`,
  z.object({
    tier_code: z.string(),
    start_date: z.string(),
    expiry_date: z.nullable(z.string()),
    balance: z.int(),
    entries: z.int(),
    tnc_version: z.nullable(z.string()),
  }),
)
const countMembers = statement(
  'select count(*)::int as members from member where company_id = $1',
  z.object({ members: z.int() }),
)

const mei = {
  memberCode: 'Mei1',
  cardNumber: '6200 0000-1',
  uniCustomerNo: 'u-1',
  firstName: 'Mei',
  lastName: 'Chan',
  countryCode: '852',
  mobile: '51234567',
  email: 'Mei.Chan@Example.com',
  registrationDate: '2026-01-05',
  registrationStore: 'S1',
  marketingOptIn: false,
  consent: { version: '2', language: 'zh-HK', at: '2026-01-05T02:00:00Z', storeCode: 'S1' },
} as const

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

function create(changes: Partial<z.input<typeof NewMember>> = {}): Promise<string> {
  const member = NewMember.parse({ ...mei, ...changes })
  return company.database.transaction(company.id, (tx) => createMember(tx, company, member))
}

test('a member is created completely, and no other member can have one of its keys', async () => {
  const id = await create()
  const [keys, consents, beginning] = await company.database.transaction(company.id, (tx) =>
    Promise.all([
      tx.all(readKeys, [company.id, id]),
      tx.all(readConsents, [company.id, id]),
      tx.one(readBeginning, [company.id, id]),
    ]),
  )
  expect(Object.fromEntries(keys.map(({ kind, value }) => [kind, value]))).toEqual({
    card: '620000001',
    code: 'MEI1',
    email: 'mei.chan@example.com',
    mobile: '+85251234567',
    uni: 'U1',
  })
  const consent = {
    version: '2',
    language: 'zh-HK',
    at: '2026-01-05T02:00:00.000Z',
    store_code: 'S1',
  }
  expect(consents).toEqual([
    { kind: 'marketing', agreed: false, ...consent },
    { kind: 'terms', agreed: true, ...consent },
  ])
  expect(beginning).toEqual({
    tier_code: 'associate',
    start_date: '2026-01-05',
    expiry_date: null,
    balance: 0,
    entries: 0,
    tnc_version: '2',
  })

  const others = { memberCode: 'M2', cardNumber: 'C2', uniCustomerNo: 'U2' }
  const again = NewMember.parse({ ...mei, ...others })
  const taken = await company.database.transaction(company.id, (tx) =>
    takenKeyKinds(tx, company, again),
  )
  expect(taken.sort()).toEqual(['email', 'mobile'])
  const before = await company.database.transaction(company.id, (tx) =>
    tx.one(countMembers, [company.id]),
  )
  const refused = create(others)
  await expect(refused).rejects.toThrow('the email and the mobile belongs to another member')
  await expect(refused).rejects.toBeInstanceOf(KeysTaken)
  const after = await company.database.transaction(company.id, (tx) =>
    tx.one(countMembers, [company.id]),
  )
  expect(after).toEqual(before)
})

test.each([
  ['card', { cardNumber: 'C9' }],
  ['uni', { uniCustomerNo: 'U9' }],
  ['code', { memberCode: 'B1' }],
])('of two members of one batch, only one can have a %s', async (kind, same) => {
  const { countryCode: _, mobile: __, email: ___, ...other } = mei
  const two = [1, 2].map((n) =>
    NewMember.parse({
      ...other,
      memberCode: `B${n}`,
      cardNumber: `CB${n}`,
      uniCustomerNo: `UB${n}`,
      ...same,
    }),
  )
  const created = company.database.transaction(company.id, (tx) => createMembers(tx, company, two))
  await expect(created).rejects.toThrow(`the ${kind} belongs to another member`)
})

test('a mobile number without a country and a name of control characters are invalid', () => {
  expect(NewMember.safeParse({ ...mei, countryCode: null }).success).toBe(false)
  expect(NewMember.safeParse({ ...mei, firstName: 'M\u0000ei' }).success).toBe(false)
  expect(NewMember.safeParse({ ...mei, memberCode: 'M 1!' }).success).toBe(false)
})
