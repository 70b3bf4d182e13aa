import { randomBytes } from 'node:crypto'
import { changePassword, confirmPassword, login, noPasswordLogin } from '@tillside/contract/auth'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../../database/database.ts'
import { contentsOf } from '../../testing/contents.ts'
import {
  call,
  logIn,
  password,
  testCompany,
  type TestCompany,
} from '../../testing/factories/company.ts'
import { testClerk, testLink } from '../../testing/factories/staff.ts'
import { post, type ServerProcess, startServer } from '../../testing/servers/process.ts'
import { noCompany } from './address.ts'

// Attacks on the login, as an outsider makes them.
let company: TestCompany
let other: TestCompany
beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const fresh = () => randomBytes(4).toString('hex')
/** An address of its own for each test: attempts are counted for the whole database. */
const newAddress = () => `10.${[...randomBytes(3)].join('.')}`
let attacker: string
let shop: string
beforeEach(() => {
  attacker = newAddress()
  shop = newAddress()
})

/** New accounts, so that no other test has used their attempts. */
async function clerks(count: number, of = company): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `clerk-${n}-${fresh()}`)
  for (const name of names) await testClerk(of, name)
  return names
}

type From = { client: string; cookie?: string; at?: TestCompany }

async function enter(account: string, secret: string, { client, cookie, at = company }: From) {
  const response = await at.app.inject({
    method: 'POST',
    url: basePath + login.path,
    remoteAddress: client,
    headers: cookie === undefined ? {} : { cookie },
    payload: { identifier: at.identifier, account, password: secret },
  })
  const kept = response.headers['set-cookie']
  return {
    code: Envelope.parse(response.json()).code,
    cookie: typeof kept === 'string' ? kept : '',
  }
}

const wrong = async (account: string, from: From) => (await enter(account, 'Wrong#2026', from)).code
const right = async (account: string, from: From) => (await enter(account, password, from)).code
const among = (codes: readonly number[], code: number) => codes.filter((one) => one === code).length
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

/** Logs in on a new device. @returns its cookie */
async function deviceOf(account: string, client = shop): Promise<string> {
  const { code, cookie } = await enter(account, password, { client })
  expect(code).toBe(0)
  return cookie.split(';')[0] ?? ''
}

describe('one address', () => {
  test('gets fifty passwords checked, and locks no account for other addresses', async () => {
    const accounts = await clerks(8)
    const codes: number[] = []
    for (const account of accounts) {
      codes.push(...(await Promise.all(many(10, () => wrong(account, { client: attacker })))))
    }
    expect([among(codes, 103003), among(codes, 103005)]).toEqual([50, 30])
    for (const account of accounts) expect(await right(account, { client: shop })).toBe(0)
    expect(await right('amy', { client: attacker })).toBe(103005)
  })

  test('gets no more by naming several companies, or unknown accounts', async () => {
    const [mine = ''] = await clerks(1)
    const [theirs = ''] = await clerks(1, other)
    const codes: number[] = []
    for (let n = 0; n < 6; n++) codes.push(await wrong(mine, { client: attacker }))
    for (let n = 0; n < 6; n++) codes.push(await wrong(theirs, { client: attacker, at: other }))
    codes.push(...(await Promise.all(many(48, (n) => wrong(`nobody-${n}`, { client: attacker })))))
    expect([among(codes, 103003), among(codes, 103001), among(codes, 103005)]).toEqual([12, 38, 10])
    expect(await right(theirs, { client: attacker, at: other })).toBe(103005)
  })

  test('writes nothing once it is refused', async () => {
    const accounts = await clerks(6)
    for (const account of accounts) {
      await Promise.all(many(9, () => wrong(account, { client: attacker })))
    }
    const row = statement(
      `select concat(ctid, xmin, xmax, tries) as print from login_address
       where company_id = $1 and network = $2`,
      z.object({ print: z.string() }),
    )
    const prints = async () => [
      await contentsOf(company),
      await company.database.reading(noCompany, (tx) => tx.all(row, [noCompany, attacker])),
    ]
    const before = await prints()
    const codes = await Promise.all(
      many(20, (n) => wrong(accounts[n % 6] ?? '', { client: attacker })),
    )
    expect(among(codes, 103005)).toBe(20)
    expect(await wrong('never-seen-before', { client: attacker })).toBe(103005)
    expect(await prints()).toEqual(before)
  })

  test.each([
    ['of IPv6 is its first 64 bits', (net: string, n: number) => `2001:db8:${net}::${n + 1}`],
    ['is the same inside IPv6', (net: string, n: number) => `${n % 2 ? '::ffff:' : ''}10.${net}`],
  ])('%s', async (what, host) => {
    const [account = ''] = await clerks(1)
    const net = what.includes('first') ? `${fresh().slice(0, 4)}:1` : [...randomBytes(3)].join('.')
    const codes: number[] = []
    for (let n = 0; n < 12; n++) codes.push(await wrong(account, { client: host(net, n) }))
    expect([among(codes, 103003), among(codes, 103005)]).toEqual([10, 2])
    // Several networks would have used up the account for all others.
    expect(await right(account, { client: newAddress() })).toBe(0)
  })
})

describe('one account', () => {
  test('attacked from a hundred addresses gets ten passwords checked', async () => {
    const [account = ''] = await clerks(1)
    const codes = await Promise.all(many(100, () => wrong(account, { client: newAddress() })))
    expect([among(codes, 103003), among(codes, 103005)]).toEqual([10, 90])
  })

  test('attacked from anywhere still lets its owner in on a known device', async () => {
    const [account = '', colleague = ''] = await clerks(2)
    const cookie = await deviceOf(account)
    const another = await deviceOf(colleague)
    await Promise.all(many(30, () => wrong(account, { client: newAddress() })))
    expect(await right(account, { client: newAddress() })).toBe(103005)
    // A device that only a colleague has logged in on is a stranger's.
    expect(await right(account, { client: newAddress(), cookie: another })).toBe(103005)
    expect(await right(account, { client: newAddress(), cookie })).toBe(0)
  })
})

describe('a known device', () => {
  test('gets in although a stranger at its address is refused', async () => {
    const [account = '', victim = ''] = await clerks(2)
    const cookie = await deviceOf(account)
    await Promise.all(many(50, (n) => wrong(`nobody-${n}`, { client: shop })))
    expect(await right(account, { client: shop })).toBe(103005)
    expect(await right(account, { client: shop, cookie })).toBe(0)
    // It is known to its own accounts only.
    expect(await right(victim, { client: shop, cookie })).toBe(103005)
  })

  test('has ten attempts of its own, which are not those of strangers', async () => {
    const [account = ''] = await clerks(1)
    const cookie = await deviceOf(account)
    const codes = await Promise.all(many(20, () => wrong(account, { client: shop, cookie })))
    expect([among(codes, 103003), among(codes, 103005)]).toEqual([10, 10])
    expect(await right(account, { client: shop, cookie })).toBe(103005)
    expect(await right(account, { client: newAddress() })).toBe(0)
  })

  test('has all ten again after the correct password', async () => {
    const [account = ''] = await clerks(1)
    const cookie = await deviceOf(account)
    for (let round = 0; round < 2; round++) {
      await Promise.all(many(9, () => wrong(account, { client: shop, cookie })))
      expect(await right(account, { client: shop, cookie })).toBe(0)
    }
  })

  test('is one for several accounts', async () => {
    const [one = '', two = ''] = await clerks(2)
    const cookie = await deviceOf(one)
    expect((await enter(two, password, { client: shop, cookie })).cookie).toContain(cookie)
    for (const account of [one, two]) {
      await Promise.all(many(15, () => wrong(account, { client: newAddress() })))
      expect(await right(account, { client: newAddress(), cookie })).toBe(0)
    }
  })

  test('is also one that a link was used on', async () => {
    const [account = ''] = await clerks(1)
    const response = await company.app.inject({
      method: 'POST',
      url: basePath + noPasswordLogin.path,
      payload: { accessToken: await testLink(company, account) },
    })
    const cookie = String(response.headers['set-cookie']).split(';')[0] ?? ''
    await Promise.all(many(15, () => wrong(account, { client: newAddress() })))
    expect(await right(account, { client: newAddress(), cookie })).toBe(0)
  })

  test('is also one on which the password was confirmed, and has all ten again', async () => {
    const [account = ''] = await clerks(1)
    const token = await logIn(company, account)
    async function confirm(cookie?: string) {
      const response = await company.app.inject({
        method: 'POST',
        url: basePath + confirmPassword.path,
        remoteAddress: shop,
        headers: { authorization: `Bearer ${token}`, ...(cookie === undefined ? {} : { cookie }) },
        payload: { password },
      })
      expect(Envelope.parse(response.json()).code).toBe(0)
      return String(response.headers['set-cookie']).split(';')[0] ?? ''
    }
    // As when the row of the device was forgotten while its session went on.
    const cookie = await confirm()
    for (let round = 0; round < 2; round++) {
      await Promise.all(many(9, () => wrong(account, { client: shop, cookie })))
      expect(await confirm(cookie)).toBe(cookie)
    }
    await Promise.all(many(30, () => wrong(account, { client: newAddress() })))
    expect(await right(account, { client: newAddress() })).toBe(103005)
    expect(await right(account, { client: newAddress(), cookie })).toBe(0)
  })

  test('is forgotten with a new password, but for the one where it was changed', async () => {
    const [account = ''] = await clerks(1)
    const [here, elsewhere] = [await deviceOf(account), await deviceOf(account)]
    const newPassword = 'Teapot#2026'
    const input = { originPassword: password, newPassword, confirm_password: newPassword }
    const token = await logIn(company, account)
    const options = { token, client: shop, headers: { cookie: here } }
    expect((await call(company, changePassword, input, options)).code).toBe(0)
    await Promise.all(many(15, () => wrong(account, { client: newAddress() })))
    const after = async (cookie: string) =>
      (await enter(account, newPassword, { client: newAddress(), cookie })).code
    expect([await after(elsewhere), await after(here)]).toEqual([103005, 0])
  })

  test('has a cookie that scripts cannot read; only its hash is stored', async () => {
    const [account = ''] = await clerks(1)
    const { cookie } = await enter(account, password, { client: shop })
    expect(cookie).toMatch(
      /^tillside-device=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
    )
    const all = statement(
      'select d::text as row from login_device d where company_id = $1',
      z.object({ row: z.string() }),
    )
    const rows = await company.database.reading(company.id, (tx) => tx.all(all, [company.id]))
    const secret = Buffer.from(cookie.slice(16, 59), 'base64url')
    for (const { row } of rows) {
      expect(row).not.toContain(cookie.slice(16, 59))
      expect(row).not.toContain(secret.toString('hex'))
    }
  })
})

describe('two server processes', () => {
  let servers: ServerProcess[]
  beforeAll(() => {
    const environment = { DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'silent' }
    servers = many(2, () => startServer({ ...environment, TRUST_PROXY: '127.0.0.1' }))
  })
  afterAll(async () => {
    for (const server of servers) server.process.kill('SIGTERM')
    await Promise.all(servers.map((server) => server.ended))
  })

  test('count together: fifty of an address, ten of an account and of a device', async () => {
    const urls = await Promise.all(servers.map((server) => server.ready))
    const accounts = await clerks(12)
    const [attacked = '', ...rest] = accounts
    const cookie = await deviceOf(attacked)
    const secret = 'Wrong#2026'
    async function attack(account: string, n: number, client: string, headers = {}) {
      const input = { identifier: company.identifier, account, password: secret }
      const forwarded = { 'x-forwarded-for': client, ...headers }
      return (await post(urls[n % 2] ?? '', login, input, forwarded)).code
    }
    const ofAddress = await Promise.all(
      many(60, (n) => attack(rest[n % rest.length] ?? '', n, attacker)),
    )
    expect([among(ofAddress, 103003), among(ofAddress, 103005)]).toEqual([50, 10])
    const ofAccount = await Promise.all(many(20, (n) => attack(attacked, n, newAddress())))
    expect([among(ofAccount, 103003), among(ofAccount, 103005)]).toEqual([10, 10])
    const ofDevice = await Promise.all(many(20, (n) => attack(attacked, n, shop, { cookie })))
    expect([among(ofDevice, 103003), among(ofDevice, 103005)]).toEqual([10, 10])
  })
})
