import { readdir, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtPortal } from '@tillside/server/portal'
import { runNginx } from '@tillside/server/testing/servers/nginx-process'
import { fillMembers, settle } from '../fill.ts'
import { begin, say, printFigure } from '../report.ts'
import { lookUps } from '../shots.ts'
import { openWorld, type World } from '../world.ts'
import { type Flood, startFlood } from './flood.ts'
import { type Addresses, endlessRequests, type StrangerRequest } from './requests.ts'
import { strangerRequests } from './requests.ts'

const members = 1_000
/** Four clerks make this many calls each. */
const callsOfClerk = 50
/** The pause between two calls of a clerk: the flood shows its effect within two seconds. */
const betweenMs = 40
/** The same for requests that never end; they reach the server's time limits meanwhile. */
const betweenEndlessMs = 250
/** How long a flood runs before the clerks begin. */
const beforeMs = 1_000
/** A call that takes longer is late. */
const lateMs = 500
const networks = {
  'one address': ['127.0.0.66'],
  '500 addresses': Array.from({ length: 500 }, (_, n) => `127.0.${1 + (n >> 7)}.${1 + (n & 127)}`),
}

/** `pauseMs`: how long each connection waits after an answer. */
type Strangers = { from: keyof typeof networks; connections: number; pauseMs?: number }

/**
 * Measures how many of a clerk's calls are answered in time while hundreds of connections without a
 * session keep a process busy. Compare with the figure without a flood.
 */
export async function measureStrangers(): Promise<void> {
  const world = await openWorld()
  try {
    await fillMembers(world.ownerUrl, world.companyId, 0, members)
    await settle(world.ownerUrl, world.companyId)
    const trusting = { TRUST_PROXY: '127.0.0.1' }
    const server = (await world.another(trusting)).origin
    const addresses = await addressesIn(server)
    const requests = { ...strangerRequests(addresses), ...endlessRequests }
    const some = pick(requests, ['the login', 'a staff call with an unknown token'])
    const direct = { world, origin: server, where: '' }
    await sayWithout(direct)
    await flood(direct, { from: 'one address', connections: 500 }, requests)
    await flood(direct, { from: '500 addresses', connections: 500 }, some)
    await flood(direct, { from: '500 addresses', connections: 500, pauseMs: 1_000 }, some)
    if (!existsSync('/usr/sbin/nginx')) return say('behind nginx: skipped, there is none')
    const ports = [server, (await world.another(trusting)).origin].map((one) => portOf(one))
    const nginx = await runNginx([ports[0] ?? 0, ports[1] ?? 0], { plain: true })
    try {
      const behind = { world, origin: `http://127.0.0.1:${nginx.port}`, where: 'behind nginx, ' }
      await sayWithout(behind)
      await flood(behind, { from: '500 addresses', connections: 500 }, requests)
      await flood(behind, { from: 'one address', connections: 500 }, some)
      await flood(behind, { from: '500 addresses', connections: 500, pauseMs: 1_000 }, some)
      // More connections than nginx has places for calls of staff and tills.
      const guesses = ['a staff call with an unknown token', 'a till with an unknown key']
      await flood(behind, { from: 'one address', connections: 1_000 }, pick(requests, guesses))
    } finally {
      await nginx.close()
    }
  } finally {
    await world.close()
  }
}

type Counter = { world: World; origin: string; where: string }

async function sayWithout({ world, origin, where }: Counter): Promise<void> {
  // The first call of a clerk to a process shows that the token is valid.
  await clerk(origin, world, 0)
  report(`${where}without a flood`, await callsOf(origin, world, betweenMs), {})
}

async function flood(
  { world, origin, where }: Counter,
  { from, connections, pauseMs = 0 }: Strangers,
  requests: Record<string, StrangerRequest>,
): Promise<void> {
  const speed = pauseMs === 0 ? '' : ` that wait ${pauseMs} ms`
  begin(`strangers: ${where}${connections} connections${speed} from ${from} on`)
  for (const [name, request] of Object.entries(requests)) {
    const kind = { port: portOf(origin), connections, pauseMs, from: networks[from] }
    const running = await startFlood({ ...request, ...kind } satisfies Flood)
    await pause(beforeMs)
    const between = request.endless === undefined ? betweenMs : betweenEndlessMs
    const times = await callsOf(origin, world, between)
    report(name, times, await running.stop())
  }
}

/** Four clerks at the same time. @returns the times of their calls in ms, ascending */
async function callsOf(origin: string, world: World, pauseMs: number): Promise<number[]> {
  const clerks = Array.from({ length: 4 }, () => clerk(origin, world, pauseMs))
  return (await Promise.all(clerks)).flat().toSorted((a, b) => a - b)
}

/** @returns the times of a clerk's calls in ms; that of a refused call is endless */
async function clerk(origin: string, { token, key }: World, pauseMs: number): Promise<number[]> {
  const next = lookUps({ token, key }, { kind: 'mobile', members })
  const times: number[] = []
  for (let n = 0; n < callsOfClerk; n++) {
    const { path, headers } = next()
    const began = performance.now()
    const answer = await fetch(origin + path, { headers })
    const text = await answer.text()
    times.push(text.startsWith('{"code":0') ? performance.now() - began : Infinity)
    if (pauseMs > 0) await pause(pauseMs)
  }
  return times
}

function report(name: string, times: readonly number[], answers: Record<string, number>): void {
  const at = (share: number): number => times[Math.floor(share * times.length)] ?? 0
  printFigure({
    name,
    value: (100 * times.filter((ms) => ms <= lateMs).length) / times.length,
    unit: '% in time',
    target: 99,
    from: { 'p50 ms': at(0.5), 'p99 ms': at(0.99), ...answers },
  })
}

async function addressesIn(origin: string): Promise<Addresses> {
  const page = await (await fetch(`${origin}/bench/login`)).text()
  const logo = /\/web\/logo\/[^"']+/.exec(page)?.[0]
  if (logo === undefined) throw new Error('the login page has no logo')
  const folder = join(builtPortal, 'client/assets')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return { logo, script: `/assets/${names[sizes.indexOf(Math.max(...sizes))]}` }
}

function pick<T>(all: Record<string, T>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

function portOf(origin: string): number {
  return Number(new URL(origin).port)
}
