import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
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

async function start(mode: string, more: Record<string, string> = {}): Promise<string> {
  const environment = { DATABASE_URL: inject('ownerUrl'), NODE_ENV: mode, LOG_LEVEL: 'silent' }
  const server = startServer({ ...environment, ...more })
  servers.push(server)
  return server.ready
}

/** A request with any Host header, which `fetch` does not allow. */
function ask(address: string, host: string, more: Record<string, string> = {}): Promise<number> {
  return new Promise((done, failed) => {
    const asking = request(`${address}/web/outbox`, { headers: { host, ...more } }, (response) => {
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

  test('goes by the address of the connection, not by what a client writes', async () => {
    const everyone = {
      TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16',
      HOST: '0.0.0.0',
    }
    const address = await start('development', everyone)
    expect(await ask(address, 'localhost')).toBe(200)
    for (const header of [
      { 'x-forwarded-for': '127.0.0.1' },
      { 'x-forwarded-for': '203.0.113.7' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
    ]) {
      expect(await ask(address, 'localhost', header)).toBe(404)
    }
    expect(await ask(address, 'shop.example', { 'x-forwarded-host': 'localhost' })).toBe(404)
    const outside = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')
    if (outside === undefined) return
    const { port } = new URL(address)
    const fromOutside = `http://${outside.address}:${port}`
    expect(await ask(fromOutside, 'localhost')).toBe(404)
    expect(await ask(fromOutside, 'localhost', { 'x-forwarded-for': '127.0.0.1' })).toBe(404)
  })

  test.each(['production', 'test'])('does not exist in mode %s', async (mode) => {
    const address = await start(mode)
    expect((await fetch(`${address}/web/outbox`)).status).toBe(404)
    expect(await ask(address, 'localhost')).toBe(404)
  })
})
