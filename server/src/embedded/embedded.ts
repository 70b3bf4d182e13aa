import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openSync, readFileSync } from 'node:fs'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as pg from 'pg'
import { chownToServer, findBinaries, type Home, makeHome } from './embedded-home.ts'

/** A real PostgreSQL run by this program, for a shop's own machine, development and tests. */
export type Embedded = {
  /** The owner's connection URL; `migrate` derives the program's own role from it. */
  url: string
  /** From now on restarts the server, at the same address, whenever it has ended. */
  restartWhenGone(report: (event: string) => void): void
  /** Ends this process's use of the server. The server stops when its last user has released it. */
  release(): Promise<void>
  /** Stops the server now, even if others use it, and removes its data. For temporary data only. */
  destroy(): Promise<void>
}

/**
 * Starts the server of `dataDir`, or uses the one that already runs there.
 *
 * Each process that uses it leaves a lease, a file named by its process id. A guard, a separate
 * shell loop, stops the server within a second of the end of the last such process, even after
 * `kill -9`. A command line shares the server of a running program.
 *
 * @param fast trades durability for speed, for tests that throw the data away
 * @param own additional settings of PostgreSQL
 * @throws Error with one line that names the obstacle
 */
export async function startEmbedded(
  dataDir: string,
  fast = false,
  own: Readonly<Record<string, string>> = {},
): Promise<Embedded> {
  if (process.platform === 'win32')
    throw new Error('on Windows, set DATABASE_URL to a PostgreSQL server')
  const home = await makeHome(dataDir)
  const lease = join(home.leases, String(process.pid))
  await writeFile(lease, '')
  const options = { fast, own }
  let timer: NodeJS.Timeout | undefined
  return {
    url: await ensureRunning(home, options),
    restartWhenGone(report) {
      timer ??= setInterval(() => void restartIfGone(home, options, report), 500)
    },
    async release() {
      clearInterval(timer)
      await rm(lease, { force: true })
    },
    async destroy() {
      clearInterval(timer)
      await destroy(home)
    },
  }
}

type StartOptions = { fast: boolean; own: Readonly<Record<string, string>> }

/** Starts the server unless it runs. @returns its connection URL */
async function ensureRunning(home: Home, options: StartOptions): Promise<string> {
  const unlock = await lock(join(home.folder, 'start.lock'))
  try {
    const password = await initialise(home, options.fast)
    return address(
      password,
      (await runningPort(home, password)) ?? (await start(home, password, options)),
    )
  } finally {
    await unlock()
  }
}

const restarting = new Set<string>()

/** Restarts a server that was killed or ran out of resources. */
async function restartIfGone(
  home: Home,
  options: StartOptions,
  report: (event: string) => void,
): Promise<void> {
  if (restarting.has(home.folder)) return
  restarting.add(home.folder)
  try {
    if ((await postmaster(home)) !== null) return
    await ensureRunning(home, options)
    report('PostgreSQL had ended and was restarted')
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  } finally {
    restarting.delete(home.folder)
  }
}

function address(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** Creates the data folder on the first start. Renamed at the end, so it is never half made. */
async function initialise(home: Home, fast: boolean): Promise<string> {
  const passwordFile = join(home.folder, 'password')
  const exists = await stat(join(home.cluster, 'PG_VERSION')).catch(() => null)
  if (exists !== null) return readFileSync(passwordFile, 'utf8')
  const password = randomBytes(24).toString('base64url')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (home.owner !== null) await chownToServer(home, passwordFile)
  const fresh = `${home.cluster}.new`
  await rm(fresh, { recursive: true, force: true })
  const { initdb } = await findBinaries(home)
  const made = spawnSync(
    initdb,
    [
      `--pgdata=${fresh}`,
      `--pwfile=${passwordFile}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
      ...(fast ? ['--no-sync'] : []),
    ],
    { encoding: 'utf8', cwd: home.folder, ...home.identity },
  )
  if (made.status !== 0)
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`)
  await rename(fresh, home.cluster)
  return password
}

/** Returns the port of a server that already answers here, or null when none runs. */
async function runningPort(home: Home, password: string): Promise<number | null> {
  const giveUp = Date.now() + 10_000
  for (;;) {
    const running = await postmaster(home)
    if (running === null) return null
    const { pid, port } = running
    if (port !== null && (await answers(address(password, port)))) return port
    if (Date.now() > giveUp) {
      // It neither answers nor ends: an immediate shutdown loses nothing that was committed.
      process.kill(pid, 'SIGQUIT')
      await sleep(500)
    }
    await sleep(100)
  }
}

/** The server process of this folder, and its port once it has one. */
async function postmaster(home: Home): Promise<{ pid: number; port: number | null } | null> {
  const [line, , , port] = await readLines(join(home.cluster, 'postmaster.pid'))
  const pid = Number(line)
  if (!Number.isInteger(pid) || pid <= 0 || !alive(pid)) return null
  // After a power cut the file still exists, and its process id may belong to another program.
  const [command = home.cluster] = await readLines(`/proc/${pid}/cmdline`)
  if (!command.includes(home.cluster)) return null
  return { pid, port: port === undefined || port === '' ? null : Number(port) }
}

async function start(home: Home, password: string, { fast, own }: StartOptions): Promise<number> {
  const { postgres } = await findBinaries(home)
  // The same port as before if it is free: other processes know the server by it.
  const portFile = join(home.folder, 'port')
  const [last = '0'] = await readLines(portFile)
  const port = (await freePort(Number(last))) ?? (await freePort(0))
  if (port === null) throw new Error('no free port')
  const logFile = openSync(join(home.folder, 'postgres.log'), 'a')
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '100',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
    ...own,
  }
  const child = spawn(
    postgres,
    ['-D', home.cluster, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    // In its own process group, so that Ctrl-C reaches only the program, which then stops in order.
    { detached: true, stdio: ['ignore', logFile, logFile], cwd: home.folder, ...home.identity },
  )
  child.unref()
  const pid = child.pid
  if (pid === undefined) throw new Error('PostgreSQL could not be started')
  await writeFile(portFile, String(port))
  guard(home, pid)
  const giveUp = Date.now() + 30_000
  while (!(await answers(address(password, port)))) {
    if (child.exitCode !== null || Date.now() > giveUp) {
      throw new Error(`PostgreSQL did not start; see ${join(home.folder, 'postgres.log')}`)
    }
    await sleep(30)
  }
  return port
}

// Removes the leases of ended processes and stops the server (fast shutdown) when none is left.
const guardScript = `
cd "$1" || exit 1
while kill -0 "$2" 2>/dev/null; do
  used=
  for lease in *; do
    if kill -0 "$lease" 2>/dev/null; then used=1; else rm -f "$lease"; fi
  done
  [ -n "$used" ] || kill -INT "$2"
  sleep 1
done`

function guard(home: Home, pid: number): void {
  spawn('sh', ['-c', guardScript, 'tillside-guard', home.leases, String(pid)], {
    detached: true,
    stdio: 'ignore',
  }).unref()
}

async function destroy(home: Home): Promise<void> {
  const running = await postmaster(home)
  if (running !== null) {
    process.kill(running.pid, 'SIGINT')
    while (alive(running.pid)) await sleep(20)
  }
  await rm(home.folder, { recursive: true, force: true })
}

async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const [holder] = await readLines(file)
      if (holder !== undefined && holder !== '' && !alive(Number(holder)))
        await rm(file, { force: true })
      await sleep(50)
    }
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function readLines(file: string): Promise<string[]> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return []
  // A file below /proc can disappear at any time with its process.
  const text = await handle.readFile('utf8').catch(() => '')
  await handle.close()
  return text.split('\n')
}

/** Returns a free port: the wanted one, or any when it is 0; null when it is taken. */
function freePort(wanted: number): Promise<number | null> {
  return new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(null))
    probe.listen(wanted, '127.0.0.1', () => {
      const at = probe.address()
      probe.close(() => done(at !== null && typeof at === 'object' ? at.port : null))
    })
  })
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, milliseconds))
}
