import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { getDictionary } from '@tillside/contract/company'
import { failures } from '@tillside/contract/wire/failures'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { Problem } from '@tillside/contract/integration/problems'
import { postMembers } from '@tillside/contract/integration/members'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { createCustomer, updateCustomer } from '@tillside/contract/member'
import { redeemPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallTargets, callTargets, validInputs } from '../testing/hostile/calls.ts'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testKey } from '../testing/factories/key.ts'
import { requestHead, openRawSocket } from '../testing/hostile/socket.ts'

// Bodies that cost more to read than to send. They are refused before or after they are read, with
// a small answer and without any change.
let company: TestCompany
let things: CallTargets
let authorization: string
let till: string
let port: number
beforeAll(async () => {
  company = await testCompany()
  things = await callTargets(company)
  authorization = `Bearer ${await logIn(company)}`
  till = `Bearer ${(await testKey(company)).key}`
  port = Number(new URL(await company.app.listen({ port: 0 })).port)
})
afterAll(() => company.close())

const posts = Object.entries<Endpoint>(endpoints).filter(([, e]) => e.method === 'POST')
const url = (endpoint: { path: string }) => basePath + endpoint.path
const tillUrl = (endpoint: { path: string }) => integrationBase + endpoint.path

const deep = (open: string, close: string, levels: number) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`
/** The members of an object. An object of a million keys would take a second to build. */
const members = (count: number) =>
  Array.from({ length: count }, (_, n) => `"k${n.toString(36)}":0`).join()
const keys = (count: number) => `{${members(count)}}`

/** The answer to a till, as an envelope. */
function envelopeOf(status: number, body: unknown): Envelope {
  if (status < 400) return { code: 0, message: '', data: body }
  const { detail: message, errors = [] } = Problem.parse(body)
  const fields = errors.map(({ path, code, detail }) => ({ path, reason: code, message: detail }))
  return { code: status, message, data: { fields } }
}

/** Posts raw bytes. */
async function send(to: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  const response = await company.app.inject({
    method: 'POST',
    url: to,
    headers: {
      'content-type': 'application/json',
      authorization: to.startsWith(basePath) ? authorization : till,
      'idempotency-key': crypto.randomUUID(),
      ...headers,
    },
    payload,
  })
  const size = response.rawPayload.length
  const told = to.startsWith(basePath)
    ? Envelope.parse(response.json())
    : envelopeOf(response.statusCode, response.json())
  return { status: response.statusCode, size, ...told }
}

describe('a body that is too large is refused before it has arrived', () => {
  const cases = [
    ['1 MB', url(getDictionary), 1024 * 1024],
    ['100 MB', url(getDictionary), 100 * 1024 * 1024],
    ['100 MB, of a till', tillUrl(postTransactions), 100 * 1024 * 1024],
  ] as const
  test.each(cases)('%s, with its content-length', async (_size, path, bytes) => {
    const { status, closed, socket } = openRawSocket(
      port,
      requestHead(path, { 'content-length': String(bytes), authorization: till }),
    )
    expect(await status).toBe(413)
    socket.destroy()
    await closed
  })

  test.each([
    ['a clerk', url(getDictionary), 64 * 1024],
    ['a till', tillUrl(postTransactions), 8 * 1024 * 1024],
  ] as const)('sent in pieces without an end, by %s', async (_who, path, limit) => {
    const { status, closed, socket } = openRawSocket(
      port,
      requestHead(path, { 'transfer-encoding': 'chunked', authorization: till }),
    )
    const piece = `10000\r\n${' '.repeat(0x10000)}\r\n`
    // One chunk more than the limit, without an end.
    for (let n = 0; n <= limit / 0x10000; n++) socket.write(piece)
    expect(await status).toBe(413)
    socket.destroy()
    await closed
  })

  test.each(['content-length: 8000000', 'transfer-encoding: chunked'])(
    'of a till without a key, whatever its size is said to be: %s',
    async (line) => {
      const [name = '', value = ''] = line.split(': ')
      const bad = till.replace(/.{9}$/, 'AAAAAAAAA')
      for (const key of ['', 'Bearer nothing', bad]) {
        const path = tillUrl(postTransactions)
        const { status, closed, socket } = openRawSocket(
          port,
          requestHead(path, { [name]: value, authorization: key }),
        )
        expect(await status).toBe(401)
        socket.destroy()
        await closed
      }
    },
  )

  test('and other clients are served meanwhile and afterwards', async () => {
    const answer = await send(url(getDictionary), '{"types":["gender"]}')
    expect(answer).toMatchObject({ status: 200, code: 0 })
  })
})

describe('a hundred thousand levels of nesting', () => {
  const shapes = [
    ['lists', '[', ']', 1],
    ['objects', '{"a":', '}', 5],
    ['objects named __proto__', '{"__proto__":', '}', 13],
  ] as const

  test.each(shapes)('%s: too large for a call', async (_what, open, close) => {
    const answer = await send(url(getDictionary), `{"types":${deep(open, close, 100_000)}}`)
    expect(answer.status).toBe(413)
  })

  // The deepest nesting that fits into a body, in a field of any type.
  test.each(shapes)(
    '%s: the deepest that fits breaks no call',
    async (_what, open, close, weight) => {
      const nest = deep(open, close, Math.floor(60_000 / (weight + 1)))
      const before = await contentsOf(company)
      for (const [name, endpoint] of posts) {
        const valid = JSON.stringify(
          Object.entries(validInputs(things)).find(([known]) => known === name)?.[1],
        )
        for (const body of [nest, `{"x":${nest}}`, valid.replace(/}$/, `,"petName":${nest}}`)]) {
          const answer = await send(url(endpoint), body.replace('{,', '{'))
          expect([name, answer.status, answer.code]).toEqual([name, 200, 422])
        }
      }
      expect(await contentsOf(company)).toEqual(before)
    },
  )

  test.each(shapes)('%s: breaks no till', async (_what, open, close) => {
    const nest = deep(open, close, 100_000)
    for (const endpoint of [postTransactions, postMembers]) {
      for (const body of [`{"items":[${nest}]}`, `{"items":${nest}}`, nest, `{"x":${nest}}`]) {
        const answer = await send(tillUrl(endpoint), body)
        expect(answer.status).toBe(400)
        expect(answer.size).toBeLessThan(10_000)
      }
    }
  })
})

describe('very many keys', () => {
  test('a million of them are too large for a call and for a till', async () => {
    const million = keys(1_000_000)
    expect((await send(url(getDictionary), million)).status).toBe(413)
    expect((await send(tillUrl(postMembers), million)).status).toBe(413)
  })

  test.each([
    ['a call', () => url(redeemPoints), 6_000],
    ['a form', () => url(createCustomer), 6_000],
    ['a till', () => tillUrl(postMembers), 100_000],
  ] as const)('as many as fit are named to %s up to a hundred', async (_who, to, count) => {
    const answer = await send(to(), keys(count))
    expect(answer.code).toBe(422)
    expect(failures.invalid.data.parse(answer.data).fields.length).toBeLessThanOrEqual(100)
    expect(answer.size).toBeLessThan(30_000)
  })

  test('in a member’s changes, and in an item of a till, as well', async () => {
    const { memberCode } = things
    const body = `{"memberCode":"${memberCode}","version":1,"changes":${keys(5_000)}}`
    const form = `{"firstName":"K","tncVersion":"2","marketingOptIn":false,${members(5_000)}}`
    for (const answer of [
      await send(url(updateCustomer), body),
      await send(url(createCustomer), form),
    ]) {
      expect(answer.code).toBe(422)
      expect(answer.size).toBeLessThan(30_000)
    }
    const member = `"memberCode":"K1","uniCustomerNo":"UK1","cardNumber":"CK1","firstName":"K"`
    const most = keys(100_000)
    for (const item of [most, `{${member},"customFields":${most}}`]) {
      const told = await send(tillUrl(postMembers), `{"items":[${item}]}`)
      expect(told).toMatchObject({ code: 0, data: { refused: 1 } })
      expect(told.size).toBeLessThan(30_000)
    }
  })
})

describe('a compressed body', () => {
  const bomb = Buffer.alloc(10_000_000, ' ')
  test.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
    ['zstd', Buffer.from('{"types":["gender"]}')],
    ['identity', Buffer.from('{"types":["gender"]}')],
  ])('is not unpacked: %s', async (encoding, payload) => {
    for (const to of [url(getDictionary), tillUrl(postTransactions)]) {
      expect((await send(to, payload, { 'content-encoding': encoding })).status).toBe(415)
    }
  })
})

describe('a content type with parameters', () => {
  const json = '{"types":["gender"]}'
  test.each([
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8; q=1',
    'APPLICATION/JSON',
    'application/json ; x="y; z"',
  ])('that is still JSON: %s', async (type) => {
    expect(await send(url(getDictionary), json, { 'content-type': type })).toMatchObject({
      code: 0,
    })
  })

  test.each([
    'application/jsonp',
    'application/json-patch+json',
    'application/json, text/plain',
    'text/plain; application/json',
    'text/plain;charset=application/json',
    'multipart/form-data; boundary=application/json',
    'application/x-www-form-urlencoded',
    '*/*',
    'json',
    '',
  ])('that is not: “%s”', async (type) => {
    const answer = await send(url(getDictionary), json, { 'content-type': type })
    expect([answer.status, answer.code]).toEqual([415, 415])
  })
})

test('the last of two equal keys counts, everywhere', async () => {
  const twice = `{"types":["nothing"],"types":["gender"]}`
  const answer = await send(url(getDictionary), twice)
  expect(answer).toMatchObject({ code: 0, data: { gender: expect.anything() } })
})

test('a prototype cannot be set from outside, however deep', async () => {
  const poison = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}']
  for (const bad of poison) {
    for (const body of [bad, `{"changes":${bad}}`, `{"address":${bad}}`, `{"a":[{"b":${bad}}]}`]) {
      for (const [, endpoint] of posts) expect((await send(url(endpoint), body)).status).toBe(200)
      for (const endpoint of [postTransactions, postMembers]) {
        expect((await send(tillUrl(endpoint), `{"items":[${body}]}`)).status).toBe(400)
      }
    }
  }
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(Reflect.get([], 'polluted')).toBeUndefined()
})
