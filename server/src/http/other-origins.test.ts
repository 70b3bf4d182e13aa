import { getSupportedLanguages } from '@tillside/contract/company'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { basePath } from '@tillside/contract/wire/endpoint'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'

const ours = 'https://counter.example.com'
const url = basePath + getSupportedLanguages.path

describe('an API with portals on other origins', () => {
  let company: TestCompany
  let app: FastifyInstance
  beforeAll(async () => {
    company = await testCompany()
    const log = pino({ level: 'silent' })
    app = await createApp(company.database, log, { portalOrigins: [ours] })
  })
  afterAll(async () => {
    await app.close()
    await company.close()
  })
  const ask = (method: 'GET' | 'OPTIONS' | 'DELETE', path: string, origin: string) =>
    app.inject({
      method,
      url: path,
      headers: { origin, 'access-control-request-method': 'POST' },
    })

  test('lists for browsers what they may send', async () => {
    const { statusCode, headers } = await ask('OPTIONS', url, ours)
    expect(statusCode).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': ours,
      'access-control-allow-methods': 'GET, POST, PATCH',
      'access-control-allow-headers':
        'authorization, content-type, if-match, if-none-match, idempotency-key, user-language, ' +
        'tillside-store',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test('shows a page the headers of an answer that a till reads', async () => {
    const { headers } = await ask('GET', `${integrationBase}/problems/invalid`, ours)
    expect(headers).toMatchObject({
      'access-control-allow-origin': ours,
      'access-control-expose-headers': 'etag, ratelimit, ratelimit-policy, request-id, retry-after',
    })
  })

  test.each(['https://evil.example', 'null', `${ours}.evil.example`, 'http://counter.example.com'])(
    'says nothing to a page of %s',
    async (origin) => {
      for (const method of ['OPTIONS', 'GET'] as const) {
        const { headers } = await ask(method, url, origin)
        expect(headers).not.toHaveProperty('access-control-allow-origin')
      }
    },
  )

  test('still answers 405 to a wrong method and 404 to an unknown path', async () => {
    expect((await ask('DELETE', url, ours)).statusCode).toBe(405)
    expect((await ask('DELETE', `${basePath}/nowhere`, ours)).statusCode).toBe(404)
  })

  test('sends no CORS headers when no origin is configured', async () => {
    const { headers } = await company.app.inject({ method: 'GET', url, headers: { origin: ours } })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })
})
