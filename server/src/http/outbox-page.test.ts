import { request } from 'node:http'
import { sendMobileCaptcha } from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { testMobile, waitingCode } from '../testing/verification.ts'

const servers: ServerProcess[] = []
let company: TestCompany
beforeAll(async () => {
  company = await testCompany({ names: { 'en-US': 'Tom & <b>Jerry</b>', 'zh-HK': '湯' } })
})
afterAll(async () => {
  for (const server of servers) server.process.kill('SIGTERM')
  await Promise.all(servers.map((server) => server.ended))
  await company.close()
})

async function start(mode: string): Promise<string> {
  const environment = { DATABASE_URL: inject('ownerUrl'), NODE_ENV: mode, LOG_LEVEL: 'silent' }
  const server = startServer(environment)
  servers.push(server)
  return server.ready
}

/** A request with any Host header, which `fetch` does not allow. */
function ask(address: string, host: string): Promise<number> {
  return new Promise((done, failed) => {
    const asking = request(`${address}/web/outbox`, { headers: { host } }, (response) => {
      response.resume()
      done(response.statusCode ?? 0)
    })
    asking.on('error', failed).end()
  })
}

describe('the outbox page', () => {
  test('shows the waiting messages as text in development', async () => {
    const address = await start('development')
    const number = testMobile()
    await ok(company, sendMobileCaptcha, number, { token: await logIn(company) })
    const code = await waitingCode(company, `+852${number.mobile}`)
    const response = await fetch(`${address}/web/outbox`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const html = await response.text()
    expect(html).toContain(`<b>+852${number.mobile}</b>`)
    expect(html).toContain(`Tom &amp; &lt;b&gt;Jerry&lt;/b&gt;: your verification code is ${code}`)
    // DNS rebinding: another host name that resolves to this machine.
    expect(await ask(address, 'evil.example:80')).toBe(404)
    expect(await ask(address, 'localhost:80')).toBe(200)
  })

  test('does not exist in production', async () => {
    const address = await start('production')
    expect((await fetch(`${address}/web/outbox`)).status).toBe(404)
    expect(await ask(address, 'localhost')).toBe(404)
  })
})
