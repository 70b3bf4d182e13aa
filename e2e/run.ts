// Plays the browser journeys against the real product: a new database with the demo companies, the
// server as an operator starts it, and Debian's Chromium and Firefox.
//
//   npx node e2e/run.ts               a short run: each journey once, on the size that fits it
//   npx node e2e/run.ts --all         a full run: every size, and Firefox
//   npx node e2e/run.ts redeem        the files whose path contains "redeem"
//   npx node e2e/run.ts --serve       starts the product and keeps it; later runs use it at once
//
// The runner accepts its own options too, such as --project=tablet, --grep or --trace=on.
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { build, environment, node, root } from '../tools/setup.mjs'
import { findChromium, installChromium } from './support/browser/chromium.ts'
import { findFirefox, installFirefox } from './support/browser/firefox.ts'
import { findProduct, type Product, startProduct } from './support/demo/product.ts'

const Results = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
})
const resultsFile = join(root, 'e2e/test-results/results.json')
const options = process.argv.slice(2)
const isLong = options.includes('--all')
/** The functions that clean up, the newest first. */
const endings: (() => Promise<unknown>)[] = []

async function main(): Promise<number> {
  const browsers = findBrowsers()
  if (browsers === null) return 1
  build()
  const product = options.includes('--serve') ? null : await findProduct()
  const { settings } = product ?? (await start())
  if (options.includes('--serve')) {
    say(`The product runs at ${settings.BASE_URL}. Press Control+C to stop it.`)
    await new Promise(() => setInterval(() => undefined, 60_000))
  }
  await rm(resultsFile, { force: true })
  const code = await play({ ...settings, ...browsers })
  return (await reportResults()) ? code : 1
}

async function start(): Promise<Product> {
  const begun = performance.now()
  const product = await startProduct(options.includes('--serve'), isLong)
  endings.unshift(product.stop)
  say(`The product with its demo data is ready after ${seconds(begun)} s`)
  return product
}

/** The browsers' paths for the runner, or null where one is missing. */
function findBrowsers(): Record<string, string> | null {
  const chromium = findChromium(isLong) ?? installChromium(isLong)
  if (chromium === null) {
    process.stderr.write(
      'The journeys need Chromium: apt-get install chromium-headless-shell fonts-noto-cjk, or ' +
        'set CHROMIUM.\n',
    )
    return null
  }
  const firefox = needsFirefox() ? (findFirefox() ?? installFirefox()) : ''
  if (firefox === null) {
    process.stderr.write(
      'A full run needs Firefox: apt-get install firefox-esr, or set FIREFOX, or leave it ' +
        'out with --project=phone --project=tablet.\n',
    )
    return null
  }
  return { CHROMIUM: chromium, FIREFOX: firefox }
}

/** Whether Firefox plays: its project is named, or a full run is asked for without a project. */
function needsFirefox(): boolean {
  const projects = options.filter((word) => word.startsWith('--project='))
  if (projects.length === 0) return isLong
  return projects.some((word) => word.startsWith('--project=firefox'))
}

/** Runs the journeys. @returns the exit code of the runner */
function play(settings: Record<string, string>): Promise<number> {
  const runner = join(root, 'node_modules/@playwright/test/cli.js')
  const words = options.filter((word) => word !== '--all')
  const child = spawn(node, [runner, 'test', '--config', 'e2e', ...words], {
    cwd: root,
    env: { ...environment(), ...settings, E2E_FORM: isLong || needsFirefox() ? 'long' : 'short' },
    stdio: 'inherit',
  })
  const ended = new Promise<number>((done) => {
    child.once('error', () => done(1))
    child.once('exit', (code, signal) => {
      if (signal !== null) say(`The runner was ended by ${signal}`)
      done(code ?? 1)
    })
  })
  // After an interrupt the runner closes its browsers before it ends.
  endings.unshift(() => {
    child.kill('SIGINT')
    return ended
  })
  return ended
}

/** Prints the sums. @returns whether the runner left any results */
async function reportResults(): Promise<boolean> {
  const text = await readFile(resultsFile, 'utf8').catch(() => null)
  if (text === null) {
    say('e2e: the runner left no results')
    return false
  }
  const { stats } = Results.parse(JSON.parse(text))
  const left = stats.skipped === 0 ? '' : `, ${stats.skipped} skipped`
  if (stats.flaky > 0) say(`e2e: ${stats.flaky} passed only at the second try, see above: a bug`)
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
