import { membershipInfo } from '@tillside/contract/member'
import { basePath, Envelope } from '@tillside/contract/wire/endpoint'
import { integrationBase } from '@tillside/contract/integration'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticateKey, readKey } from '../integration/key.ts'
import { authenticate } from '../staff/session.ts'
import { readToken } from '../staff/token.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { maxConcurrentCalls } from './overload.ts'
import { createServer } from './server.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

test('a call over the limit is refused at once, and no accepted call is lost', async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<Envelope>()
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>()
  let [running, refused] = [0, 0]
  const route = {
    endpoint: membershipInfo,
    answer: () => {
      running += 1
      if (running === maxConcurrentCalls) isFull()
      return opened
    },
  }
  const audit = { add: () => {}, close: async () => {} }
  const dependencies = {
    audit,
    database: company.database,
    readToken,
    authenticate,
    readKey,
    authenticateKey,
  }
  const server = createServer(
    dependencies,
    { routes: [route], keyRoutes: [] },
    pino({ level: 'silent' }),
    { observe: (_endpoint, outcome) => (refused += outcome === 'failed' ? 1 : 0) },
  )
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const url = basePath + membershipInfo.path
  try {
    const waiting = Array.from({ length: maxConcurrentCalls }, () => fetch(origin + url))
    await full

    const late = await fetch(origin + url, { headers: { 'user-language': 'zh-TW' } })
    const envelope = Envelope.parse(await late.json())
    expect([late.status, late.headers.get('retry-after'), envelope.code]).toEqual([503, '1', 503])
    expect(late.headers.get('cache-control')).toBe('no-store')
    expect(envelope.message).toBe('系統暫時無法連線，請稍後再試。')
    expect(envelope.data).toEqual({
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      unchanged: true,
    })
    // Its body was still arriving when the limit was reached, so only the handler can refuse it.
    const behind = await server.inject({ method: 'GET', url })
    expect([behind.statusCode, behind.headers['retry-after']]).toEqual([503, '1'])
    expect(behind.json()).toMatchObject({ data: { unchanged: true } })
    expect((await fetch(`${origin}${integrationBase}/members/M1`)).status).toBe(503)
    expect([running, refused]).toEqual([maxConcurrentCalls, 3])
    // Requests outside the API are not limited.
    expect((await fetch(`${origin}/nobody/knows/this`)).status).toBe(404)

    open({ code: 0, message: '', data: null })
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await fetch(origin + url)).status).toBe(200)
  } finally {
    open({ code: 0, message: '', data: null })
    await server.close()
  }
})
