import { createCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { signUp, memberIn, refusedFields, newForm } from '../testing/factories/registration.ts'

// Real input of customers and clerks.
let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const normal = (text: string) => text.normalize('NFC').trim()
const ofLength = (length: number) => `${'m'.repeat(length - '@example.com'.length)}@example.com`

describe('a name', () => {
  const names: [string, string][] = [
    ['one Han character', '王'],
    ['fifty', '艾'.repeat(50)],
    ['fifty beyond the first plane', '𠮷'.repeat(50)],
    ['an emoji of many', '👨‍👩‍👧‍👦 Family'],
    ['right to left', 'محمد بن سلمان'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['combining marks', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'],
    ['Thai', 'ณัฐวุฒิ'],
    ['an apostrophe, a hyphen, a dot', "d'Arc-O’Neill Jr."],
    ['markup', '<b>Mei</b>'],
    ['a quote and a backslash', String.raw`Mei "M\" Chan`],
  ]
  test.each(names)('of %s is stored exactly', async (_what, name) => {
    const member = memberIn(await signUp(company, token, { firstName: name, lastName: name }))
    expect([member.firstName, member.lastName]).toEqual([normal(name), normal(name)])
  })

  test('in decomposed form is stored composed', async () => {
    const { firstName } = memberIn(await signUp(company, token, { firstName: 'Zoe\u0308' }))
    expect(firstName).toBe('Zo\u00eb')
  })

  test.each([
    ['of fifty-one characters', '艾'.repeat(51), 'tooLong'],
    ['of fifty-one beyond the first plane', '𠮷'.repeat(51), 'tooLong'],
    ['of spaces', '   ', 'required'],
    ['with a change of direction', 'Mei\u202eChan', 'text'],
    ['with a lone surrogate', 'Mei\ud800', 'text'],
    ['of two lines', 'Mei\nChan', 'text'],
    ['with a zero-width space', 'Mei\u200bChan', 'text'],
    ['with a zero-width space at its end', 'Mei\u200b', 'text'],
    ['with a joiner between letters', 'Mei\u200dChan', 'text'],
    ['with a joiner after an emoji', '👩\u200dMei', 'text'],
    ['with a soft hyphen', 'Mei\u00adChan', 'text'],
    ['with a Hangul filler', 'Mei\u3164Chan', 'text'],
    ['with a mark of direction', 'Mei\u200fChan', 'text'],
    ['with invisible tags', 'Mei\u{e0041}', 'text'],
  ])('%s is refused', async (_what, firstName, reason) => {
    expect(refusedFields(await signUp(company, token, { firstName }))).toEqual([
      `firstName:${reason}`,
    ])
  })
})

describe('a number', () => {
  test.each([
    ['possible and not valid', '852', '11112222'],
    ['of Taiwan under the code of Hong Kong', '852', '912345678'],
    ['of Hong Kong under the code of the USA', '1', '51234567'],
    ['of an unknown American area code', '1', '1234567890'],
    ['of an unknown country', '999', '51234567'],
    ['too short', '852', '5123456'],
    ['too long', '852', '512345678'],
  ])('%s is refused', async (_what, countryCode, mobile) => {
    const answer = await signUp(company, token, { countryCode, mobile })
    expect(refusedFields(answer)).toEqual(['mobile:format'])
  })

  test.each([
    ['852', '５１２３４５６７', '51234567'],
    ['８６', '１３９１２３４５６７８', '13912345678'],
    ['886', '0912345678', '912345678'],
    ['1', '2015550123', '2015550123'],
    ['853', '66123456', '66123456'],
  ])('+%s %s is %s', async (countryCode, mobile, kept) => {
    expect(memberIn(await signUp(company, token, { countryCode, mobile })).mobile).toBe(kept)
  })
})

describe('an e-mail address', () => {
  test.each([
    ['254 characters', ofLength(254), null],
    ['255 characters', ofLength(255), 'tooLong'],
    ['two ats', 'a@b@example.com', 'format'],
    ['no domain', 'a@example', 'format'],
    ['a space', 'a b@example.com', 'format'],
    ['a mask', 'm•••@example.com', 'format'],
    ['a plus and a new domain', 'mei+shop@example.coffee', null],
    ['letters of another script', '用户@例子.广告', null],
  ])('of %s', async (_what, email, reason) => {
    const answer = await signUp(company, token, { email })
    if (reason === null) expect(memberIn(answer).email).toBe(email)
    else expect(refusedFields(answer)).toEqual([`email:${reason}`])
  })
})

test('a body of sixty thousand letters is refused, and no member is created', async () => {
  const input = { ...newForm(), petName: 'x'.repeat(60_000) }
  expect(refusedFields(await call(company, createCustomer, input, { token }))).toEqual([
    'petName:tooLong',
  ])
})
