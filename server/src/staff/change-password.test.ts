import { changePassword, login } from '@tillside/contract/auth'
import { getSupportedLanguages, setLanguage } from '@tillside/contract/company'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  call,
  logIn,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers } from '../testing/servers/two.ts'
import { forgetAttempts, testClerk } from '../testing/factories/staff.ts'

let company: TestCompany
let account: string
let token: string
let clerks = 0
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())
const newClerk = async (): Promise<void> => {
  clerks += 1
  account = `clerk.no.${clerks}`
  token = await testClerk(company, account)
  await forgetAttempts(company)
}

const fresh = 'Teapot#2026'
const change = (changes: Record<string, string> = {}, language = 'en-US') => {
  const input = { originPassword: password, newPassword: fresh, confirm_password: fresh }
  return call(company, changePassword, { ...input, ...changes }, { token, language })
}
const enter = (secret: string) =>
  call(company, login, { identifier: company.identifier, account, password: secret })
const alive = async (of: string) =>
  (await call(company, getSupportedLanguages, {}, { token: of })).status === 200

const bearer = (of: string) => ({ authorization: `Bearer ${of}` })

describe('a new password', () => {
  test('replaces the old one and ends all sessions, in the clerk’s language', async () => {
    await newClerk()
    const elsewhere = await logIn(company, account)
    expect(await change({}, 'zh-HK')).toEqual({
      status: 200,
      code: 0,
      message: '密碼已更改，請重新登入。',
      data: null,
    })
    expect([await alive(token), await alive(elsewhere)]).toEqual([false, false])
    expect((await enter(password)).code).toBe(103003)
    expect((await enter(fresh)).code).toBe(0)
  })

  test('does not end other staff’s sessions', async () => {
    await newClerk()
    const amy = await logIn(company)
    await change()
    expect(await alive(amy)).toBe(true)
  })

  test.each([
    ['short', 'short#7'],
    ['long', 'seventeen#chars#1'],
    ['with a space', 'with space1'],
    ['with a space of another script', 'with\u3000space'],
    ['with a zero-width space', 'zero\u200bwidth'],
    ['with a control character', 'bell\u0007bell#1'],
  ])('that is %s is refused at its field', async (_case, secret) => {
    await newClerk()
    const answer = await change({ newPassword: secret, confirm_password: secret })
    expect(answer).toMatchObject({
      code: 422,
      data: {
        fields: [
          {
            path: 'newPassword',
            reason: 'newPassword',
            message: 'new password format is not correct',
          },
        ],
      },
    })
    expect([await alive(token), (await enter(password)).code]).toEqual([true, 0])
  })

  test.each([
    ['common', 'Password123'],
    ['a keyboard pattern', '1QAZ2wsx'],
    ['common in full-width letters', 'Ｐａｓｓｗｏｒｄ１２３'],
    ['a common word and a year', 'Dragon#2026'],
    ['the product and a year', 'Tillside2026'],
    ['the store', 'HarbourCity#1'],
    ['the company', 'TestCompany26'],
    ['the company in Chinese', 'TestCompany（港）'],
    ['the account', 'CLERK.NO.'],
  ])('that is %s is refused as too common, in four languages', async (what, secret) => {
    await newClerk()
    const typed = what === 'the account' ? account.toUpperCase() : secret
    const again = { newPassword: typed, confirm_password: typed }
    for (const [language, message] of [
      ['en-US', 'new password format is not correct: this password is too common'],
      ['zh-CN', '新密码格式不正确：这个密码太常见'],
      ['zh-HK', '新密碼格式不正確：這個密碼太常見'],
      ['zh-TW', '新密碼格式不正確：這組密碼太常見'],
    ] as const) {
      const field = { path: 'newPassword', reason: 'commonPassword', message }
      expect(await change(again, language)).toMatchObject({ code: 422, data: { fields: [field] } })
    }
    expect([await alive(token), (await enter(password)).code]).toEqual([true, 0])
  })

  test('whose confirmation differs is refused at the confirmation', async () => {
    await newClerk()
    expect(await change({ confirm_password: 'Teapot#2027' })).toMatchObject({
      code: 422,
      data: {
        fields: [
          {
            path: 'confirm_password',
            message: 'new password and password confirmation do not match',
          },
        ],
      },
    })
  })

  test('may be in any script', async () => {
    await newClerk()
    const secret = '一二三四五六七八🫖'
    expect((await change({ newPassword: secret, confirm_password: secret })).code).toBe(0)
    expect((await enter(secret)).code).toBe(0)
  })
})

describe('a wrong old password', () => {
  test('is refused, and changes nothing', async () => {
    await newClerk()
    expect(await change({ originPassword: 'Wrong#2026' })).toMatchObject({
      code: 103003,
      message: 'please type the correct password',
    })
    expect([await alive(token), (await enter(password)).code]).toEqual([true, 0])
  })

  test('counts together with wrong login attempts', async () => {
    await newClerk()
    for (let n = 0; n < 5; n++) await enter('Wrong#2026')
    for (let n = 0; n < 5; n++) {
      expect((await change({ originPassword: 'Wrong#2026' })).code).toBe(103003)
    }
    const refused = await change()
    expect(refused.code).toBe(103005)
    const { retryAfter } = z.object({ retryAfter: z.int() }).parse(refused.data)
    expect(retryAfter).toBeLessThanOrEqual(15 * 60)
    expect((await enter(password)).code).toBe(103005)
    // The session itself stays valid.
    expect((await call(company, setLanguage, { language: 'zh-HK' }, { token })).code).toBe(0)
  })

  test('is checked only ten times of thirty at once', async () => {
    await newClerk()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => change({ originPassword: 'Wrong#2026' })),
    )
    expect(answers.filter(({ code }) => code === 103003)).toHaveLength(10)
    expect(answers.filter(({ code }) => code === 103005)).toHaveLength(20)
  })

  test('no longer counts after the correct one', async () => {
    await newClerk()
    for (let n = 0; n < 9; n++) await change({ originPassword: 'Wrong#2026' })
    expect((await change()).code).toBe(0)
    for (let n = 0; n < 9; n++) expect((await enter('Wrong#2026')).code).toBe(103003)
    expect((await enter(fresh)).code).toBe(0)
  })
})

describe('two server processes', () => {
  let addresses: string[]
  beforeAll(async () => {
    addresses = await twoServers()
  })

  test('end the sessions at once, including those opened at the same moment', async () => {
    const [one = '', two = ''] = addresses
    const input = { originPassword: password, newPassword: fresh, confirm_password: fresh }
    for (let round = 0; round < 5; round++) {
      await newClerk()
      const secret = { identifier: company.identifier, account, password }
      const [changed, ...logins] = await Promise.all([
        post(one, changePassword, input, bearer(token)),
        ...Array.from({ length: 6 }, (_, n) => post(n % 2 === 0 ? two : one, login, secret)),
      ])
      expect(changed.code).toBe(0)
      const held = logins.flatMap(({ code, data }) =>
        code === 0 ? [z.object({ token: z.string() }).parse(data).token] : [],
      )
      for (const of of [token, ...held]) {
        const answer = await post(two, setLanguage, { language: 'en-US' }, bearer(of))
        expect(answer.status).toBe(401)
      }
    }
  })

  test('accept one of two concurrent changes', async () => {
    const [one = '', two = ''] = addresses
    await newClerk()
    const wishes = ['Teapot#2026', 'Kettle#2026']
    const answers = await Promise.all(
      wishes.map((wish, n) => {
        const input = { originPassword: password, newPassword: wish, confirm_password: wish }
        return post(n === 0 ? one : two, changePassword, input, bearer(token))
      }),
    )
    const won = answers.findIndex(({ code }) => code === 0)
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect((await enter(wishes[won] ?? '')).code).toBe(0)
  })
})

/** @returns the processor time of a refused login, in µs */
async function workOf(name: string): Promise<number> {
  const began = process.cpuUsage()
  const { identifier } = company
  await call(company, login, { identifier, account: name, password: 'Wrong#2026' })
  const { user, system } = process.cpuUsage(began)
  return user + system
}

test('an unknown account costs as much work as a wrong password', async () => {
  await newClerk()
  // The account needs a hash with the costs of production, which its own change gives it.
  await change()
  const [known, unknown]: [number[], number[]] = [[], []]
  for (let n = 0; n < 5; n++) {
    known.push(await workOf(account))
    unknown.push(await workOf(`nobody-${n}`))
  }
  // Without the dummy hash it would take a tenth. The least of each has the least work of others.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 2)
})
