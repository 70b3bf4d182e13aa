import { login } from '@tillside/contract/auth'
import { getDictionary } from '@tillside/contract/company'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { sendEmailCaptcha, validateEmailCaptcha } from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { requestHead, type RawSocket, openRawSocket } from '../testing/hostile/socket.ts'
import { atLevel } from '../testing/repetition.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { waitingCode } from '../testing/verification.ts'

// Attacks with many requests: held connections, guessed passwords, guessed codes. Other clients are
// still served.
const sockets = atLevel({ short: 20, full: 100, long: 100 })

let company: TestCompany
let token: string
let port: number
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  port = Number(new URL(await company.app.listen({ port: 0 })).port)
})
afterAll(() => company.close())

const path = basePath + getDictionary.path
/** A normal clerk on the same port. */
async function isServed(): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"types":["gender"]}',
  })
  return Envelope.parse(await response.json()).code === 0
}

/** Sends one byte after another until the server closes the connection. */
function drip({ socket, closed }: RawSocket): Promise<void> {
  const dripping = setInterval(() => socket.write('x'), 200)
  return closed.finally(() => clearInterval(dripping))
}

describe.concurrent('a client that sends too slowly', () => {
  test.each([
    ['a header', () => `POST ${path} HTTP/1.1\r\nhost: localhost\r\nx-long: `],
    [
      'a body',
      () => requestHead(path, { 'content-length': '60000', authorization: `Bearer ${token}` }),
    ],
    ['nothing at all', () => ''],
  ])(
    '%s: it is cut off, and other clients are served meanwhile',
    { timeout: 120_000 },
    async (what, words) => {
      const slow = Array.from({ length: sockets }, () => openRawSocket(port, words()))
      const ends = Promise.all(
        slow.map((one) => (what === 'nothing at all' ? one.closed : drip(one))),
      )
      for (let n = 0; n < 20; n++) expect(await isServed()).toBe(true)
      await ends
      const received = slow.map((one) => one.received())
      // If the server answers at all, it answers 408.
      expect(received.filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408 '))).toEqual(
        [],
      )
      expect(await isServed()).toBe(true)
    },
  )
})

test('bytes that are not HTTP get a short answer without the server’s name', async () => {
  for (const words of [
    '\r\n\r\nnonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    '\u0016\u0003\u0001\r\n',
  ]) {
    const raw = openRawSocket(port, words)
    expect(await raw.status).toBe(400)
    await raw.closed
    expect(raw.received()).not.toMatch(/fastify|node|server:|stack/i)
  }
})

/** A login attempt from an address. */
async function attempt(account: string, secret: string, remoteAddress: string): Promise<number> {
  const response = await company.app.inject({
    method: 'POST',
    url: basePath + login.path,
    remoteAddress,
    payload: { identifier: company.identifier, account, password: secret },
  })
  return Envelope.parse(response.json()).code
}
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const among = (codes: readonly number[], code: number) => codes.filter((c) => c === code).length

describe('passwords', () => {
  test('many correct ones at once are accepted or throttled, never refused as wrong', async () => {
    const storm = Promise.all(many(100, (n) => attempt('ben', password, `198.51.100.${n}`)))
    for (let n = 0; n < 10; n++) expect(await isServed()).toBe(true)
    const codes = await storm
    // Ten are checked at once; a correct one makes room for the next.
    expect(among(codes, 0) + among(codes, 103005)).toBe(100)
    expect(among(codes, 0)).toBeGreaterThan(9)
    expect(await attempt('ben', password, '198.51.100.200')).toBe(0)
  })

  test(
    'tried on thirty accounts from one address: only the address is throttled',
    { timeout: 120_000 },
    async () => {
      const accounts = many(30, (n) => `known-${n}`)
      for (const account of accounts) await testClerk(company, account)
      // Three passwords for each account from one address: below the limit of each account.
      const codes: number[] = []
      for (const secret of ['Summer#2026', 'Winter#2026', 'Tillside#1']) {
        codes.push(...(await Promise.all(accounts.map((a) => attempt(a, secret, '203.0.113.9')))))
      }
      expect(among(codes, 103003)).toBe(50)
      expect(among(codes, 103005)).toBe(40)
      expect(await attempt('known-1', password, '203.0.113.9')).toBe(103005)
      for (const account of accounts.slice(0, 5)) {
        expect(await attempt(account, password, '192.0.2.1')).toBe(0)
      }
    },
  )

  test('tried on one account from a hundred addresses: ten are checked', async () => {
    const codes = await Promise.all(many(100, (n) => attempt('dan', 'Wrong#2026', `192.0.2.${n}`)))
    expect(among(codes, 103003)).toBe(10)
    expect(among(codes, 103005)).toBe(90)
  })
})

test('a verification code allows five attempts; a new code does not add to them', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  await ok(company, sendEmailCaptcha, { email }, { token })
  const right = await waitingCode(company, email)
  const guess = (captcha: string) =>
    call(company, validateEmailCaptcha, { email, captcha }, { token })
  const wrong = Array.from({ length: 200 }, (_, n) => String((Number(right) + 1 + n) % 1_000_000))
  const answers = await Promise.all(wrong.map((captcha) => guess(captcha.padStart(6, '0'))))
  expect(answers.filter(({ code }) => code === 112001)).toHaveLength(5)
  expect(answers.filter(({ code }) => code === 112002)).toHaveLength(195)
  expect((await guess(right)).code).toBe(112002)
  expect((await call(company, sendEmailCaptcha, { email }, { token })).code).toBe(112003)
})
