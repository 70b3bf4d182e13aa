import { getCustomTheme, getSupportedLanguages } from '@tillside/contract/company'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const theme = (xcrmIdentifier: unknown, language = 'en-US') =>
  call(company, getCustomTheme, { xcrmIdentifier }, { language })

const toldIn = async (language: string) => (await theme(company.identifier, language)).data

describe('the theme', () => {
  test('is public, before any login', async () => {
    const { identifier } = company
    const answer = await ok(company, getCustomTheme, { xcrmIdentifier: identifier })
    expect(answer).toEqual({
      identifier,
      logo: expect.stringMatching(new RegExp(`^/web/logo/${identifier}/[0-9a-f]{16}\\.svg$`)),
      name: 'Test Company',
      title: 'Test Counter',
      theme: { color: '#00704a' },
      language: 'en-US',
      languages: ['en-US', 'zh-HK'],
      layoutStyleConfig: {
        tierProgressStyle: 'displayNextTierOnly',
        transactionItemStyle: 'separateScreen',
      },
      practice: false,
    })
    const logo = await company.app.inject(answer.logo)
    expect(logo.statusCode).toBe(200)
    expect(logo.headers['content-type']).toBe('image/svg+xml')
    expect(logo.headers['cache-control']).toContain('immutable')
    // A logo is a picture; no script in it may run.
    expect(logo.headers['content-security-policy']).toContain("default-src 'none'")
    const stale = await company.app.inject(`/web/logo/${identifier}/0000000000000000.svg`)
    expect(stale.statusCode).toBe(404)
  })

  test('is in the browser’s language, if the company has it', async () => {
    expect(await toldIn('zh-HK')).toMatchObject({ name: 'Test Company（港）', language: 'en-US' })
    expect(await toldIn('zh-TW')).toMatchObject({ name: 'Test Company' })
    expect(await toldIn('fr-FR')).toMatchObject({ name: 'Test Company' })
  })

  test('is found under the identifier in any case', async () => {
    const answer = await theme(` ${company.identifier.toUpperCase()} `)
    expect(answer).toMatchObject({ code: 0, data: { identifier: company.identifier } })
  })

  test('of an unknown identifier is refused', async () => {
    expect(await theme('no-such-company')).toMatchObject({
      status: 200,
      code: 104001,
      message: 'Not found Business identifier',
      data: null,
    })
  })

  test.each(['login', 'index', 'identifier-set', 'web', 'LOGIN'])(
    '“%s” is never an identifier',
    async (segment) => {
      const answer = await theme(segment)
      expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'xcrmIdentifier' }] } })
    },
  )
})

test('the languages are the company’s, in its order', async () => {
  const token = await logIn(company)
  expect(await ok(company, getSupportedLanguages, {}, { token })).toEqual({
    languages: ['en-US', 'zh-HK'],
  })
  const other = await testCompany({
    languages: ['zh-TW', 'zh-CN', 'zh-HK', 'en-US'],
    names: Object.fromEntries(languages.map((language) => [language, 'Four'])),
  })
  const theirs = await ok(other, getSupportedLanguages, {}, { token: await logIn(other) })
  expect(theirs.languages).toEqual(['zh-TW', 'zh-CN', 'zh-HK', 'en-US'])
  await other.close()
})
