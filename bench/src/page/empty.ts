import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium, type Browser } from 'playwright-core'
import { build } from 'vite'
import { median } from './load.ts'

const rounds = 5
const root = join(import.meta.dirname, '../..')
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run']
const alone = ['--disable-background-networking', '--disable-component-update', '--disable-sync']

// Runs in the page.
const largestPaint = `new Promise((done) => {
  new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({
    type: 'largest-contentful-paint', buffered: true })
})`

// Lighthouse's "slow 4G" as the browser's own throttling applies it, and a phone a quarter as fast.
const slow4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: 184_000,
  uploadThroughput: 84_000,
}
const slowPhone = { rate: 4 }

/**
 * What a first visit costs: kilobytes over the wire by kind, and milliseconds to the largest paint.
 */
export type Visit = { largestPaintMs: number; bytes: Record<string, number> }

/**
 * The login page against an empty React page, in turns, on the slow profile. Null without a
 * browser.
 */
export async function comparePages(login: string): Promise<{ login: Visit; empty: Visit } | null> {
  if (!existsSync(executablePath)) return null
  const browser = await chromium.launch({ executablePath, args: [...quiet, ...alone] })
  const empty = await emptyReactPage()
  try {
    const visits: Record<'login' | 'empty', Visit[]> = { login: [], empty: [] }
    for (let round = 0; round < rounds; round++) {
      visits.login.push(await visit(browser, login))
      visits.empty.push(await visit(browser, empty.url))
    }
    return { login: middle(visits.login), empty: middle(visits.empty) }
  } finally {
    await browser.close()
    await empty.close()
  }
}

function middle(visits: Visit[]): Visit {
  const bytes = visits.at(-1)?.bytes ?? {}
  return { largestPaintMs: median(visits.map((v) => v.largestPaintMs)), bytes }
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4G)
  await session.send('Emulation.setCPUThrottlingRate', slowPhone)
  const kinds = new Map<string, string>()
  const bytes: Record<string, number> = {}
  session.on('Network.responseReceived', (e) => kinds.set(e.requestId, e.type))
  session.on('Network.loadingFinished', (e) => {
    const kind = kinds.get(e.requestId) ?? 'Other'
    bytes[kind] = (bytes[kind] ?? 0) + e.encodedDataLength
  })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(1_500)
  const largestPaintMs = await page.evaluate<number>(largestPaint)
  await context.close()
  return { largestPaintMs, bytes }
}

/**
 * React and nothing else, built and compressed as the portal is: what no portal in React can
 * undercut.
 */
async function emptyReactPage(): Promise<{ url: string; close(): Promise<void> }> {
  // Inside the project, so that react is found; removed again.
  const folder = await mkdtemp(join(root, 'bench/.empty-'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><title>Empty</title>' +
      '<meta name="viewport" content="width=device-width"><div id="root"></div>' +
      '<script type="module" src="/main.js"></script>',
  )
  await writeFile(
    join(folder, 'main.js'),
    `import { createElement } from 'react'\nimport { createRoot } from 'react-dom/client'\n` +
      `createRoot(document.getElementById('root')).render(createElement('h1', null, 'Log in'))\n`,
  )
  const outDir = await mkdtemp(join(tmpdir(), 'tillside-empty-'))
  await build({ root: folder, logLevel: 'error', build: { outDir, emptyOutDir: true } })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '/')
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    readFile(join(outDir, path)).then(
      (body) =>
        response
          .writeHead(200, { 'content-type': type, 'content-encoding': 'br' })
          .end(brotliCompressSync(body)),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${at.port}/`,
    async close() {
      server.close()
      await rm(folder, { recursive: true, force: true })
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
