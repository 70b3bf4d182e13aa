import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod/mini'

/** Many connections, each of which sends its next request when it has an answer. */
export type Flood = {
  port: number
  connections: number
  /** The client addresses, in turn. */
  from: readonly string[]
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  /** The wait after an answer; by default none. */
  pauseMs?: number
  /** The requests never end: their header or their body grows by a byte each second. */
  endless?: 'header' | 'body'
}
export type RunningFlood = {
  /** Ends it. @returns the number of answers by HTTP status */
  stop(): Promise<Record<string, number>>
}

const Counts = z.record(z.string(), z.int())

/** Starts a flood in a process of its own, so that it does not delay the test's own requests. */
export async function startFlood(flood: Flood): Promise<RunningFlood> {
  const program = join(import.meta.dirname, 'flood.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(flood)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  await once(child.stdout, 'data')
  return { stop: () => stop(child, () => output) }
}

async function stop(child: ChildProcess, output: () => string): Promise<Record<string, number>> {
  const closed = once(child, 'close')
  child.stdin?.end()
  await closed
  return Counts.parse(JSON.parse(output().split('\n')[1] ?? ''))
}

function wordsOf({ method, path, headers, body, endless }: Flood): Buffer {
  const lines = Object.entries({ host: 'counter.example.com', ...headers })
  const length = endless === 'body' ? 60_000 : Buffer.byteLength(body ?? '')
  if (length > 0) lines.push(['content-length', `${length}`])
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const end = endless === 'header' ? 'x-endless: x' : `\r\n${body ?? ''}`
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}${end}`)
}

/** Runs in the process: prints a line when it begins, and the counts at the end of its input. */
async function run(flood: Flood) {
  const { port, connections, from, pauseMs = 0, endless } = flood
  const words = wordsOf(flood)
  const counts: Record<string, number> = {}
  let over = false
  const open = (n: number): void => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from[n % from.length] })
    let left = 0
    socket.once('connect', () => socket.write(words))
    if (endless !== undefined) {
      const growing = setInterval(() => socket.write('x'), 1000)
      socket.once('close', () => clearInterval(growing))
    }
    socket.on('data', (part: Buffer) => {
      if (left > 0) left -= part.length
      else {
        const end = part.indexOf('\r\n\r\n')
        const text = part.toString('latin1', 0, end)
        const status = text.slice(9, 12)
        counts[status] = (counts[status] ?? 0) + 1
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        left = length - (part.length - end - 4)
      }
      if (left > 0 || over || endless !== undefined) return
      if (pauseMs === 0) socket.write(words)
      else setTimeout(() => socket.writable && socket.write(words), pauseMs)
    })
    socket.on('error', () => {})
    // A connection that the server closed is opened again.
    socket.on('close', () => over || setTimeout(open, 10, n))
  }
  for (let n = 0; n < connections; n++) open(n)
  process.stdout.write('running\n')
  for await (const _ of process.stdin);
  over = true
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
}

if (process.argv[1] === import.meta.filename) {
  await run(JSON.parse(process.argv[2] ?? ''))
}
