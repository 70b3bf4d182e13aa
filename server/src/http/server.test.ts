import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login } from '@tillside/contract/auth'
import { getDictionary } from '@tillside/contract/company'
import { redeemCoupon } from '@tillside/contract/coupon'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { Problem } from '@tillside/contract/integration/problems'
import { integrationEndpoints } from '@tillside/contract/integration/endpoints'
import { membershipInfo } from '@tillside/contract/member'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { statement } from '../database/database.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const json = { 'content-type': 'application/json' }
const url = basePath + getDictionary.path
async function answerTo(request: InjectOptions) {
  const authorization = `Bearer ${token}`
  const response = await company.app.inject({
    ...request,
    headers: { authorization, ...request.headers },
  })
  const { headers, statusCode: status } = response
  const problem = Problem.safeParse(response.json())
  if (problem.success) {
    const { status: code, requestId: id } = problem.data
    expect(headers['content-type']).toContain('application/problem+json')
    expect(headers['request-id']).toBe(id)
    return { headers, status, code, message: '', data: { requestId: id } }
  }
  return { headers, status, ...Envelope.parse(response.json()) }
}
const requestId = { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) }

describe('an HTTP error has the same envelope, with a request id', () => {
  test('a body over 64 KiB', async () => {
    const payload = JSON.stringify({ types: ['x'.repeat(64 * 1024)] })
    const answer = await answerTo({ method: 'POST', url, headers: json, payload })
    expect(answer).toMatchObject({ status: 413, code: 413, data: requestId })
  })

  test('a body just below that is read', async () => {
    const payload = JSON.stringify({ types: ['x'.repeat(63 * 1024)] })
    const answer = await answerTo({ method: 'POST', url, headers: json, payload })
    expect(answer).toMatchObject({ status: 200, code: 422 })
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json; x',
    'nonsense',
  ])('a body of %s', async (type) => {
    const headers = { 'content-type': type }
    const answer = await answerTo({ method: 'POST', url, headers, payload: '{"types":["gender"]}' })
    expect(answer).toMatchObject({ status: 415, code: 415, data: requestId })
  })

  test('JSON with a charset is JSON', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const answer = await answerTo({ method: 'POST', url, headers, payload: '{"types":["gender"]}' })
    expect(answer).toMatchObject({ status: 200, code: 0 })
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    'the method %s',
    async (method) => {
      const answer = await answerTo({ method, url })
      expect(answer).toMatchObject({ status: 405, code: 405, data: requestId })
      expect(answer.headers['allow']).toBe('POST')
    },
  )

  test.each([
    ['PUT', `${integrationBase}/members`, 'GET, HEAD, POST'],
    ['PUT', `${integrationBase}/transactions`, 'POST'],
    ['DELETE', `${integrationBase}/points`, 'POST'],
    ['POST', `${integrationBase}/members/M1`, 'GET, HEAD, PATCH'],
    ['POST', `${basePath}${membershipInfo.path}`, 'GET, HEAD'],
    ['POST', `${basePath}/openapi.json`, 'GET, HEAD'],
    ['DELETE', '/healthz', 'GET, HEAD'],
    ['POST', '/web/logo/aurora/logo.svg', 'GET, HEAD'],
  ] as const)('the method %s at %s', async (method, path, allow) => {
    const answer = await answerTo({ method, url: path })
    expect(answer).toMatchObject({ status: 405, code: 405, data: requestId })
    expect(answer.headers['allow']).toBe(allow)
  })

  test('any method that a call does not accept', async () => {
    for (const { method, path } of Object.values<Endpoint>(endpoints)) {
      const has = method === 'GET' ? ['GET', 'HEAD'] : ['POST']
      for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        if (has.includes(other)) continue
        const { status, headers } = await answerTo({ method: other, url: basePath + path })
        expect([other, path, status, headers['allow']]).toEqual([other, path, 405, has.join(', ')])
      }
    }
    for (const { path } of Object.values(integrationEndpoints)) {
      const at = integrationBase + path.replaceAll(/\{\w+\}/g, 'M1')
      for (const method of ['PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const) {
        expect([path, (await answerTo({ method, url: at })).status]).toEqual([path, 405])
      }
    }
  })

  test.each([
    ['GET', `${integrationBase}/nothing`],
    ['POST', `${integrationBase}/nothing`],
    ['GET', `${integrationBase}/members/M1/more`],
    ['GET', integrationBase],
    ['GET', '/integration'],
    ['POST', '/integration'],
    ['POST', `${basePath}/connector/nothing`],
    ['POST', '/web/nothing'],
  ] as const)('%s of a path that nobody has: %s', async (method, path) => {
    const answer = await answerTo({ method, url: path })
    expect(answer).toMatchObject({ status: 404, code: 404, data: requestId })
  })

  test.each([
    `${basePath}/connector/nothing`,
    `${basePath}/`,
    `${basePath}${getDictionary.path}/`,
    `${basePath}//auth/login`,
    `${basePath}/connector/config/GETDICTIONARY`,
    `${basePath}/..%2f..%2fetc%2fpasswd`,
    `${basePath}/%00`,
    `${basePath}/${'x'.repeat(3_000)}`,
    `${basePath}/%zz`,
    '/web/nothing',
    '/assets/nothing.js',
    '/favicon.ico',
    '/%ff',
  ])('a path that is not there: %s', async (path) => {
    const answer = await answerTo({ method: 'GET', url: path })
    expect(answer).toMatchObject({ status: 404, code: 404, data: requestId })
  })

  test('in the caller’s language', async () => {
    const headers = { 'user-language': 'zh-TW' }
    const [there, here] = [
      await answerTo({ method: 'GET', url: `${basePath}/nothing`, headers }),
      await answerTo({ method: 'GET', url: `${basePath}/nothing` }),
    ]
    expect(there.message).not.toBe(here.message)
  })
})

/** A message of the server in the language of a header. */
async function message(language: string): Promise<string> {
  const headers = { 'user-language': language }
  return (await answerTo({ method: 'GET', url: `${basePath}/nothing`, headers })).message
}

describe('headers', () => {
  test('no answer of the API may be cached', async () => {
    const answers = [
      await answerTo({ method: 'POST', url, headers: json, payload: '{"types":["gender"]}' }),
      await answerTo({ method: 'POST', url, headers: json, payload: '{' }),
      await answerTo({ method: 'GET', url }),
      await answerTo({ method: 'POST', url: basePath + login.path, headers: json, payload: '{}' }),
    ]
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })

  test.each([
    ['zh', 'zh-CN'],
    ['zh-Hans-CN', 'zh-CN'],
    ['zh-MO', 'zh-HK'],
    ['ZH-hk', 'zh-HK'],
    ['zh-Hant', 'zh-TW'],
    ['en-GB', 'en-US'],
  ])('the language %s is answered in %s', async (wish, near) => {
    expect(await message(wish)).toBe(await message(near))
    if (near !== 'en-US') expect(await message(wish)).not.toBe(await message('en-US'))
  })

  test.each(['fr-FR', '', 'en-us', 'x'.repeat(5_000)])(
    'a language that cannot be read is the default: “%s”',
    async (language) => {
      const headers = { ...json, 'user-language': language }
      const answer = await answerTo({
        method: 'POST',
        url,
        headers,
        payload: '{"types":["gender"]}',
      })
      expect(answer).toMatchObject({
        code: 0,
        data: { gender: [{ name: 'Female' }, { name: 'Male' }] },
      })
    },
  )

  test.each(['Basic YW15OmFteQ==', 'Bearer', 'Bearer ', 'bearer x y', `Bearer ${'A'.repeat(87)}`])(
    'an authorization that is none of ours: %s',
    async (authorization) => {
      const headers = { ...json, authorization }
      const answer = await answerTo({ method: 'POST', url, headers, payload: '{}' })
      expect(answer).toMatchObject({ status: 401, code: 401, data: requestId })
    },
  )
})

test('a repeat that would wait too long for the first is answered with 503', async () => {
  const member = await testMember(company)
  const couponCode = await testCoupon(company, member)
  const key = randomUUID()
  // Simulates the first request: a claimed key without an answer.
  const amy = `select staff_id as id from staff where company_id = $1 and account = 'amy'`
  const hold = `insert into operation (company_id, staff_id, key, endpoint, body_hash)
    values ($1, $2, $3, 'x', '')`
  const request: InjectOptions = {
    method: 'POST',
    url: basePath + redeemCoupon.path,
    headers: { ...json, 'idempotency-key': key },
    payload: { couponCode, memberCode: member.memberCode },
  }
  const attempt = company.database.transaction(company.id, async (tx) => {
    const { id } = await tx.one(statement(amy, z.object({ id: z.string() })), [company.id])
    await tx.run(statement(hold, z.unknown()), [company.id, id, key])
    const answer = await answerTo(request)
    expect(answer).toMatchObject({ status: 503, code: 503, data: requestId })
    expect(answer.headers['retry-after']).toBe('1')
    throw new Error('rolled back')
  })
  await expect(attempt).rejects.toThrow('rolled back')
  expect(await answerTo(request)).toMatchObject({ status: 200, code: 0 })
})

describe('with a built portal', () => {
  let folder: string
  let app: FastifyInstance
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillside-portal-'))
    await mkdir(join(folder, 'server'))
    await mkdir(join(folder, 'client/assets'), { recursive: true })
    const page = `export const renderFirstPage = () => ({ html: '<p>', styleHashes: [] })`
    await writeFile(join(folder, 'server/first-page.js'), page)
    app = await createApp(company.database, pino({ level: 'silent' }), { portal: folder })
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  test.each([
    ['POST', '/'],
    ['POST', '/aurora/login'],
    ['PUT', '/aurora/member/home?memberCode=M1'],
    ['DELETE', '/assets/main.js'],
    ['OPTIONS', '/aurora'],
  ] as const)('a page answers GET and HEAD, not %s: %s', async (method, path) => {
    const answer = await app.inject({ method, url: path })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(Envelope.parse(answer.json()).code).toBe(405)
  })

  test.each([
    ['GET', '/integration'],
    ['GET', `${integrationBase}/nothing`],
    ['GET', '/web/nothing'],
    ['POST', '/favicon.ico'],
    ['DELETE', '/aurora/nothing.js'],
  ] as const)('%s %s is not a page', async (method, path) => {
    const answer = await app.inject({ method, url: path })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      404,
      expect.stringContaining('json'),
    ])
  })

  test('a page is served', async () => {
    for (const path of ['/', '/aurora/login']) {
      expect((await app.inject({ method: 'GET', url: path })).statusCode).toBe(200)
    }
  })
})
