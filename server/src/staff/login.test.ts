import { login, logout } from '@tillside/contract/auth'
import { getPermission, getSupportedLanguages, setLanguage } from '@tillside/contract/company'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { changeBySql } from '../testing/cluster/lane.ts'
import {
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const attempt = (
  account: string,
  secret = password,
  identifier = company.identifier,
  language = 'en-US',
) => call(company, login, { identifier, account, password: secret }, { language })

describe('logging in', () => {
  test('returns the clerk, the store and the expiry', async () => {
    const before = Math.floor(Date.now() / 1000)
    const info = await ok(company, login, {
      identifier: company.identifier,
      account: 'amy',
      password,
    })
    expect(info).toMatchObject({
      staff: { account: 'amy', firstName: 'amy', lastName: 'Test' },
      store: { code: 'S1', name: 'Harbour City' },
    })
    expect(info.expiresAt).toBeGreaterThanOrEqual(before + 12 * 3600 - 1)
    expect(info.expiresAt).toBeLessThanOrEqual(before + 12 * 3600 + 60)
    expect(Buffer.from(info.token, 'base64url')).toHaveLength(64)
  })

  test('accepts the account and the identifier in upper and lower case', async () => {
    const answer = await attempt(' AMY ', password, company.identifier.toUpperCase())
    expect(answer.code).toBe(0)
  })

  test('stores the token’s hash only', async () => {
    const token = await logIn(company)
    const all = statement(
      'select encode(token_hash, $1) as hash from session',
      z.object({ hash: z.string() }),
    )
    const rows = await company.database.transaction(company.id, (tx) => tx.all(all, ['base64']))
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('base64'))
  })

  test.each([
    [
      'an unknown identifier',
      'amy',
      password,
      'no-such-company',
      104001,
      'Not found Business identifier',
    ],
    ['an unknown account', 'nobody', password, undefined, 103001, 'the account does not exist'],
    [
      'a wrong password',
      'ben',
      'Wrong#2026',
      undefined,
      103003,
      'please type the correct password',
    ],
    [
      'an inactive store',
      'cleo',
      password,
      undefined,
      103002,
      'the store is inactive, unable to log in',
    ],
  ])('refuses %s', async (_case, account, secret, identifier, code, message) => {
    const answer = await attempt(account, secret, identifier)
    expect(answer).toMatchObject({ status: 200, code, message, data: null })
  })

  test('does not reveal an inactive store when the password is wrong', async () => {
    expect((await attempt('cleo', 'Wrong#2026')).code).toBe(103003)
  })

  test('refuses in the portal’s language', async () => {
    const answer = await attempt('nobody', password, company.identifier, 'zh-HK')
    expect(answer.message).toBe('帳戶不存在')
  })
})

describe('too many wrong attempts', () => {
  test('exactly ten of thirty at once are checked', async () => {
    const busy = await testCompany()
    const input = { identifier: busy.identifier, account: 'dan', password: 'Wrong#2026' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => call(busy, login, input)))
    const codes = answers.map((answer) => answer.code)
    expect(codes.filter((code) => code === 103003)).toHaveLength(10)
    expect(codes.filter((code) => code === 103005)).toHaveLength(20)
    const refused = await call(busy, login, { ...input, password })
    expect(refused).toMatchObject({ code: 103005 })
    const { retryAfter } = z.object({ retryAfter: z.int() }).parse(refused.data)
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    // An account of the same name in another company is not affected.
    expect((await attempt('dan')).code).toBe(0)
    await busy.close()
  })

  test('no longer count after the correct password', async () => {
    for (let n = 0; n < 9; n++) await attempt('amy', 'Wrong#2026')
    expect((await attempt('amy')).code).toBe(0)
    for (let n = 0; n < 9; n++) expect((await attempt('amy', 'Wrong#2026')).code).toBe(103003)
    expect((await attempt('amy')).code).toBe(0)
  })
})

const run = (sql: string) => changeBySql(company, sql)

describe('a session', () => {
  test('ends with logout at once', async () => {
    const token = await logIn(company)
    await ok(company, logout, {}, { token })
    const answer = await call(company, getSupportedLanguages, {}, { token, language: 'zh-TW' })
    expect(answer).toMatchObject({ status: 401, code: 401, message: '登入逾時，請先登入' })
    expect(z.object({ requestId: z.uuid() }).safeParse(answer.data).success).toBe(true)
  })

  test.each([
    [
      'its account is disabled',
      `update staff set disabled_at = now() where account = 'ben'`,
      `update staff set disabled_at = null`,
    ],
    [
      'its store is closed',
      `update store set active = false where store_code = 'S1'`,
      `update store set active = true where store_code = 'S1'`,
    ],
  ])('ends when %s', async (_case, change, back) => {
    const token = await logIn(company, 'ben')
    expect((await call(company, getSupportedLanguages, {}, { token })).code).toBe(0)
    await run(change)
    expect((await call(company, getSupportedLanguages, {}, { token })).status).toBe(401)
    await run(back)
  })

  test('ends when it expires', async () => {
    const token = await logIn(company, 'ben')
    expect((await call(company, getSupportedLanguages, {}, { token })).code).toBe(0)
    await run(`update session set expires_at = now() - interval '1 second'`)
    expect((await call(company, getSupportedLanguages, {}, { token })).status).toBe(401)
  })

  test.each([
    ['missing', undefined],
    ['malformed', 'abc'],
    ['of the right form but unknown', Buffer.alloc(64, 7).toString('base64url')],
  ])('is needed: a token that is %s is refused', async (_case, token) => {
    const answer = await call(company, getPermission, {}, token === undefined ? {} : { token })
    expect(answer).toMatchObject({ status: 401, code: 401 })
  })
})

test('the clerk’s language is stored, if the company has it', async () => {
  const token = await logIn(company)
  expect(await ok(company, setLanguage, { language: 'zh-HK' }, { token })).toBeNull()
  const refused = await call(company, setLanguage, { language: 'zh-CN' }, { token })
  expect(refused).toMatchObject({ code: 105001, message: 'This language is not supported.' })
})
