// The browser journeys against the real product: a fresh database with the demo companies, the
// server as an operator starts it, and Debian's Chromium and Firefox. `node e2e/run.ts redeem` runs
// one file, `--project=firefox` one browser, and with FIREFOX_ALL=1 Firefox plays all that it can.
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@tillside/server/embedded/embedded'
import { migrate } from '@tillside/server/database/migrate'
import { startServer } from '@tillside/server/testing/servers/process'
import * as z from 'zod/mini'
import { build, environment, node, root } from '../tools/setup.mjs'
import { findChromium, installChromium } from './support/browser/chromium.ts'
import { findFirefox, installFirefox } from './support/browser/firefox.ts'

const Results = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
})
const resultsFile = join(root, 'e2e/test-results/results.json')
/** What has to be ended, the newest first, however this program ends. */
const endings: (() => Promise<unknown>)[] = []

async function main(): Promise<number> {
  const chromium = findChromium() ?? installChromium()
  if (chromium === null) {
    process.stderr.write(
      'The journeys need Chromium: apt-get install chromium fonts-noto-cjk, or set CHROMIUM.\n',
    )
    return 1
  }
  const firefox = wantsFirefox() ? (findFirefox() ?? installFirefox()) : ''
  if (firefox === null) {
    process.stderr.write(
      'The journeys need Firefox: apt-get install firefox-esr, or set FIREFOX, or leave it out ' +
        'with --project=phone --project=tablet.\n',
    )
    return 1
  }
  build()
  const folder = await mkdtemp(join(tmpdir(), 'tillside-e2e-'))
  endings.unshift(() => rm(folder, { recursive: true, force: true }))
  // Started before the server, which then uses it: what is thrown away need not survive a crash.
  const embedded = await startEmbedded(folder, true)
  endings.unshift(() => embedded.destroy())
  const server = startServer({
    DATA_DIR: folder,
    NODE_ENV: 'development',
    DEMO: '1',
    LOG_LEVEL: 'warn',
  })
  endings.unshift(() => {
    server.process.kill('SIGTERM')
    return server.ended
  })
  const begun = performance.now()
  const address = await server.ready
  say(`The product with its demo data stands after ${seconds(begun)} s`)
  await rm(resultsFile, { force: true })
  const code = await play({
    BASE_URL: address,
    E2E_DATA_DIR: folder,
    E2E_DATABASE_URL: await migrate(embedded.url),
    CHROMIUM: chromium,
    FIREFOX: firefox,
  })
  return (await told()) ? code : 1
}

/** Whether no project is named, or one of Firefox's. */
function wantsFirefox(): boolean {
  const named = process.argv.filter((word) => word.startsWith('--project='))
  return named.length === 0 || named.some((word) => word.startsWith('--project=firefox'))
}

/** Runs the journeys. @returns the exit code of the runner */
function play(settings: Record<string, string>): Promise<number> {
  const runner = join(root, 'node_modules/@playwright/test/cli.js')
  const child = spawn(node, [runner, 'test', '--config', 'e2e', ...process.argv.slice(2)], {
    cwd: root,
    env: { ...environment(), ...settings },
    stdio: 'inherit',
  })
  const ended = new Promise<number>((done) => {
    child.once('error', () => done(1))
    child.once('exit', (code, signal) => {
      if (signal !== null) say(`The runner was ended by ${signal}`)
      done(code ?? 1)
    })
  })
  // Interrupted, it closes its browsers before it ends.
  endings.unshift(() => {
    child.kill('SIGINT')
    return ended
  })
  return ended
}

/** Says how it went. @returns whether there was anything to say */
async function told(): Promise<boolean> {
  const text = await readFile(resultsFile, 'utf8').catch(() => null)
  if (text === null) {
    say('e2e: the runner left no results')
    return false
  }
  const { stats } = Results.parse(JSON.parse(text))
  const left = stats.skipped === 0 ? '' : `, ${stats.skipped} skipped`
  if (stats.flaky > 0) say(`e2e: ${stats.flaky} only passed when tried again, see above: a bug`)
  say(`e2e: ${stats.expected + stats.flaky} passed, ${stats.unexpected} failed${left}`)
  return true
}

async function endAll(): Promise<void> {
  for (const end of endings.splice(0)) await end()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => void endAll().finally(() => process.exit(1)))
}
try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await endAll()
}
