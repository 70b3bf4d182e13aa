import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import { join } from 'node:path'
import { startServer } from '@tillside/server/testing/servers/process'
import { environment, node, root } from '../../../tools/setup.mjs'
import { copyAsNext } from './next-build.ts'

/** The product's own for this run, thrown away at its end. */
const dataFolder = process.env['E2E_DATA_DIR'] ?? ''

/** The next version's title, which shows which version is running. */
export const nextTitle = 'Log in, please'

/** Makes the portal's next version. @returns the folder of the build */
export async function buildNext(): Promise<string> {
  // Each worker has its own, also the one that repeats a failed journey.
  const project = await mkdtemp(join(dataFolder, 'next-'))
  if (process.env['E2E_FORM'] === 'long') return buildFromSource(project)
  await copyAsNext(project, nextTitle)
  return project
}

async function buildFromSource(project: string): Promise<string> {
  const folder = join(project, 'portal')
  await cp(join(root, 'tsconfig.base.json'), join(project, 'tsconfig.base.json'))
  const manual = 'docs/manual'
  await cp(join(root, manual), join(project, manual), { recursive: true })
  const portal = join(root, 'portal')
  await cp(portal, folder, { recursive: true, filter: isSource })
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
  await symlink(join(portal, 'node_modules'), join(folder, 'node_modules'))
  const texts = join(folder, 'src/locales/en-US.po')
  const before = await readFile(texts, 'utf8')
  const changed = before.replace(/(msgid "login\.title"\nmsgstr )".*"/, `$1"${nextTitle}"`)
  await writeFile(texts, changed)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const first = ['--ssr', 'src/first-page.tsx', '--outDir', 'dist/server']
  for (const more of [[], first]) {
    execFileSync(node, [vite, 'build', ...more], {
      cwd: folder,
      env: { ...environment(), COMPRESS: '0' },
    })
  }
  return join(folder, 'dist')
}

function isSource(path: string): boolean {
  return !/\/portal\/(dist|node_modules)(\/|$)/.test(path)
}

/**
 * A second server process on the same database, with another build of the portal or other settings.
 */
export async function serveBuild(folder: string, settings: Record<string, string> = {}) {
  const server = startServer({
    DATA_DIR: dataFolder,
    NODE_ENV: 'development',
    PORTAL_DIR: folder,
    LOG_LEVEL: 'warn',
    ...settings,
  })
  const address = await server.ready
  return {
    address,
    async close(): Promise<void> {
      server.process.kill('SIGTERM')
      await server.ended
    },
  }
}

/** One address whose server can be exchanged, as an upgrade does. */
export type Gateway = {
  address: string
  /** From now on this server answers; null: a captive portal that answers every request itself. */
  switchTo: (target: string | null) => void
  /** Each request's path with the status of its answer. */
  asked: { path: string; status: number }[]
  close: () => Promise<void>
}

/** Opens a front on a port of its own. */
export async function openGateway(first: string): Promise<Gateway> {
  let target: string | null = first
  const asked: Gateway['asked'] = []
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/'
    if (target === null) {
      asked.push({ path, status: 200 })
      outgoing.writeHead(200, { 'content-type': 'text/html' })
      outgoing.end('<!doctype html><title>Free Wi-Fi</title><h1>Welcome</h1>')
      return
    }
    const { method, headers } = incoming
    const onward = request(new URL(path, target), { method, headers }, (answer) => {
      asked.push({ path, status: answer.statusCode ?? 0 })
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the front has no port')
  return {
    address: `http://127.0.0.1:${bound.port}`,
    switchTo: (next) => {
      target = next
    },
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
