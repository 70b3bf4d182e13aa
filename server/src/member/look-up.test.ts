import { getOneCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { offCluster } from '../testing/cluster/off-cluster.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { keyOf } from './look-up.ts'

let company: TestCompany
let other: TestCompany
let token: string

const endTier = statement(
  `update member_tier set start_date = '2024-01-01', expiry_date = $3
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)
const AnyRow = z.record(z.string(), z.unknown())
// The form that the program does not call: `…_on_nodes`, or `…_on_one` with tables in parts.
const readOtherForm = statement(
  `select proname as name from pg_proc where proname like 'find\\_member\\_on\\_%'`,
  z.object({ name: z.string() }),
)
const findBy = (form: string) => statement(`select * from ${form}($1, $2, $3)`, AnyRow)

const mei = {
  memberCode: 'HK10001',
  cardNumber: '6200 0000-30001',
  uniCustomerNo: 'UHK10001',
  firstName: 'Meiling',
  lastName: 'Chan',
  gender: 'F',
  birthday: '1990-02-28',
  countryCode: '852',
  mobile: '51234567',
  email: 'Meiling.Chan@Example.com',
  address: { country: 'HK', city: 'Kowloon' },
  registrationDate: '2024-05-06',
  registrationStore: 'S1',
  marketingOptIn: true,
  customFields: { shoe: 38, likes: ['tea'] },
} as const
const changes = { ...mei, customFields: { shoe: 38, likes: ['tea'] } }

beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
  token = await logIn(company)
  await testMember(company, {
    ...changes,
    consent: {
      version: '1',
      language: 'zh-HK',
      at: '2024-05-06T03:04:05.678Z',
      staffId: null,
      storeCode: 'S1',
    },
  })
  await testMember(company, { memberCode: 'TW1', countryCode: '886', mobile: '912345678' })
  await testMember(other, { ...changes, memberCode: 'THEIRS1', cardNumber: 'THEIRS1' })
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const find = (query: unknown, language = 'en-US') =>
  call(company, getOneCustomer, query, { token, language })
const found = async (query: unknown) =>
  (await ok(company, getOneCustomer, query, { token })).memberCode

describe('a member is found', () => {
  test.each([
    ['card number', { cardNumber: '62000000 30001' }],
    ['mobile and calling code', { countryCode: '852', mobile: '51234567' }],
    ['member code', { code: 'HK10001' }],
    ['customer number', { uniCustomerNo: 'UHK10001' }],
    ['e-mail', { email: 'Meiling.Chan@Example.com' }],
  ])('by %s', async (_way, query) => {
    expect(await found(query)).toBe('HK10001')
  })

  offCluster('A cluster cannot run the form for one PostgreSQL.').each([
    [1, { cardNumber: '62000000 30001' }],
    [1, { countryCode: '852', mobile: '51234567' }],
    [1, { code: 'HK10001' }],
    [1, { uniCustomerNo: 'UHK10001' }],
    [1, { email: 'Meiling.Chan@Example.com' }],
    [0, { code: 'HK99999' }],
    [0, { code: 'THEIRS1' }],
  ])('by both forms of the function: %s for %o', async (count, query) => {
    const { kind, value } = keyOf(query)
    const values = [company.id, kind, value()]
    const [rows, others] = await company.database.reading(company.id, async (tx) => {
      const { name } = await tx.one(readOtherForm, [])
      return Promise.all([tx.all(findBy('find_member'), values), tx.all(findBy(name), values)])
    })
    expect(rows.length).toBe(count)
    expect(rows).toEqual(others)
  })

  offCluster('A cluster cannot run the form for one PostgreSQL.')(
    'by a function that one PostgreSQL inlines',
    async () => {
      const plan = await company.database.reading(company.id, async (tx) => {
        const { name } = await tx.one(readOtherForm, [])
        const ofOne = name === 'find_member_on_nodes' ? 'find_member' : name
        const text = `explain select * from ${ofOne}('${company.id}', 'code', 'HK10001')`
        return tx.all(statement(text, z.object({ 'QUERY PLAN': z.string() })), [])
      })
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(lines).toContain('member_key')
      expect(lines).not.toContain('Function Scan')
    },
  )

  test.each([
    ['a card number with and without its spaces', { cardNumber: ' 62 0000 0030-001 ' }, 'HK10001'],
    ['a card number in full width', { cardNumber: '６２００００００３０００１' }, 'HK10001'],
    ['a code in lower case', { code: 'hk10001' }, 'HK10001'],
    ['a customer number in lower case', { uniCustomerNo: 'uhk10001' }, 'HK10001'],
    ['an e-mail in any case', { email: ' MEILING.chan@EXAMPLE.COM ' }, 'HK10001'],
    ['a mobile with the trunk zero', { countryCode: '886', mobile: '0912345678' }, 'TW1'],
    ['a mobile without it', { countryCode: '886', mobile: '912345678' }, 'TW1'],
  ])('in any spelling: %s', async (_case, query, code) => {
    expect(await found(query)).toBe(code)
  })

  test('with all fields of the contract', async () => {
    expect(await ok(company, getOneCustomer, { code: 'HK10001' }, { token })).toEqual({
      memberCode: 'HK10001',
      uniCustomerNo: 'UHK10001',
      cardNumber: '6200 0000-30001',
      firstName: 'Meiling',
      lastName: 'Chan',
      gender: 'F',
      birthday: '1990-02-28',
      countryCode: '852',
      mobile: '51234567',
      email: 'Meiling.Chan@Example.com',
      address: { country: 'HK', province: null, city: 'Kowloon', district: null, detail: null },
      addressLine: 'Kowloon, Hong Kong',
      registrationDate: '2024-05-06',
      registrationStore: { code: 'S1', name: 'Harbour City' },
      tnc: {
        acceptedVersion: '1',
        acceptedAt: '2024-05-06T03:04:05Z',
        currentVersion: '2',
        needsResign: true,
      },
      marketingOptIn: true,
      tier: { code: 'associate', name: 'Associate', level: 1, endedOn: null },
      customFields: { shoe: 38, likes: ['tea'] },
      version: 1,
    })
  })

  test('with null for unknown values', async () => {
    expect(await ok(company, getOneCustomer, { code: 'TW1' }, { token })).toMatchObject({
      gender: null,
      birthday: null,
      email: null,
      address: { country: null, province: null, city: null, district: null, detail: null },
      registrationStore: null,
      tnc: { acceptedVersion: null, acceptedAt: null, needsResign: true },
      customFields: {},
    })
  })

  test('with the end of a tier’s period that no review has followed', async () => {
    const late = await testMember(company, { memberCode: 'LATE1' })
    const ends = async (day: string) => {
      await company.database.transaction(company.id, (tx) =>
        tx.run(endTier, [company.id, late.id, day]),
      )
      return (await ok(company, getOneCustomer, { code: 'LATE1' }, { token })).tier?.endedOn
    }
    expect(await ends('2024-12-31')).toBe('2024-12-31')
    expect(await ends('2999-12-31')).toBeNull()
  })

  test('in the caller’s language', async () => {
    expect((await find({ code: 'TW1' }, 'zh-HK')).data).toMatchObject({
      tier: { name: 'Associate（港）' },
    })
  })
})

describe('exactly one key is accepted', () => {
  test.each([
    ['none', {}, '', 'exactlyOne'],
    ['two', { code: 'HK10001', email: 'a@example.com' }, '', 'exactlyOne'],
    ['two keys of one member', { code: 'HK10001', uniCustomerNo: 'UHK10001' }, '', 'exactlyOne'],
    ['a mobile without its calling code', { mobile: '51234567' }, 'countryCode', 'required'],
    ['a calling code alone', { countryCode: '852' }, '', 'exactlyOne'],
    [
      'a calling code with a member code',
      { countryCode: '852', code: 'HK10001' },
      'countryCode',
      'required',
    ],
    [
      'a calling code with a plus',
      { countryCode: '+852', mobile: '51234567' },
      'countryCode',
      'format',
    ],
    ['a mobile with letters', { countryCode: '852', mobile: '5123456a' }, 'mobile', 'format'],
    ['a code with a sign', { code: 'HK-10001' }, 'code', 'format'],
    ['an e-mail without an at', { email: 'example.com' }, 'email', 'format'],
    ['an unknown name', { memberCode: 'HK10001' }, 'memberCode', 'unknownField'],
  ])('%s is refused at its field', async (_case, query, path, reason) => {
    const answer = await find(query)
    expect(answer).toMatchObject({ status: 200, code: 422 })
    expect(answer.data).toMatchObject({
      fields: expect.arrayContaining([expect.objectContaining({ path, reason })]),
    })
  })
})

describe('no member is found', () => {
  test.each([
    ['card number', { cardNumber: '999' }],
    ['mobile', { countryCode: '852', mobile: '51230000' }],
    ['mobile under another calling code', { countryCode: '86', mobile: '51234567' }],
    ['mobile of a numbering plan that does not exist', { countryCode: '999', mobile: '51234567' }],
    ['member code', { code: 'NOBODY' }],
    ['customer number', { uniCustomerNo: 'HK10001' }],
    ['e-mail', { email: 'nobody@example.com' }],
  ])('by an unknown %s', async (_way, query) => {
    expect(await find(query)).toMatchObject({ status: 200, code: 111102, data: null })
  })

  test('of another company, and the answer does not reveal that it exists', async () => {
    const theirs = await find({ code: 'THEIRS1' })
    expect(theirs).toEqual(await find({ code: 'NOBODY' }))
    expect(theirs).toEqual(await find({ cardNumber: 'THEIRS1' }))
    expect(theirs.message).toBe('No Member Found')
    // The same e-mail finds a different member in each company.
    const theirToken = await logIn(other)
    const query = { email: mei.email }
    expect((await ok(other, getOneCustomer, query, { token: theirToken })).memberCode).toBe(
      'THEIRS1',
    )
    expect(await found(query)).toBe('HK10001')
  })
})
