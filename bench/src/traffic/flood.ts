// A worker that sends requests at a fixed rate, whether or not they are answered, as customers do.
// It uses plain sockets, because the client must cost less than the server that it overloads.
import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import * as z from 'zod/mini'
import { type Shot, signs } from '../load.ts'
import { everything } from './mix.ts'

const Order = z.object({
  origin: z.string(),
  token: z.string(),
  key: z.string(),
  members: z.number(),
  /** Run one after another without a pause. `perSecond` null: a closed loop of 32 connections. */
  phases: z.array(z.object({ perSecond: z.nullable(z.number()), seconds: z.number() })),
})
export type Order = z.infer<typeof Order>

/** The results of one phase; times are milliseconds from when a request was due. */
export type Seen = {
  /** Successful answers a second. */
  goodPerSecond: number
  goodP99Ms: number
  /** Refusals of connections that were not refused in the second before. */
  refused: number
  refusedP50Ms: number
  refusedP99Ms: number
  /** Refusals of connections that did not wait for `Retry-After`. */
  repeated: number
  repeatedP50Ms: number
  repeatedP99Ms: number
  /** Answers that were neither successful nor refused with 503 and Retry-After. */
  wrong: number
  /** Requests that were due but not sent, because no connection was free. */
  unsent: number
  /**
   * When the last request was due that was refused or slow, in seconds from the start of the phase.
   */
  calmAfterSeconds: number
}

// All sockets are opened first: clients at a counter do not connect for each request.
const mostSockets = 1_000
const closedLoop = 32
const longMs = 500

type Answer = {
  dueMs: number
  tookMs: number
  kind: 'good' | 'refused' | 'wrong'
  /** Sent within `Retry-After` of a refusal of its connection. */
  repeated: boolean
}

const { origin, token, key, members, phases } = Order.parse(workerData)
const { hostname, port, host } = new URL(origin)
const next = everything({ token, key }, members)
const idle: Socket[] = []
const refusedAtMs = new WeakMap<Socket, number>()
while (idle.length < mostSockets) idle.push(await opened())

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
for (const phase of phases) parentPort?.postMessage(await run(phase))
process.exit(0)

async function run({ perSecond, seconds }: Order['phases'][number]): Promise<Seen> {
  const began = performance.now()
  const answers: Answer[] = []
  let [due, unsent, open] = [0, 0, 0]
  const elapsedMs = (): number => performance.now() - began
  function send(dueMs: number): void {
    const socket = idle.pop()
    if (socket === undefined) {
      unsent += 1
      return
    }
    open += 1
    const repeated =
      performance.now() - (refusedAtMs.get(socket) ?? Number.NEGATIVE_INFINITY) < 1_000
    ask(socket, next(), (kind) => {
      open -= 1
      if (kind === 'refused') refusedAtMs.set(socket, performance.now())
      answers.push({ dueMs, tookMs: elapsedMs() - dueMs, kind, repeated })
      if (perSecond === null && elapsedMs() < seconds * 1000) send(elapsedMs())
    })
  }
  if (perSecond === null) for (let n = 0; n < closedLoop; n++) send(0)
  await new Promise<void>((done) => {
    const timer = setInterval(() => {
      const elapsed = elapsedMs() / 1000
      const until = perSecond === null ? 0 : Math.floor(Math.min(elapsed, seconds) * perSecond)
      for (; due < until; due++) send((due / (perSecond ?? 1)) * 1000)
      // Waits up to ten seconds for open requests.
      if (elapsed < seconds || (open > 0 && elapsed < seconds + 10)) return
      clearInterval(timer)
      done()
    }, 1)
  })
  return { ...summary(answers, seconds), unsent, wrong: wrongOf(answers) + open }
}

function summary(answers: readonly Answer[], seconds: number) {
  const took = (of: (answer: Answer) => boolean) =>
    answers
      .filter(of)
      .map((answer) => answer.tookMs)
      .toSorted((a, b) => a - b)
  const good = took(({ kind }) => kind === 'good')
  const refused = took(({ kind, repeated }) => kind === 'refused' && !repeated)
  const again = took(({ kind, repeated }) => kind === 'refused' && repeated)
  // Counts only answers within the phase, not late ones.
  const within = answers.filter((a) => a.kind === 'good' && a.dueMs + a.tookMs <= seconds * 1000)
  const uneasy = answers.filter((a) => a.kind !== 'good' || a.tookMs > longMs)
  return {
    goodPerSecond: within.length / seconds,
    goodP99Ms: at(good, 0.99),
    refused: refused.length,
    refusedP50Ms: at(refused, 0.5),
    refusedP99Ms: at(refused, 0.99),
    repeated: again.length,
    repeatedP50Ms: at(again, 0.5),
    repeatedP99Ms: at(again, 0.99),
    calmAfterSeconds: uneasy.reduce((last, a) => Math.max(last, a.dueMs), 0) / 1000,
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(sorted.length * share)] ?? 0
}

function wrongOf(answers: readonly Answer[]): number {
  return answers.filter(({ kind }) => kind === 'wrong').length
}

function opened(): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.once('connect', () => done(socket.removeAllListeners()))
    socket.once('error', failed)
  })
}

/** Sends one request and reads its answer; then the socket is free again. */
function ask(
  socket: Socket,
  { method, path, headers, body }: Shot,
  answered: (kind: Answer['kind']) => void,
): void {
  let text = ''
  const end = (kind: Answer['kind']): void => {
    socket.removeAllListeners()
    socket.on('error', () => {})
    if (kind === 'wrong') socket.destroy()
    else idle.push(socket)
    answered(kind)
  }
  socket.on('data', (part: Buffer) => {
    text += part.toString('latin1')
    const head = text.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? Number.NaN)
    if (text.length < head + 4 + length) return
    if (text.startsWith('HTTP/1.1 503') && /retry-after: \d/i.test(text)) end('refused')
    else end(signs.some((sign) => text.includes(sign, head + 4)) ? 'good' : 'wrong')
  })
  socket.on('error', () => end('wrong'))
  socket.on('close', () => end('wrong'))
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
