import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { testCompany, type TestCompany } from '../testing/factories/company.ts'
import { openDatabase } from '../database/database.ts'

// The health checks of load balancers.
let company: TestCompany
let leaving = false
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const log = pino({ level: 'silent' })

test('a server is ready until it stops, and then closes each connection', async () => {
  const app = await createApp(company.database, log, { leaving: () => leaving })
  const ready = await app.inject('/readyz')
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }])
  expect(ready.headers.connection).not.toBe('close')
  leaving = true
  const stopping = await app.inject('/readyz')
  expect([stopping.statusCode, stopping.json()]).toEqual([503, { status: 'stopping' }])
  // It still answers requests.
  const alive = await app.inject('/healthz')
  expect([alive.statusCode, alive.headers.connection]).toEqual([200, 'close'])
  await app.close()
})

test('a server without its database is up, but not ready', async () => {
  const away = openDatabase('postgres://nobody:none@127.0.0.1:1/none', 1)
  const app = await createApp(away, log)
  expect((await app.inject('/healthz')).statusCode).toBe(200)
  const ready = await app.inject('/readyz')
  expect([ready.statusCode, ready.headers['retry-after']]).toEqual([503, '1'])
  await app.close()
  await away.close()
})
