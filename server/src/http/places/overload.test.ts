import { Agent, get, type IncomingMessage } from 'node:http'
import { login } from '@tillside/contract/auth'
import { membershipInfo } from '@tillside/contract/member'
import { basePath, type Endpoint, Envelope } from '@tillside/contract/wire/endpoint'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { Problem } from '@tillside/contract/integration/problems'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openKeys, readKey } from '../../staff/keys/key.ts'
import { openSessions } from '../../staff/held.ts'
import { readToken } from '../../staff/token.ts'
import { testCompany, type TestCompany } from '../../testing/factories/company.ts'
import {
  createPlaces,
  maxStaffCalls,
  publicLimits,
  repeatedRefusalDelayMs,
  unprovenLimits,
} from './places.ts'
import { createServer } from '../server.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany()
})
afterAll(() => company.close())

const staffUrl = basePath + membershipInfo.path
const loginUrl = basePath + login.path
const done = { code: 0, message: '', data: null }
/** Headers of a clerk whose token this process has found valid. */
const clerk = { authorization: 'Bearer proven' }

let server: FastifyInstance
let origin: string
/** How many calls of each endpoint are held. */
let running: Map<Endpoint, number>
let refused: number
let hold: { opened: Promise<Envelope>; open: (answer: Envelope) => void } | null
beforeEach(async () => {
  ;[running, refused, hold] = [new Map(), 0, null]
  const routes = [membershipInfo, login].map((endpoint) => ({
    endpoint,
    async answer() {
      if (hold === null) return done
      running.set(endpoint, (running.get(endpoint) ?? 0) + 1)
      return hold.opened
    },
  }))
  const { database } = company
  const audit = { add: () => {}, close: async () => {} }
  const dependencies = {
    database,
    audit,
    readToken,
    readKey,
    authenticateKey: openKeys(false, () => {}).authenticate,
    ...openSessions(false),
  }
  server = createServer(
    dependencies,
    { routes, keyRoutes: [] },
    pino({ level: 'silent' }),
    createPlaces(),
    { observe: (_endpoint, outcome) => (refused += outcome === 'failed' ? 1 : 0) },
  )
  origin = await server.listen({ port: 0, host: '127.0.0.1' })
  expect((await fetch(origin + staffUrl, { headers: clerk })).status).toBe(200)
  holdCalls()
})
afterEach(async () => {
  vi.useRealTimers()
  hold?.open(done)
  await server.close()
})

/** Holds the answers of further calls. @returns a function that gives these answers */
function holdCalls(): (answer: Envelope) => void {
  const { promise: opened, resolve: open } = Promise.withResolvers<Envelope>()
  hold = { opened, open }
  return open
}

async function until(isSo: () => boolean): Promise<void> {
  // Not a timer, which a test may hold.
  while (!isSo()) await new Promise((wake) => setImmediate(wake))
}
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const heldOf = (endpoint: Endpoint): number => running.get(endpoint) ?? 0

/** A call with a token that this process does not know. */
async function guess(remoteAddress: string, authorization = 'Bearer unknown') {
  return server.inject({ url: staffUrl, headers: { authorization }, remoteAddress })
}

async function expectAnswered(calls: ReturnType<typeof guess>[]): Promise<void> {
  const statuses = (await Promise.all(calls)).map(({ statusCode }) => statusCode)
  expect(new Set(statuses)).toEqual(new Set([200]))
}

/** A login from an address of its own. */
function logIn(remoteAddress: string) {
  return server.inject({ method: 'POST', url: loginUrl, payload: {}, remoteAddress })
}

test('a call over the limit is refused at once, and no accepted call is lost', async () => {
  const waiting = many(maxStaffCalls, () => fetch(origin + staffUrl, { headers: clerk }))
  await until(() => heldOf(membershipInfo) === maxStaffCalls)

  const late = await fetch(origin + staffUrl, { headers: { 'user-language': 'zh-TW' } })
  const envelope = Envelope.parse(await late.json())
  expect([late.status, late.headers.get('retry-after'), envelope.code]).toEqual([503, '1', 503])
  expect(late.headers.get('cache-control')).toBe('no-store')
  expect(envelope.message).toBe('系統暫時無法連線，請稍後再試。')
  expect(envelope.data).toEqual({
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    unchanged: true,
  })
  // `inject` goes around the limited server, as a call whose body was still arriving does.
  const behind = await server.inject({ method: 'GET', url: staffUrl, headers: clerk })
  expect([behind.statusCode, behind.headers['retry-after']]).toEqual([503, '1'])
  expect(behind.json()).toMatchObject({ data: { unchanged: true } })
  const till = await fetch(`${origin}${integrationBase}/members/M1`)
  expect([till.status, till.headers.get('content-type')]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
  ])
  expect(Problem.parse(await till.json())).toMatchObject({
    code: 'unavailable',
    requestId: till.headers.get('request-id'),
    data: { unchanged: true },
  })
  expect([heldOf(membershipInfo), refused]).toEqual([maxStaffCalls, 3])
  // Requests outside the API are not limited, and public calls have places of their own.
  expect((await fetch(`${origin}/nobody/knows/this`)).status).toBe(404)
  const entering = logIn('192.0.2.1')
  await until(() => heldOf(login) === 1)

  hold?.open(done)
  const answers = await Promise.all(waiting)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await entering).statusCode).toBe(200)
  expect((await fetch(origin + staffUrl)).status).toBe(200)
})

test('a connection that asks again before Retry-After is refused later than others', async () => {
  const waiting = many(maxStaffCalls, () => fetch(origin + staffUrl, { headers: clerk }))
  await until(() => heldOf(membershipInfo) === maxStaffCalls)
  // The clock and the delays of this process, but not those of node:http.
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const [hasty, patient] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
  const refusals: string[] = []
  const ask = async (name: string, agent: Agent) => {
    const answer = await new Promise<IncomingMessage>((answered) =>
      get(origin + staffUrl, { agent, headers: clerk }, answered),
    )
    await answer.toArray()
    refusals.push(`${name} ${answer.statusCode}`)
  }
  await ask('first', hasty)
  const again = ask('again', hasty)
  await until(() => refused === 2)
  await ask('other', patient)
  vi.advanceTimersByTime(repeatedRefusalDelayMs)
  await again
  expect(refusals).toEqual(['first 503', 'other 503', 'again 503'])
  hold?.open(done)
  await Promise.all(waiting)
  // Where there is room, the hasty connection is answered at once.
  await ask('hasty', hasty)
  expect(refusals.at(-1)).toBe('hasty 200')
  vi.useRealTimers()
  for (const agent of [hasty, patient]) agent.destroy()
})

test('unknown tokens have places of their own, of which one network takes a part', async () => {
  const { all, ofOneNetwork } = unprovenLimits
  const waiting = many(ofOneNetwork, () => guess('192.0.2.1'))
  await until(() => heldOf(membershipInfo) === unprovenLimits.running)
  const sameNetwork = guess('192.0.2.1')
  const others = many(all - ofOneNetwork, () => guess('192.0.2.2'))
  const tooMany = guess('192.0.2.3')
  const working = fetch(origin + staffUrl, { headers: clerk })
  await until(() => heldOf(membershipInfo) === unprovenLimits.running + 1)
  expect((await sameNetwork).statusCode).toBe(503)
  expect((await tooMany).statusCode).toBe(503)
  hold?.open(done)
  expect((await working).status).toBe(200)
  await expectAnswered([...waiting, ...others])
})

test('calls of an unknown token that wait begin when one of them is answered', async () => {
  const { running: atOnce, ofOneNetwork } = unprovenLimits
  const first = guess('192.0.2.1', 'Bearer new')
  await until(() => heldOf(membershipInfo) === 1)
  const answerFirst = hold?.open
  const open = holdCalls()
  const guesses = many(atOnce - 1, (n) => guess('192.0.2.1', `Bearer guess-${n}`))
  const stranger = guess('192.0.2.1', 'Bearer another')
  // None of these has a place yet, and the network may have no more.
  const later = many(ofOneNetwork - atOnce - 1, () => guess('192.0.2.1', 'Bearer new'))
  expect((await guess('192.0.2.1')).statusCode).toBe(503)
  answerFirst?.(done)
  expect((await first).statusCode).toBe(200)
  // The guesses keep their places, so one stranger begins, and all calls of the token.
  await until(() => heldOf(membershipInfo) === atOnce + later.length + 1)
  open(done)
  await expectAnswered([...guesses, ...later, stranger])
  // The waiting calls have left their places: the network may use all of them again.
  const openAgain = holdCalls()
  const again = many(ofOneNetwork, (n) => guess('192.0.2.1', `Bearer again-${n}`))
  expect((await guess('192.0.2.1')).statusCode).toBe(503)
  openAgain(done)
  await expectAnswered(again)
})

describe('public calls', () => {
  test('of one network take a part of their places, and none of the clerks’', async () => {
    const waiting = many(publicLimits.ofOneNetwork, (n) => logIn(`2001:db8::${n}`))
    await until(() => heldOf(login) > 0)
    const began = performance.now()
    const late = await logIn('2001:db8::ffff')
    expect([late.statusCode, late.headers['retry-after']]).toEqual([503, '1'])
    expect(late.json()).toMatchObject({ data: { unchanged: true } })
    // A client that ignores `Retry-After` waits all the same.
    expect(performance.now() - began).toBeGreaterThan(900)
    const other = logIn('2001:db8:1::1')
    const working = fetch(origin + staffUrl, { headers: clerk })
    await until(() => heldOf(membershipInfo) === 1)
    hold?.open(done)
    expect((await working).status).toBe(200)
    const statuses = (await Promise.all([other, ...waiting])).map(({ statusCode }) => statusCode)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('of many networks are refused late, and clerks are served', async () => {
    const waiting = many(publicLimits.all + 50, (n) => logIn(`192.0.${n >> 7}.${n & 127}`))
    await until(() => heldOf(login) > 0)
    // The places are taken, so this one is refused before the web framework sees it.
    const late = fetch(origin + loginUrl, { method: 'POST' })
    const working = fetch(origin + staffUrl, { headers: clerk })
    await until(() => heldOf(membershipInfo) === 1)
    const answer = await late
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    hold?.open(done)
    expect((await working).status).toBe(200)
    const statuses = (await Promise.all(waiting)).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(publicLimits.all)
    expect(statuses.filter((status) => status === 503)).toHaveLength(50)
  })
})
