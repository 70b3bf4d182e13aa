import { type IncomingMessage, request } from 'node:http'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login } from '@tillside/contract/auth'
import { getDictionary } from '@tillside/contract/company'
import { basePath } from '@tillside/contract/wire/endpoint'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { getOneCustomer } from '@tillside/contract/member'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { findCompany } from '../company/find.ts'
import { logoAddress } from '../company/theme.ts'
import { logIn, testCompany, type TestCompany } from '../testing/factories/company.ts'

// The security headers, on every kind of answer.
let company: TestCompany
let folder: string
let app: FastifyInstance
let proxied: FastifyInstance
let logo: string
let authorization: string
beforeAll(async () => {
  company = await testCompany()
  folder = await mkdtemp(join(tmpdir(), 'tillside-portal-'))
  await mkdir(join(folder, 'server'))
  await mkdir(join(folder, 'client/assets'), { recursive: true })
  const hashes = `styleHashes: ['sha256-x'], scriptHashes: ['sha256-y']`
  const page = `export const renderFirstPage = () => ({ html: '<p>', ${hashes} })`
  await writeFile(join(folder, 'server/first-page.js'), page)
  for (const name of [
    'version.json',
    'worker.js',
    'assets/main-1.js',
    'assets/decode.worker-1.js',
  ]) {
    await writeFile(join(folder, 'client', name), '{}')
  }
  const log = pino({ level: 'silent' })
  app = await createApp(company.database, log, { portal: folder, outboxPage: true })
  proxied = await createApp(company.database, log, { trustedProxies: ['127.0.0.1'] })
  const found = await findCompany(company.database, company.identifier)
  if (found === null) throw new Error('no company')
  logo = logoAddress(found)
  authorization = `Bearer ${await logIn(company)}`
})
afterAll(async () => {
  await app.close()
  await proxied.close()
  await company.close()
  await rm(folder, { recursive: true })
})

const json = { 'content-type': 'application/json' }
const call = basePath + getDictionary.path
const apiPolicy = "default-src 'none'; frame-ancestors 'none'"
const answers: [what: string, status: number, asking: () => InjectOptions][] = [
  ['a page', 200, () => ({ url: `/${company.identifier}/login` })],
  ['a page of no company', 200, () => ({ url: '/nobody/login' })],
  ['a file of the program', 200, () => ({ url: '/assets/main-1.js' })],
  ['a file that is not there', 404, () => ({ url: '/assets/none.js' })],
  ['the version', 200, () => ({ url: '/version.json' })],
  ['the worker', 200, () => ({ url: '/worker.js' })],
  ['a logo', 200, () => ({ url: logo })],
  ['a logo that is not there', 404, () => ({ url: '/web/logo/nobody/x.svg' })],
  ['the page of messages', 200, () => ({ url: '/web/outbox', headers: { host: 'localhost' } })],
  ['the description', 200, () => ({ url: `${basePath}/openapi.json` })],
  ['a sign of life', 200, () => ({ url: '/healthz' })],
  ['readiness', 200, () => ({ url: '/readyz' })],
  ['a success', 200, () => post({ types: ['gender'] })],
  ['a refusal', 200, () => post({ types: 7 })],
  ['a body that is none', 200, () => ({ ...post({}), payload: '{' })],
  [
    'a member',
    200,
    () => ({ url: `${basePath}${getOneCustomer.path}?code=X`, headers: { authorization } }),
  ],
  ['a call without a token', 401, () => ({ ...post({}), headers: json })],
  ['a till without a key', 401, () => ({ url: `${integrationBase}/members/X` })],
  [
    'a public call',
    200,
    () => ({ method: 'POST', url: basePath + login.path, headers: json, payload: '{}' }),
  ],
  ['an unknown path', 404, () => ({ url: `${basePath}/nothing` })],
  ['a path that cannot be read', 404, () => ({ url: `${basePath}/%zz` })],
  ['a wrong method', 405, () => ({ method: 'DELETE', url: call })],
  ['a body that is too large', 413, () => post({ types: ['x'.repeat(70_000)] })],
  [
    'a body of another kind',
    415,
    () => ({ ...post({}), headers: { 'content-type': 'text/xml', authorization } }),
  ],
]
function post(body: object): InjectOptions {
  return {
    method: 'POST',
    url: call,
    headers: { ...json, authorization },
    payload: JSON.stringify(body),
  }
}

describe.each(answers)('%s', (what, status, asking) => {
  test('has the security headers', async () => {
    const response = await app.inject(asking())
    expect([response.statusCode, response.body.length > 0]).toEqual([status, true])
    const { headers } = response
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(
        what.startsWith('a page')
          ? /^camera=\(self\), microphone=\(\)/
          : /^camera=\(\), microphone=\(\)/,
      ),
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
      'cache-control': expect.stringMatching(/./),
    })
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toContain('unsafe-eval')
    if (what !== 'a logo') expect(policy).not.toContain('unsafe-inline')
    // No header names the software, and there is no HSTS without TLS.
    for (const name of ['server', 'x-powered-by', 'via', 'strict-transport-security']) {
      expect([name, headers[name]]).toEqual([name, undefined])
    }
    expect(JSON.stringify(headers)).not.toMatch(/fastify|node|express/i)
  })

  test('is not cached, except the program’s own files', async () => {
    const { headers } = await app.inject(asking())
    const kept = what === 'a logo' || what === 'a file of the program'
    const isRevalidated = /^a page( of no company)?$|^the (version|worker)$/.test(what)
    expect(headers['cache-control']).toEqual(
      kept ? expect.stringContaining('immutable') : isRevalidated ? 'no-cache' : 'no-store',
    )
  })
})

describe('a page', () => {
  test('runs only the program’s files and script, in no frame, with trusted types', async () => {
    const { headers } = await app.inject({ url: `/${company.identifier}/login` })
    const rules = String(headers['content-security-policy']).split('; ')
    expect(rules).toEqual([
      "default-src 'none'",
      "script-src 'self' 'sha256-y'",
      "worker-src 'self'",
      "style-src 'self' 'sha256-x'",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types tillside-worker tillside-decoder',
    ])
  })

  test('has the same headers when it is answered with 304', async () => {
    const url = `/${company.identifier}/login`
    const first = await app.inject({ url })
    const headers = { 'if-none-match': String(first.headers['etag']) }
    const second = await app.inject({ url, headers })
    expect(second.statusCode).toBe(304)
    for (const name of ['content-security-policy', 'permissions-policy', 'referrer-policy']) {
      expect(second.headers[name]).toBe(first.headers[name])
    }
  })
})

test('the answer of a call may not frame or be framed', async () => {
  const { headers } = await app.inject(post({ types: ['gender'] }))
  expect(headers['content-security-policy']).toBe(apiPolicy)
})

test('the decoder alone may compile WebAssembly', async () => {
  const { headers } = await app.inject({ url: '/assets/decode.worker-1.js' })
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
  )
})

describe('HSTS lasts a year', () => {
  const overTls = { 'x-forwarded-proto': 'https' }
  test('when a trusted proxy reports TLS', async () => {
    for (const url of ['/healthz', `${basePath}/nothing`, call]) {
      const { headers } = await proxied.inject({ url, headers: overTls })
      expect(headers['strict-transport-security']).toBe('max-age=31536000')
    }
    const { headers } = await proxied.inject({ url: '/healthz' })
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  test('and not when another client reports TLS', async () => {
    const { headers } = await app.inject({ url: '/healthz', headers: overTls })
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

describe('a URL that cannot be decoded', () => {
  let port: number
  beforeAll(async () => {
    port = Number(new URL(await proxied.listen({ port: 0 })).port)
  })

  test.each(['//elsewhere.example/%zz', '/\\elsewhere.example/%zz', '///elsewhere.example/%'])(
    'leads to no other server: %s',
    async (path) => {
      const answer = await open(port, path)
      answer.resume()
      expect(answer.statusCode).toBe(302)
      expect(answer.headers['location']).toMatch(/^\/elsewhere\.example\/%25/)
      expect(answer.headers['referrer-policy']).toBe('no-referrer')
    },
  )
})

/** Requests a raw path, which URL libraries would normalise. */
function open(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((done, failed) => {
    const headers = { accept: 'text/html' }
    request({ host: '127.0.0.1', port, path, headers }, done).on('error', failed).end()
  })
}
