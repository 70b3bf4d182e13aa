import { login, noPasswordLogin } from '@tillside/contract/auth'
import { getCustomTheme } from '@tillside/contract/company'
import { basePath } from '@tillside/contract/wire/endpoint'
import { integrationBase } from '@tillside/contract/integration'
import { redeemCoupon } from '@tillside/contract/coupon'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getOneCustomer } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { builtPortal } from '../../portal.ts'
import { findCompany } from '../../company/find.ts'
import { logoAddress } from '../../company/theme.ts'
import { logIn, testCompany, type TestCompany } from '../factories/company.ts'
import { testMember } from '../factories/member.ts'
import { type RunningNginx, runNginx } from '../servers/nginx-process.ts'
import { freePort } from '../servers/port.ts'
import { callAt, type ServerProcess, startServer } from '../servers/process.ts'
import { type Flood, startFlood } from './flood.ts'

type World = {
  company: TestCompany
  servers: ServerProcess[]
  nginx: RunningNginx | null
  address: string
  token: string
  memberCode: string
  logo: string
  /** The largest script of the portal. */
  script: string
}
type Request = Pick<Flood, 'method' | 'path' | 'headers' | 'body' | 'endless'>

const theme = (identifier: string) =>
  get(`${basePath}${getCustomTheme.path}?xcrmIdentifier=${identifier}`)
const staffCall = `${basePath}${getOneCustomer.path}?code=X`
const guess = (path: string, token: string) => get(path, { authorization: `Bearer ${token}` })
const logInAt = (identifier: string) =>
  post(login.path, { identifier, account: 'ben', password: 'x' })

/** Calls that need no session, or are made without a valid one. */
const targets: Record<string, (world: World) => Request> = {
  'the login': ({ company }) => logInAt(company.identifier),
  'the login of an unknown company': () => logInAt('nobody'),
  'the login by link': () => post(noPasswordLogin.path, { accessToken: 'A'.repeat(86) }),
  'the theme': ({ company }) => theme(company.identifier),
  'the theme of an unknown company': () => theme('nobody'),
  'the API description': () => get(`${basePath}/openapi.json`),
  'a page': ({ company }) => get(`/${company.identifier}/login`),
  'a logo': ({ logo }) => get(logo),
  'the version': () => get('/version.json'),
  'a script': ({ script }) => get(script),
  'an unknown path': () => get('/nothing/is/here.php'),
  'an unknown call': () => get(`${basePath}/nothing`),
  readiness: () => get('/readyz'),
  'a staff call without a token': () => get(staffCall),
  'a staff call with an unknown token': () => guess(staffCall, 'A'.repeat(86)),
  'a till with an unknown key': () =>
    guess(`${integrationBase}/members/X`, `tillside_${'A'.repeat(64)}`),
}
export const allTargets = Object.keys(targets)

/** Requests that never end, each of which keeps a connection. */
const endless: Record<string, (world: World) => Request> = {
  'a login whose header never ends': () => ({ ...logInAt('nobody'), endless: 'header' }),
  'a login whose body never ends': () => ({ ...logInAt('nobody'), endless: 'body' }),
  'a staff call whose body never ends': () => ({
    ...post(redeemCoupon.path, {}),
    endless: 'body',
  }),
  'a till’s call whose body never ends': () => ({
    ...post('', {}),
    path: `${integrationBase}/transactions`,
    endless: 'body',
  }),
  'a page whose header never ends': () => ({ ...get('/'), endless: 'header' }),
}
export const endlessTargets = Object.keys(endless)

const sources = {
  'one address': ['127.0.0.66'],
  '500 addresses': Array.from({ length: 500 }, (_, n) => `127.0.${1 + (n >> 7)}.${1 + (n & 127)}`),
}

type Strangers = {
  from: keyof typeof sources
  connections?: number
  /** How long each connection waits after an answer; by default it sends as fast as it can. */
  pauseMs?: number
  isBehindNginx?: boolean
}

/**
 * Declares a test for each target: many connections call it, and 99 % of a clerk's calls are
 * answered within 500 ms.
 */
export function testFloods(
  { from, connections = 500, pauseMs = 0, isBehindNginx = false }: Strangers,
  chosen: readonly string[],
): void {
  const speed = pauseMs === 0 ? '' : ` that wait ${pauseMs} ms`
  const where = isBehindNginx ? ', behind nginx' : ''
  describe(`${connections} hostile connections${speed} from ${from}${where} on`, () => {
    let world: World
    beforeAll(async () => {
      world = await startWorld(isBehindNginx)
      // The process knows the clerk, as it does in a shop that has opened.
      await clerk(world)
    }, 120_000)
    afterAll(async () => {
      await world.nginx?.close()
      for (const { process } of world.servers) process.kill('SIGTERM')
      await Promise.all(world.servers.map(({ ended }) => ended))
      await world.company.close()
    })
    test.for(chosen)('%s', { timeout: 120_000, retry: 2 }, async (target, { annotate }) => {
      const request = { ...targets, ...endless }[target]?.(world) ?? get('/')
      const port = Number(new URL(world.address).port)
      const kind = { port, connections, pauseMs, from: sources[from] }
      const flood = await startFlood({ ...request, ...kind })
      // Endless requests reach the time limits of the server meanwhile.
      const betweenMs = request.endless === undefined ? 0 : 250
      const clerks = Array.from({ length: 4 }, () => clerk(world, betweenMs))
      const times = (await Promise.all(clerks)).flat().toSorted((a, b) => a - b)
      const answers = JSON.stringify(await flood.stop())
      const inTime = times.filter((ms) => ms < 500).length / times.length
      const [median, slow] = [0.5, 0.99].map((share) => times[Math.floor(share * times.length)])
      await annotate(`${inTime} in time, median ${median} ms, p99 ${slow} ms, answers ${answers}`)
      expect(inTime).toBeGreaterThanOrEqual(0.99)
    })
  })
}

async function startWorld(isBehindNginx: boolean): Promise<World> {
  const company = await testCompany()
  const token = await logIn(company)
  const { memberCode } = await testMember(company)
  const found = await findCompany(company.database, company.identifier)
  const logo = found === null ? '' : logoAddress(found)
  const ports: [number, number] = [await freePort(), await freePort()]
  const environment = { DATABASE_URL: inject('ownerUrl'), TRUST_PROXY: '127.0.0.1' }
  const servers = (isBehindNginx ? ports : ports.slice(1)).map((port) =>
    startServer({ ...environment, PORT: `${port}` }),
  )
  const [own = ''] = await Promise.all(servers.map(({ ready }) => ready))
  const nginx = isBehindNginx ? await runNginx(ports, { plain: true }) : null
  const address = nginx === null ? own : `http://127.0.0.1:${nginx.port}`
  const script = await largestScript()
  return { company, servers, nginx, address, token, memberCode, logo, script }
}

async function largestScript(): Promise<string> {
  const folder = join(builtPortal, 'client/assets')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return `/assets/${names[sizes.indexOf(Math.max(...sizes))]}`
}

/** Makes 50 calls as the portal does. @returns their times in ms; a refusal is endless */
async function clerk({ address, token, memberCode }: World, betweenMs = 0): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < 50; n++) {
    const began = performance.now()
    const { code } = await callAt(address, getOneCustomer, { code: memberCode }, token)
    times.push(code === 0 ? performance.now() - began : Infinity)
    if (betweenMs > 0) await pause(betweenMs)
  }
  return times
}

function get(path: string, headers: Record<string, string> = {}): Request {
  return { method: 'GET', path, headers }
}

function post(path: string, body: object): Request {
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', path: basePath + path, headers, body: JSON.stringify(body) }
}
