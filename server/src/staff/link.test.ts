import { randomBytes } from 'node:crypto'
import { changePassword, noPasswordLogin } from '@tillside/contract/auth'
import { getSupportedLanguages, setLanguage } from '@tillside/contract/company'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { tillside } from '../testing/command.ts'
import {
  type Answer,
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { post, type ServerProcess, startServer } from '../testing/servers/process.ts'
import { testClerk, testLink } from '../testing/factories/staff.ts'
import { setDisabled } from './accounts.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const use = (accessToken: string, at: TestCompany = company) =>
  call(at, noPasswordLogin, { accessToken })
const run = (sql: string) =>
  company.database.transaction(company.id, (tx) =>
    tx.run(statement(sql, z.unknown()), [company.id]),
  )
async function disableAndEnable(account: string): Promise<undefined> {
  for (const disabled of [true, false]) {
    await company.database.transaction(company.id, (tx) =>
      setDisabled(tx, company.id, account, disabled),
    )
  }
}
async function changeOwn(account: string): Promise<undefined> {
  const token = await logIn(company, account)
  const [newPassword, originPassword] = ['Teapot#2026', password]
  const input = { originPassword, newPassword, confirm_password: newPassword }
  await ok(company, changePassword, input, { token })
}
async function setNewPassword(account: string): Promise<undefined> {
  const { code, stderr } = await tillside('staff', 'password', company.identifier, account)
  expect([code, stderr]).toEqual([0, ''])
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const linkInvalid = {
  status: 200,
  code: 103004,
  message: 'This link has been used or has expired. Please ask for a new one, or log in.',
  data: null,
}

describe('a link', () => {
  test('logs its account in, once', async () => {
    const link = await testLink(company, 'AMY')
    const info = await ok(company, noPasswordLogin, { accessToken: link })
    expect(info).toMatchObject({
      staff: { account: 'amy', firstName: 'amy', lastName: 'Test' },
      store: { code: 'S1', name: 'Harbour City' },
    })
    expect(info.expiresAt).toBeGreaterThan(Date.now() / 1000 + 11 * 3600)
    expect(info.token).not.toBe(link)
    await ok(company, getSupportedLanguages, {}, { token: info.token })
    expect(await use(link)).toEqual(linkInvalid)
  })

  test('is refused at another company’s address, and stays valid at its own', async () => {
    const other = await testCompany()
    const link = await testLink(company, 'amy')
    const at = (identifier: string) =>
      call(company, noPasswordLogin, { accessToken: link, identifier })
    expect(await at(other.identifier)).toEqual(linkInvalid)
    expect(await at('nobody-has-this')).toEqual(linkInvalid)
    expect(await at(company.identifier)).toMatchObject({ code: 0 })
    await other.close()
  })

  test('is not a session token, and a session token is not a link', async () => {
    const link = await testLink(company, 'amy')
    const answer = await call(company, getSupportedLanguages, {}, { token: link })
    expect(answer.status).toBe(401)
    expect(await use(await logIn(company))).toEqual(linkInvalid)
  })

  test('works for ten minutes at most', async () => {
    const link = await testLink(company, 'amy')
    const lives = statement(
      `select (extract(epoch from max(expires_at - created_at)))::int as seconds
       from access_link where company_id = $1`,
      z.object({ seconds: z.int() }),
    )
    const { seconds } = await company.database.reading(company.id, (tx) =>
      tx.one(lives, [company.id]),
    )
    expect(seconds).toBe(600)
    await expect(
      run(`update access_link set expires_at = now() + interval '601 seconds'
        where company_id = $1`),
    ).rejects.toThrow(/check constraint/)
    await run(`update access_link set expires_at = now() where company_id = $1`)
    expect(await use(link)).toEqual(linkInvalid)
  })

  test.each([
    ['of the wrong form', 'abc'],
    ['of the right form', Buffer.alloc(64, 5).toString('base64url')],
    ['with markup', '<script>'.repeat(20)],
  ])('that is unknown, %s, is refused', async (_case, token) => {
    expect(await use(token)).toEqual(linkInvalid)
  })

  test('that contains the company’s id but a guessed secret is refused', async () => {
    const link = Buffer.from(await testLink(company, 'amy'), 'base64url')
    const guessed = Buffer.concat([link.subarray(0, 32), Buffer.alloc(32, 1)])
    expect(await use(guessed.toString('base64url'))).toEqual(linkInvalid)
  })

  test.each([
    ['the account is disabled, also when it is enabled again', disableAndEnable],
    ['the clerk changes the password', changeOwn],
    ['an operator sets a password', setNewPassword],
    ['there is a new link', (account: string) => testLink(company, account)],
  ])('dies when %s', async (_case, change) => {
    const account = `eve-${randomBytes(4).toString('hex')}`
    await testClerk(company, account)
    const other = await testLink(company, 'amy')
    const link = await testLink(company, account)
    const newest = await change(account)
    expect(await use(link)).toEqual(linkInvalid)
    // Only the account's own links, and not the new one.
    expect((await use(other)).code).toBe(0)
    if (newest !== undefined) expect((await use(newest)).code).toBe(0)
  })

  test('of a disabled account cannot be created', async () => {
    await testClerk(company, 'eve')
    const { database, id } = company
    await database.transaction(id, (tx) => setDisabled(tx, id, 'eve', true))
    await expect(testLink(company, 'eve')).rejects.toThrow('the account "eve" is disabled')
  })

  test('of an account whose store closes is refused', async () => {
    const link = await testLink(company, 'ben')
    await run(`update store set active = false where company_id = $1 and store_code = 'S1'`)
    expect(await use(link)).toMatchObject({ code: 103002 })
    await run(`update store set active = true where company_id = $1 and store_code = 'S1'`)
    await expect(testLink(company, 'cleo')).rejects.toThrow('the store of "cleo" is inactive')
  })

  test('is stored as a hash', async () => {
    const link = await testLink(company, 'amy')
    const all = statement(
      `select l::text as row from access_link l where company_id = $1`,
      z.object({ row: z.string() }),
    )
    const rows = await company.database.reading(company.id, (tx) => tx.all(all, [company.id]))
    const secret = Buffer.from(link, 'base64url').subarray(32)
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) {
      expect(row).not.toContain(link)
      expect(row).not.toContain(secret.toString('hex'))
    }
  })
})

test('an address with too many attempts has to wait', async () => {
  const busy = await testCompany()
  const link = Buffer.from(await testLink(busy, 'amy'), 'base64url')
  const guess = () =>
    use(Buffer.concat([link.subarray(0, 33), Buffer.alloc(31, 1)]).toString('base64url'), busy)
  const answers: Answer[] = []
  // All of them wait for one row, and more than these at once could exceed a busy machine's limits.
  for (let n = 0; n < 7; n++) {
    answers.push(...(await Promise.all(Array.from({ length: 30 }, guess))))
  }
  expect(answers.filter(({ code }) => code === 103004)).toHaveLength(200)
  const refused = answers.find(({ code }) => code === 103005)
  expect(z.object({ retryAfter: z.int() }).parse(refused?.data).retryAfter).toBeGreaterThan(800)
  // Logging in with a password has a limit of its own.
  await logIn(busy)
  await busy.close()
})

describe('tillside link create', () => {
  test('prints a link that works, with the public URL', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://counter.example.com')
    const words = ['--staff', 'amy', '--company', company.identifier, '--minutes', '5', '--json']
    const { code, stdout } = await tillside('link', 'create', ...words)
    expect(code).toBe(0)
    const made = z.object({ url: z.url(), expiresAt: z.string() }).parse(JSON.parse(stdout))
    const url = new URL(made.url)
    expect(url.origin + url.pathname).toBe(
      `https://counter.example.com/${company.identifier}/login`,
    )
    const life = Date.parse(made.expiresAt) - Date.now()
    expect(life).toBeGreaterThan(4 * 60_000)
    expect(life).toBeLessThanOrEqual(5 * 60_000 + 1_000)
    expect((await use(url.searchParams.get('token') ?? '')).code).toBe(0)
  })

  test.each([
    [['--minutes', '11'], '--minutes must be a number from 1 to 10'],
    [['--minutes', '0'], '--minutes must be a number from 1 to 10'],
    [['--minutes', '1e1'], '--minutes must be a number from 1 to 10'],
    [['--staff', 'nobody'], 'there is no account "nobody"'],
    [['--staff', 'cleo'], 'the store of "cleo" is inactive'],
    [['--company', 'nowhere'], 'there is no company "nowhere"'],
  ])('refuses %s', async (words, message) => {
    const all = ['--staff', 'amy', '--company', company.identifier, ...words]
    const { code, stdout, stderr } = await tillside('link', 'create', ...all)
    expect([code, stdout, stderr]).toEqual([1, '', `${message}\n`])
  })
})

describe('two server processes', () => {
  let servers: ServerProcess[]
  beforeAll(async () => {
    const environment = { DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'trace' }
    servers = [startServer(environment), startServer(environment)]
    await Promise.all(servers.map((server) => server.ready))
  })

  test('let no link survive a password change at the same moment', async () => {
    const addresses = await Promise.all(servers.map((server) => server.ready))
    const [one = '', two = ''] = addresses
    for (let round = 0; round < 8; round++) {
      const account = `race-${round}`
      const token = await testClerk(company, account)
      const link = await testLink(company, account)
      const [newPassword, originPassword] = ['Teapot#2026', password]
      const input = { originPassword, newPassword, confirm_password: newPassword }
      const [changed, used] = await Promise.all([
        post(one, changePassword, input, bearer(token)),
        new Promise((wake) => setTimeout(wake, round * 8)).then(() =>
          post(two, noPasswordLogin, { accessToken: link }),
        ),
      ])
      expect(changed.code).toBe(0)
      expect([0, 103004]).toContain(used.code)
      const held = z.safeParse(z.object({ token: z.string() }), used.data).data?.token ?? token
      expect((await post(two, setLanguage, { language: 'en-US' }, bearer(held))).status).toBe(401)
      expect((await use(link)).code).toBe(103004)
    }
  })

  test('keep one of several links that are created at once', async () => {
    await testClerk(company, 'several')
    const links = await Promise.all(Array.from({ length: 5 }, () => testLink(company, 'several')))
    const answers: Answer[] = []
    for (const link of links) answers.push(await use(link))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })

  test('open one session for twenty concurrent uses, and do not log the link', async () => {
    const addresses = await Promise.all(servers.map((server) => server.ready))
    const link = await testLink(company, 'amy')
    const count = statement(
      'select count(*)::int as n from session where company_id = $1',
      z.object({ n: z.int() }),
    )
    const sessions = () =>
      company.database.reading(company.id, async (tx) => (await tx.one(count, [company.id])).n)
    const before = await sessions()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        post(addresses[n % 2] ?? '', noPasswordLogin, { accessToken: link }),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 103004)).toHaveLength(19)
    expect((await sessions()) - before).toBe(1)

    const [address = ''] = addresses
    const pages = ['login', 'index', 'member/home', '%E0%A4%A']
    for (const page of pages) {
      await fetch(`${address}/${company.identifier}/${page}?token=${link}&lang=zh-HK`)
    }
    await fetch(`${address}/web/api/v1/auth/noPasswordLogin?token=${link}`)
    for (const server of servers) server.process.kill('SIGTERM')
    const ended = await Promise.all(servers.map((server) => server.ended))
    for (const { stdout, stderr } of ended) {
      expect(stdout).toContain('/auth/noPasswordLogin')
      expect(stdout + stderr).not.toContain(link.slice(43))
    }
  })
})
