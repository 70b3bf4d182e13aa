import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../testing/servers/port.ts'
import { projectRoot } from './config.ts'

// `npm start` and `npm run dev` as a person runs them.
let folder: string
const programs: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-start-'))
  await chmod(folder, 0o711)
})
afterAll(async () => {
  // Not SIGKILL, which `npm run dev` cannot pass on to its programs.
  await Promise.all(
    programs.map(async (program) => {
      if (program.kill('SIGTERM')) await ended(program)
    }),
  )
  await rm(folder, { recursive: true, force: true })
})

const { PATH = '', HOME = '' } = process.env
const start = join(projectRoot, 'tools/start.mjs')

/** Starts it, and resolves when its output has the text. */
async function run(
  text: RegExp,
  words: string[],
  environment: Record<string, string>,
): Promise<{ program: ChildProcess; found: string }> {
  const program = spawn(process.execPath, [...words], {
    env: { PATH, HOME, DEMO: '0', JOBS: '0', DATABASE_URL: inject('ownerUrl'), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  programs.push(program)
  let output = ''
  program.stdout.setEncoding('utf8').on('data', (more: string) => (output += more))
  for (;;) {
    const found = text.exec(output)?.[1]
    if (found !== undefined) return { program, found }
    if (program.exitCode !== null) throw new Error(`it ended: ${output}`)
    await sleep(20)
  }
}

async function ended(program: ChildProcess): Promise<void> {
  while (program.exitCode === null && program.signalCode === null) await sleep(20)
}

const status = (url: string): Promise<number> =>
  fetch(url).then(
    (answer) => answer.status,
    () => 0,
  )

test.each([
  ['a server', [start], {}],
  [
    'the first of two server processes',
    [join(projectRoot, 'server/src/main.ts')],
    { PROCESSES: '2' },
  ],
])(
  '%s leaves no child when it is killed',
  async (_name, words, processes) => {
    const port = await freePort()
    const environment = { PORT: String(port), NODE_ENV: 'production', ...processes }
    const { program, found } = await run(/ready at (\S+)/, words, environment)
    expect(await status(`${found}/readyz`)).toBe(200)
    program.kill('SIGKILL')
    const until = performance.now() + 10_000
    while ((await status(`${found}/readyz`)) !== 0) {
      expect(performance.now()).toBeLessThan(until)
      await sleep(50)
    }
    // So the next start finds its port free.
    const again = await run(/ready at (\S+)/, words, environment)
    again.program.kill('SIGTERM')
  },
  120_000,
)

test('npm run dev uses the server at PORT', async () => {
  const port = String(await freePort())
  const { program, found } = await run(/(http:\/\/127\.0\.0\.1:\d+)\//, [start, '--dev'], {
    PORT: port,
    NO_COLOR: '1',
  })
  const path = '/web/api/v1/connector/tier/list'
  while ((await status(`http://127.0.0.1:${port}${path}`)) === 0) await sleep(100)
  expect(await status(`${found}${path}`)).toBe(401)
  program.kill('SIGTERM')
}, 120_000)
