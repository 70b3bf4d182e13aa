import {
  createCustomer,
  getOneCustomer,
  type Member,
  revealContact,
  updateCustomer,
} from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { signUp, memberIn, refusedFields } from '../testing/factories/registration.ts'
import { field as fieldOf, testRegister } from '../testing/factories/register-form.ts'

const editable = 'firstName lastName gender mobile email address petName likes size birthday'.split(
  ' ',
)
let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany({ profileFields: { shown: [], editable } })
  token = await logIn(company)
})
afterAll(() => company.close())

const anybody = async (changes: Record<string, unknown> = {}) =>
  memberIn(await signUp(company, token, changes))
const change = ({ memberCode, version }: Member, changes: Record<string, unknown>) =>
  call(company, updateCustomer, { memberCode, version, changes }, { token })
const changed = async (member: Member, changes: Record<string, unknown>) =>
  memberIn(await change(member, changes))
const find = (query: object) => call(company, getOneCustomer, query, { token })

const readAudits = statement(
  `select a.details from audit a
     join member m on m.company_id = a.company_id and m.member_id = a.place
   where a.company_id = $1 and a.member_id = m.member_id and m.member_code = $2
     and a.action = $3 order by a.audit_id`,
  z.object({ details: z.json() }),
)
const auditsOf = async (at: TestCompany, { memberCode }: Member, action: string) =>
  at.database.transaction(at.id, (tx) => tx.all(readAudits, [at.id, memberCode, action]))

describe('a profile', () => {
  test('is changed field by field; the rest stays', async () => {
    const member = await anybody({ email: 'm@example.com', likes: ['tea'], children: 2 })
    const after = await changed(member, { firstName: 'May', likes: ['cake', 'tea'], gender: 'F' })
    expect(after).toEqual({
      ...member,
      firstName: 'May',
      gender: 'F',
      customFields: { ...member.customFields, likes: ['cake', 'tea'] },
      version: 2,
    })
    expect(await auditsOf(company, member, 'member.update')).toEqual([
      { details: { fields: 'firstName gender likes' } },
    ])
  })

  test('can be emptied in optional fields', async () => {
    const member = await anybody({ email: 'n@example.com', petName: 'Wawa', gender: 'M' })
    const after = await changed(member, {
      email: null,
      petName: null,
      gender: null,
      lastName: null,
    })
    expect(after).toMatchObject({ email: null, gender: null, lastName: '' })
    expect(after.customFields?.['petName']).toBeNull()
    expect((await find({ email: 'n@example.com' })).code).toBe(111102)
    expect(
      refusedFields(await change(after, { firstName: null, mobile: null, countryCode: null })),
    ).toEqual(['changes.firstName:required', 'changes.mobile:required'])
  })

  test('always keeps one name', async () => {
    const fields = [fieldOf('firstName', 'text'), fieldOf('lastName', 'text')]
    const other = await testCompany({
      register: { ...testRegister, fields },
      profileFields: { shown: [], editable },
    })
    const as = { token: await logIn(other) }
    const made = await call(
      other,
      createCustomer,
      { tncVersion: '2', marketingOptIn: false, firstName: 'Mei', lastName: 'Chan' },
      as,
    )
    const { memberCode } = memberIn(made)
    const send = (version: number, changes: object) =>
      call(other, updateCustomer, { memberCode, version, changes }, as)
    expect(memberIn(await send(1, { firstName: null }))).toMatchObject({ firstName: '' })
    expect(refusedFields(await send(2, { lastName: null }))).toEqual(['changes.firstName:required'])
    expect(memberIn(await send(2, { firstName: 'May', lastName: null })).lastName).toBe('')
    await other.close()
  })

  test('that was not changed keeps its version', async () => {
    const member = await anybody()
    expect(await changed(member, { firstName: member.firstName })).toEqual(member)
    expect(await changed(member, {})).toEqual(member)
  })

  test('refuses the slower of two clerks instead of overwriting', async () => {
    const member = await anybody()
    await changed(member, { firstName: 'First' })
    expect(await change(member, { firstName: 'Second' })).toMatchObject({
      status: 200,
      code: 111104,
    })
    expect((await find({ code: member.memberCode })).data).toMatchObject({ firstName: 'First' })
    // Of many concurrent changes one succeeds.
    const fresh = await anybody()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(fresh, { firstName: `Clerk ${n}` })),
    )
    const codes = answers.map(({ code }) => code).sort((a, b) => a - b)
    expect(codes).toEqual([0, ...Array.from({ length: 9 }, () => 111104)])
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a field that is not editable', { children: 3 }, 'changes.children:notAllowed'],
    [
      'a field that the form declares as fixed',
      { birthday: '1990-02-28' },
      'changes.birthday:notAllowed',
    ],
    ['an unknown field', { vip: true }, 'changes.vip:unknownField'],
    ['an unknown option', { size: 'M' }, 'changes.size:notAllowed'],
    [
      'a number of another country',
      { countryCode: '1', mobile: '51110001' },
      'changes.mobile:format',
    ],
    [
      'a region of another country',
      { address: { country: 'HK', city: '710100' } },
      'changes.address.city:notAllowed',
    ],
    ['another member’s mask', { countryCode: '852', mobile: '••••0000' }, 'changes.mobile:format'],
    ['a mask as an e-mail address', { email: 'x•••@example.com' }, 'changes.email:format'],
  ])('refuses %s at the field', async (_case, changes, field) => {
    const member = await anybody()
    expect(refusedFields(await change(member, changes))).toEqual([field])
    expect((await find({ code: member.memberCode })).data).toEqual(member)
  })

  test('of an unknown member is refused', async () => {
    const unknown = { ...(await anybody()), memberCode: 'NOBODY' }
    expect((await change(unknown, { firstName: 'May' })).code).toBe(111102)
  })
})

describe('a contact', () => {
  test('that was changed finds the member by the new value only', async () => {
    const member = await anybody({
      countryCode: '852',
      mobile: '51120001',
      email: 'old@example.com',
    })
    const after = await changed(member, {
      countryCode: '886',
      mobile: '0912300001',
      email: 'New@example.com',
    })
    expect(after).toMatchObject({
      countryCode: '886',
      mobile: '912300001',
      email: 'New@example.com',
    })
    expect((await find({ countryCode: '852', mobile: '51120001' })).code).toBe(111102)
    expect((await find({ email: 'old@example.com' })).code).toBe(111102)
    const code = { memberCode: member.memberCode }
    expect((await find({ countryCode: '886', mobile: '912300001' })).data).toMatchObject(code)
    expect((await find({ email: 'new@example.com' })).data).toMatchObject(code)
    // Another member may have the old value afterwards.
    expect((await anybody({ countryCode: '852', mobile: '51120001' })).memberCode).not.toBe(
      member.memberCode,
    )
  })

  test('in another spelling is unchanged', async () => {
    const member = await anybody({ email: 'same@example.com' })
    const after = await changed(member, { email: 'Same@Example.com' })
    expect(after.email).toBe('Same@Example.com')
    expect((await find({ email: 'same@example.com' })).code).toBe(0)
  })

  test('of another member is refused, and nothing changes', async () => {
    const other = await anybody({ mobile: '51130001', email: 'theirs@example.com' })
    const member = await anybody({ mobile: '51130002', email: 'mine@example.com' })
    for (const [changes, field] of [
      [{ countryCode: '852', mobile: '51130001' }, 'mobile'],
      [{ email: 'THEIRS@example.com', firstName: 'May' }, 'email'],
    ] as const) {
      expect(await change(member, changes)).toMatchObject({ code: 111103, data: { field } })
    }
    expect((await find({ code: member.memberCode })).data).toEqual(member)
    expect((await find({ code: other.memberCode })).data).toEqual(other)
  })

  test('requested by two members at once goes to one', async () => {
    const members = await Promise.all([anybody(), anybody(), anybody(), anybody()])
    const answers = await Promise.all(
      members.map((member) => change(member, { countryCode: '852', mobile: '51140001' })),
    )
    const codes = answers.map(({ code }) => code).sort((a, b) => a - b)
    expect(codes).toEqual([0, 111103, 111103, 111103])
  })
})

describe('with masked contacts', () => {
  let shy: TestCompany
  let clerk: string
  beforeAll(async () => {
    shy = await testCompany({
      maskContacts: true,
      profileFields: { shown: [], editable },
      register: testRegister,
    })
    clerk = await logIn(shy, 'amy')
  })
  afterAll(() => shy.close())

  test('they are masked, are revealed one by one, and stay unchanged when sent back', async () => {
    const joined = memberIn(
      await signUp(shy, clerk, { mobile: '51150001', email: 'mei.chan@example.com' }),
    )
    const { memberCode } = joined
    const masks = { countryCode: '852', mobile: '••••0001', email: 'm•••@example.com' }
    expect(joined).toMatchObject(masks)
    const found = await ok(shy, getOneCustomer, { code: memberCode }, { token: clerk })
    expect(found).toMatchObject(masks)
    const viewer = await logIn(shy, 'ben')
    const revealed = async (field: string) =>
      (await ok(shy, revealContact, { memberCode, field }, { token: viewer })).value
    expect([await revealed('mobile'), await revealed('email')]).toEqual([
      '51150001',
      'mei.chan@example.com',
    ])
    expect(await auditsOf(shy, joined, 'member.reveal')).toEqual([
      { details: { field: 'mobile' } },
      { details: { field: 'email' } },
    ])
    const changes = { ...masks, firstName: 'May' }
    const input = { memberCode, version: 1, changes }
    const after = memberIn(await call(shy, updateCustomer, input, { token: clerk }))
    expect(after).toMatchObject({ ...masks, firstName: 'May', version: 2 })
    expect([await revealed('mobile'), await revealed('email')]).toEqual([
      '51150001',
      'mei.chan@example.com',
    ])
  })
})
