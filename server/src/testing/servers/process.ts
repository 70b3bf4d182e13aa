import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  basePath,
  type Endpoint,
  Envelope,
  idempotencyHeader,
} from '@tillside/contract/wire/endpoint'
import { projectRoot } from '../../process/config.ts'
import { withoutWaits } from '../../process/wait.ts'
import type { Answer } from '../factories/company.ts'
import { queryOf } from '../query.ts'

/** The program as an operator runs it. */
export type ServerProcess = {
  process: ChildProcess
  /** Resolves with the address of the ready line; rejects if the process ends before it. */
  ready: Promise<string>
  /** Its standard output so far. */
  output(): string
  /** Resolves with the exit code and the output; stderr without the lines about waiting. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

// Jobs would also work on the companies of other test files.
const quiet = { DEMO: '0', JOBS: '0' }
// Half of the processor time of a start is spent on compiling the program. A process that is killed
// writes no compile cache at its end, so it writes it when it has started.
const compiled = { NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/tillside') }
const keepCompiled = `import { flushCompileCache } from 'node:module'
setTimeout(flushCompileCache, 2_000).unref()`

/**
 * Starts `main.ts`; of this process's environment it gets only PATH, HOME, and the switches
 * by which a project of vitest.config.ts turns off shortcuts. It stops when this process has ended,
 * as below `npm start`.
 * @param root the folder of the program, where it is another release
 */
export function startServer(
  environment: Record<string, string>,
  root = projectRoot,
): ServerProcess {
  const { PATH = '', HOME = '', ONE_ROUND_TRIP = '1', REMEMBER_SESSIONS = '1' } = process.env
  const switches = { ONE_ROUND_TRIP, REMEMBER_SESSIONS }
  const own = { ...quiet, ...compiled, NODE_ENV: 'production', PORT: '0' }
  const words = ['--import', `data:text/javascript,${encodeURIComponent(keepCompiled)}`]
  const child = spawn(process.execPath, [...words, join(root, 'server/src/main.ts')], {
    env: { ...own, PATH, HOME, ...switches, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const { stdout: out, stderr: err } = child
  if (out === null || err === null) throw new Error('no pipes')
  let [stdout, stderr] = ['', '']
  err.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  out.setEncoding('utf8')
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.once('close', (code) => done({ code, stdout, stderr: withoutWaits(stderr) }))
  })
  const ready = new Promise<string>((done, failed) => {
    out.on('data', (text: string) => {
      stdout += text
      const address = /^Tillside is ready at (\S+)$/m.exec(stdout)?.[1]
      if (address !== undefined) done(address)
    })
    void ended.then(() => failed(new Error(`the server ended before it was ready: ${stderr}`)))
  })
  ready.catch(() => {}) // a test that waits only for `ended` does not handle the rejection
  return { process: child, ready, output: () => stdout, ended }
}

/**
 * How often server processes have answered each path in one round trip, by their metrics. They need
 * METRICS_PORT. The counts of a process that has ended are lost.
 */
export async function countsAtOnce(servers: readonly ServerProcess[]) {
  const counts = new Map<string, number>()
  for (const server of servers) {
    const [, place = ''] = /^Metrics are at (\S+)$/m.exec(server.output()) ?? []
    const text = await (await fetch(place)).text()
    const series = /^tillside_one_round_trip_total\{endpoint="(.*)",answered="yes"\} (\d+)$/gm
    for (const [, path = '', count] of text.matchAll(series)) {
      counts.set(path, (counts.get(path) ?? 0) + Number(count))
    }
  }
  return counts
}

/** Calls a server process over the network as the portal does. */
export async function callAt(
  address: string,
  endpoint: Endpoint,
  input: unknown,
  token: string,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, [idempotencyHeader]: randomUUID() }
  if (endpoint.method === 'POST') return post(address, endpoint, input, headers)
  const url = `${address}${basePath}${endpoint.path}?${queryOf(input)}`
  const response = await fetch(url, { headers })
  return { status: response.status, ...Envelope.parse(await response.json()) }
}

/**
 * Posts to a server process as the portal does. A request with an idempotency key is repeated until
 * it is answered.
 */
export async function post(
  address: string,
  endpoint: Endpoint,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const send = headers[idempotencyHeader] === undefined ? fetch : sendUntilAnswered
  const response = await send(`${address}${basePath}${endpoint.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  })
  return { status: response.status, ...Envelope.parse(await response.json()) }
}

/**
 * Sends a request again after each 503, as clients do: in a race on a slow machine, a request can
 * wait for a lock longer than the server lets it. For requests that may be repeated: those with a
 * key, and receipts.
 */
export async function sendUntilAnswered(url: string, request: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, request)
    if (response.status !== 503 || tries === 30) return response
    await response.body?.cancel()
    await setTimeout(Number(response.headers.get('retry-after') ?? 1) * 1_000)
  }
}
