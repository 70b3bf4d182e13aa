import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { type Rate, type Shot, signs } from '../load.ts'

/**
 * Requests in the order in which they are sent. Product and bare server take from the same supply,
 * so that neither repeats a request of the other.
 */
export type Supply = {
  next: () => Shot
  /** Whether a request may be sent again: it changes nothing. */
  mayRepeat: boolean
  /** Prepared requests that no run has sent yet. */
  prepared: Shot[]
}

const preparedPerSecond = { repeated: 5_000, once: 12_000 }

/** The client: its own process, so that its work is in no process that is measured. */
export const client = spawnSync('wrk', ['-v']).error === undefined ? 'wrk' : 'autocannon'

const Run = z.object({
  answers: z.number(),
  seconds: z.number(),
  p50Ms: z.number(),
  p99Ms: z.number(),
  failed: z.number(),
  sent: z.number(),
  wrong: z.number(),
  ranOut: z.boolean(),
  firstWrong: z.string(),
})
/** What a client reports about a run. */
export type Run = z.infer<typeof Run>

/**
 * Sends requests of a supply over `connections` kept-alive connections for some whole seconds. Each
 * connection sends the next request after the last answer (a closed loop).
 * @throws Error if an answer is wrong or missing, or the supply ran out
 */
export async function drive(
  origin: string,
  connections: number,
  seconds: number,
  supply: Supply,
): Promise<Rate & { answers: number }> {
  const { next, mayRepeat, prepared } = supply
  const most = seconds * preparedPerSecond[mayRepeat ? 'repeated' : 'once']
  while (prepared.length < most) prepared.push(next())
  const folder = await mkdtemp(join(tmpdir(), 'tillside-client-'))
  try {
    const file = join(folder, 'requests')
    const asked = { origin, connections, seconds, file, mayRepeat }
    const run = client === 'wrk' ? await runWrk(asked, prepared) : await runNode(asked, prepared)
    if (run.wrong > 0) throw new Error(`${run.wrong} wrong answers, first: ${run.firstWrong}`)
    if (run.failed > 0) throw new Error(`${run.failed} requests without an answer`)
    if (run.ranOut) throw new Error(`more than ${most} requests in ${seconds} s: prepare more`)
    if (run.answers === 0) throw new Error('no answer')
    prepared.splice(0, run.sent)
    const { answers, p50Ms, p99Ms } = run
    return { perSecond: answers / run.seconds, p50Ms, p99Ms, answers }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Asked = {
  origin: string
  connections: number
  seconds: number
  file: string
  mayRepeat: boolean
}

async function runWrk(asked: Asked, shots: readonly Shot[]): Promise<Run> {
  const { origin, connections, seconds, file, mayRepeat } = asked
  await writeFile(file, Buffer.concat(shots.map((shot) => rawRequest(origin, shot))))
  const script = join(import.meta.dirname, 'wrk.lua')
  const load = [`-t1`, `-c${connections}`, `-d${seconds}s`, `--timeout`, `10s`, `-s`, script]
  const own = [file, mayRepeat ? 'again' : 'once', ...signs]
  const output = await outputOf('wrk', [...load, origin, '--', ...own], 'stderr')
  const [answers, micros, p50, p99, failed, sent, wrong, ranOut, ...firstWrong] = output.split('\n')
  return Run.parse({
    answers: Number(answers),
    seconds: Number(micros) / 1e6,
    p50Ms: Number(p50) / 1000,
    p99Ms: Number(p99) / 1000,
    failed: Number(failed),
    sent: Number(sent),
    wrong: Number(wrong),
    ranOut: ranOut !== '0',
    firstWrong: firstWrong.join('\n'),
  })
}

/** The bytes of a request, after a line with their number. */
function rawRequest(origin: string, { method, path, headers, body = '' }: Shot): Buffer {
  const length = method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {}
  const all = { host: new URL(origin).host, ...headers, ...length }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes])
}

async function runNode(asked: Asked, shots: readonly Shot[]): Promise<Run> {
  await writeFile(asked.file, JSON.stringify({ ...asked, shots, signs }))
  const program = join(import.meta.dirname, 'autocannon.ts')
  return Run.parse(JSON.parse(await outputOf(process.execPath, [program, asked.file], 'stdout')))
}

function outputOf(
  program: string,
  words: readonly string[],
  from: 'stdout' | 'stderr',
): Promise<string> {
  const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(program, words, { stdio })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (part: string) => (output[name] += part))
  }
  return new Promise((done, failed) => {
    child.once('error', failed)
    child.once('close', (code) => {
      if (code === 0) done(output[from])
      else failed(new Error(`${program} ended with ${code}: ${output.stderr}`))
    })
  })
}
