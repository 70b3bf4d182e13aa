import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@tillside/contract/auth'
import { issueCoupon } from '@tillside/contract/coupon'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { basePath } from '@tillside/contract/wire/endpoint'
import { languages } from '@tillside/contract/wire/language'
import { previewPoints } from '@tillside/contract/points'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Nginx, startNginx } from '../testing/servers/nginx.ts'
import { givePoints } from '../testing/factories/points.ts'
import { freePort } from '../testing/servers/port.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { httpFailureTexts } from '../text/answer-texts.ts'
import { statement } from '../database/database.ts'
import { noCompany } from '../staff/throttle/address.ts'
import { safeHeaders } from './security-headers.ts'

// Two processes behind nginx with the configuration of docs/operations.md.
let company: TestCompany
let member: { id: string; memberCode: string }
let ports: [number, number]
let servers: [ServerProcess, ServerProcess]
let nginx: Nginx

const environment = {
  TRUST_PROXY: '127.0.0.1',
  DRAIN_SECONDS: '4',
  API_ROOT_QA: 'https://api.qa.example.com',
}
const start = (port: number): ServerProcess =>
  startServer({ DATABASE_URL: inject('ownerUrl'), PORT: String(port), ...environment })

beforeAll(async () => {
  company = await testCompany()
  member = await testMember(company)
  await givePoints(company, member, 1_000_000)
  ports = [await freePort(), await freePort()]
  servers = [start(ports[0]), start(ports[1])]
  await Promise.all(servers.map(({ ready }) => ready))
  nginx = await startNginx(ports)
}, 300_000)
afterAll(async () => {
  await nginx.close()
  for (const { process } of servers) process.kill('SIGKILL')
  await company.close()
})

const credentials = (account: string, secret = password) => ({
  identifier: company.identifier,
  account,
  password: secret,
})

async function logIn(): Promise<string> {
  const { data } = await nginx.post(login, credentials('amy'))
  return z.object({ token: z.string() }).parse(data).token
}

describe('a rolling restart', () => {
  test('answers every request, and performs each once', { timeout: 300_000 }, async () => {
    const authorization = `Bearer ${await logIn()}`
    const { memberCode } = member
    const issued = { memberCode, couponId: 'TREAT', quantity: 1 }
    const preview = { memberCode, kind: 'gift', giftId: 'MUG', quantity: 1 }
    const counts = { asked: 0, done: 0, issued: 0, over: false }
    const clerk = async (): Promise<void> => {
      while (!counts.over) {
        const writes = counts.asked % 4 === 0
        counts.asked += 1
        const headers = { authorization, 'idempotency-key': randomUUID() }
        const answer = writes
          ? await nginx.post(issueCoupon, issued, { headers })
          : await nginx.post(previewPoints, preview, { headers })
        expect([answer.status, answer.code]).toEqual([200, 0])
        counts.done += 1
        if (writes) counts.issued += 1
        // Without a pause the clerks would take the processors from the servers that start.
        await sleep(10)
      }
    }
    const clerks = Promise.all(Array.from({ length: 6 }, clerk))
    const restarted = (async () => {
      for (const n of [0, 1] as const) {
        const before = counts.done
        await until(() => counts.done > before + 50)
        servers[n].process.kill('SIGTERM')
        // health.test.ts checks its answer; on a busy machine the request may fail.
        await until(async () => (await readiness(ports[n])) !== 200)
        expect((await servers[n].ended).code).toBe(0)
        const alone = counts.done
        await until(() => counts.done > alone + 50)
        servers[n] = start(ports[n])
        await servers[n].ready
        expect(await readiness(ports[n])).toBe(200)
      }
    })()
    await Promise.race([clerks, restarted])
    counts.over = true
    await Promise.all([clerks, restarted])

    expect(counts.done).toBe(counts.asked)
    expect(await couponsOf(member.id)).toBe(counts.issued)
  })
})

describe('a call when all processes are busy', () => {
  test('is refused at once, in the caller’s language, and changes nothing', async () => {
    const held: ServerResponse[] = []
    const busy = createServer(({ url = '' }, response) => {
      if (url.startsWith(basePath)) held.push(response)
      else response.end('well')
    })
    const port = await freePort()
    await once(busy.listen(port, '127.0.0.1'), 'listening')
    const narrow = await startNginx([port, port], { most: 1 })
    const inHand = [narrow.post(login, {}), narrow.post(login, {})]
    await until(() => held.length === 2)
    for (const language of languages) {
      const answer = await narrow.post(login, {}, { headers: { 'user-language': language } })
      const message = httpFailureTexts.unavailable[language]
      const data = { requestId: expect.stringMatching(/^[0-9a-f]{32}$/), unchanged: true }
      expect(answer).toEqual({ status: 503, code: 503, message, data })
    }
    const { headers } = await narrow.get(`${basePath}${login.path}`)
    const known = ['content-security-policy', 'x-content-type-options', 'referrer-policy'] as const
    expect(headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' })
    for (const name of known) expect(headers[name]).toBe(safeHeaders[name])
    expect((await narrow.get('/healthz')).text).toBe('well')
    expect(held).toHaveLength(2)

    for (const response of held) response.end('{"code":0,"message":"","data":null}')
    expect((await Promise.all(inHand)).map(({ status }) => status)).toEqual([200, 200])

    // No process is up; nginx cannot know whether anything was done.
    busy.closeAllConnections()
    busy.close()
    const { status, data } = await narrow.post(login, {})
    expect([status, Object.keys(z.object({ requestId: z.string() }).parse(data))]).toEqual([
      503,
      ['requestId'],
    ])
    // The browser's languages; the page loads itself again.
    for (const [accepted, text] of [
      ['zh-HK,zh;q=0.9', '系統暫時未能連線'],
      ['zh-Hant', '系統暫時無法連線'],
      ['zh-CN', '系统暂时无法访问'],
      ['fr', 'The system can’t be reached right now.'],
    ] as const) {
      const page = await narrow.get('/aurora', { 'accept-language': accepted })
      expect([page.status, page.headers['retry-after']]).toEqual([503, '5'])
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.text).toContain(`<p>${text}`)
      expect(page.text).toContain('http-equiv="refresh"')
    }
    await narrow.close()
  })
})

describe('one network with many calls', () => {
  test('leaves places for the clerks of others', async () => {
    const held: ServerResponse[] = []
    const slow = createServer((_request, response) => held.push(response))
    const port = await freePort()
    await once(slow.listen(port, '127.0.0.1'), 'listening')
    const behind = await startNginx([port, port])
    const call = (from: string) => behind.post(previewPoints, {}, { from })

    const most = Array.from({ length: 200 }, () => call('127.0.0.66'))
    await until(() => held.length === most.length)
    const refused = await call('127.0.0.66')
    expect([refused.status, refused.data]).toEqual([
      503,
      expect.objectContaining({ unchanged: true }),
    ])
    const other = call('127.0.0.67')
    await until(() => held.length > most.length)

    for (const response of held) response.end('{"code":0,"message":"","data":null}')
    const answers = await Promise.all([...most, other])
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await behind.close()
    slow.close()
  })
})

describe('the log of nginx', () => {
  test('contains no secret of a URL', async () => {
    const linked = { ...login, path: `${login.path}?token=do-not-keep-this` }
    await nginx.post(linked, credentials('amy'))
    await until(async () => (await nginx.log()).includes(` POST ${basePath}${login.path} 200 `))
    expect(await nginx.log()).not.toContain('do-not-keep-this')
  })

  test('contains no member code', async () => {
    const { status } = await nginx.get(`${integrationBase}/members/${member.memberCode}`)
    expect(status).toBe(401)
    await nginx.get(`/${company.identifier}/member/home/view?code=${member.memberCode}`)
    await until(async () => (await nginx.log()).includes(`GET ${integrationBase}/members/* 401 `))
    expect(await nginx.log()).not.toContain(member.memberCode)
  })
})

describe('the client’s address', () => {
  test('is the one from nginx, not from the client’s header', async () => {
    const forged = { 'x-forwarded-for': '233.252.0.7' }
    await nginx.post(login, credentials('ben', 'Wrong#2026'), { from: '127.0.0.2' })
    await nginx.post(login, credentials('ben', 'Wrong#2026'), {
      from: '127.0.0.3',
      headers: forged,
    })
    expect(await throttled()).toEqual(expect.arrayContaining(['127.0.0.2', '127.0.0.3']))
    expect(await throttled()).not.toContain('233.252.0.7')
  })

  test('is the connection’s, when it is not a trusted proxy', async () => {
    await directly(ports[0], '127.0.0.9', '233.252.0.8')
    expect(await throttled()).toContain('127.0.0.9')
    expect(await throttled()).not.toContain('233.252.0.8')
    // The same header is trusted when it is sent by the proxy.
    await directly(ports[0], '127.0.0.1', '233.252.0.9')
    expect(await throttled()).toContain('233.252.0.9')
  })
})

describe('nginx in front of the server', () => {
  test('counts as TLS, and passes on only its own host name', async () => {
    const { status, headers } = await nginx.get('/healthz', { 'x-forwarded-proto': 'http' })
    expect(status).toBe(200)
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/)
    expect(headers.server).toBe('nginx')
    // A portal opened under a QA host name calls the QA API.
    const forged = await nginx.get('/aurora', { 'x-forwarded-host': 'qa.example.com' })
    expect(forged.text).not.toContain('api.qa.example.com')
    const named = await nginx.get('/aurora', { host: 'qa.example.com' })
    expect(named.text).toContain('api.qa.example.com')
  })
})

/** A wrong password, sent through nginx. */
function directly(port: number, from: string, forwarded: string): Promise<void> {
  return new Promise((done, failed) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        localAddress: from,
        method: 'POST',
        path: basePath + login.path,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
      },
      (response) => response.resume().once('end', () => done()),
    )
    call.once('error', failed)
    call.end(JSON.stringify(credentials('ben', 'Wrong#2026')))
  })
}

const readKeys = statement(
  `select network from login_address where company_id = $1 and kind = 'password'`,
  z.object({ network: z.string() }),
)
const countCoupons = statement(
  'select count(*)::int as n from coupon where company_id = $1 and member_id = $2',
  z.object({ n: z.int() }),
)

async function throttled(): Promise<string[]> {
  const rows = await company.database.reading(noCompany, (tx) => tx.all(readKeys, [noCompany]))
  return rows.map(({ network }) => network)
}

async function couponsOf(memberId: string): Promise<number> {
  const values = [company.id, memberId]
  return (await company.database.reading(company.id, (tx) => tx.one(countCoupons, values))).n
}

async function readiness(port: number): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  return answer?.status ?? 0
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}
