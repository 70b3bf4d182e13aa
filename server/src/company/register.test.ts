import { getCustomRegisterConfig, listStores } from '@tillside/contract/company'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testRegister } from '../testing/factories/register-form.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany({
    profileFields: { shown: [], editable: ['firstName', 'birthday', 'email', 'petName'] },
    register: { ...testRegister, verification: { mobile: true, email: false } },
    terms: {
      version: '7',
      titles: { 'en-US': 'Terms', 'zh-HK': '條款' },
      bodies: { 'en-US': '# Be kind', 'zh-HK': '# 待人以善' },
      url: 'https://example.com/terms',
    },
  })
  token = await logIn(company)
})
afterAll(() => company.close())

const config = (language = 'en-US') => ok(company, getCustomRegisterConfig, {}, { token, language })

describe('the register form', () => {
  test('has the fields in the order of the company’s file, each with its rules', async () => {
    const { fields } = await config()
    expect(fields.map(({ name, type, order }) => [order, name, type])).toEqual(
      testRegister.fields.map(({ name, type }, index) => [index + 1, name, type]),
    )
    expect(fields.find(({ name }) => name === 'locker')).toEqual({
      name: 'locker',
      label: 'locker',
      type: 'text',
      required: false,
      editable: false,
      order: 9,
      options: [],
      maxLength: null,
      minSelections: null,
      pattern: '[A-Z]\\d{2}',
    })
  })

  test('marks a field as editable when both the profile and the form allow it', async () => {
    const { fields } = await config()
    const editable = fields.filter((field) => field.editable).map(({ name }) => name)
    expect(editable).toEqual(['firstName', 'email', 'petName'])
  })

  test('is in the caller’s language, and so are the terms', async () => {
    const { fields, tnc, verification } = await config('zh-HK')
    expect(fields.find(({ name }) => name === 'size')).toMatchObject({
      label: 'size（港）',
      options: [
        { code: 'S', name: 'S（港）' },
        { code: 'L', name: 'L（港）' },
      ],
    })
    expect(tnc).toEqual({
      version: '7',
      title: '條款',
      url: 'https://example.com/terms',
      body: '# 待人以善',
    })
    expect(verification).toEqual({ mobile: true, email: false })
  })

  test('needs the permission to register or to edit', async () => {
    for (const [account, code] of [
      ['dan', 10000],
      ['ben', 10000],
      ['amy', 0],
    ] as const) {
      const answer = await call(
        company,
        getCustomRegisterConfig,
        {},
        { token: await logIn(company, account) },
      )
      expect([account, answer.code]).toEqual([account, code])
    }
  })
})

test('the list of stores is ordered by name and includes closed ones', async () => {
  expect(await ok(company, listStores, {}, { token })).toEqual({
    items: [
      { code: 'S9', name: 'Closed Store' },
      { code: 'S1', name: 'Harbour City' },
      { code: 'S2', name: 'Times Square' },
    ],
  })
})
