import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import { findBinaries, type Home } from './embedded-home.ts'
import { clearCrash, readLines, startOf } from './postmaster.ts'

export type StartOptions = { fast: boolean; own: Readonly<Record<string, string>> }

const silentMs = 60_000
/** Obstacles that pass: processes of the server before, and another program at the port. */
const passing = /pre-existing shared memory block|could not bind|could not create any TCP/
const attempts = 5

/**
 * Starts the server. The caller has the lock and no server runs here.
 * @returns the port, once the server answers
 * @throws Error with one line that names PostgreSQL's reason
 */
export async function start(home: Home, password: string, options: StartOptions): Promise<number> {
  await clearCrash(home)
  await clearLeases(home)
  const log = join(home.folder, 'postgres.log')
  for (let n = 1; ; n++) {
    const port = await choosePort(home)
    const logFile = openSync(log, 'a')
    const { size } = fstatSync(logFile)
    try {
      const exited = await launch(home, port, logFile, options)
      await rememberPort(home, port)
      if (await isReady(addressOf(password, port), exited)) return port
    } finally {
      closeSync(logFile)
    }
    const said = readFileSync(log).subarray(size).toString()
    if (n === attempts || !passing.test(said)) {
      throw new Error(`PostgreSQL did not start: ${reasonIn(said)}; see ${log}`)
    }
    await sleep(500)
  }
}

/** The last error in PostgreSQL's output, in one line. */
export function reasonIn(output: string): string {
  if (/No space left on device|Check free disk space/.test(output)) return 'the disk is full'
  const errors = [...output.matchAll(/(?:FATAL|PANIC|error): +(.+)/g)]
  return errors.at(-1)?.[1] ?? (output.trim().split('\n').at(-1) || 'it gave no reason')
}

export function addressOf(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

// Tests lose nothing with a crash. Two files at once may each have two server processes.
const forTests = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/** Starts the server process and its guard. @returns whether the process has exited */
async function launch(
  home: Home,
  port: number,
  logFile: number,
  { fast, own }: StartOptions,
): Promise<() => boolean> {
  const { postgres } = await findBinaries(home)
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '100',
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(fast ? forTests : {}),
    ...own,
  }
  const child = spawn(
    postgres,
    ['-D', home.cluster, ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    // In its own process group, so that Ctrl-C reaches only the program, which then stops in order.
    { detached: true, stdio: ['ignore', logFile, logFile], cwd: home.folder, ...home.identity },
  )
  child.once('error', () => {})
  child.unref()
  if (child.pid === undefined) throw new Error('PostgreSQL could not be started')
  guard(home, child.pid)
  return () => child.exitCode !== null || child.signalCode !== null
}

/** Waits until the server answers. @returns false when it has exited, or is silent for too long */
async function isReady(url: string, exited: () => boolean): Promise<boolean> {
  const giveUp = Date.now() + silentMs
  for (;;) {
    const state = await stateOf(url)
    if (state === 'ready') return true
    if (exited() || (state === 'silent' && Date.now() > giveUp)) return false
    await sleep(30)
  }
}

/**
 * Whether a server answers. After a crash, a server first replays its log, which can take minutes.
 * Meanwhile, and while it shuts down, it refuses connections with SQLSTATE 57P03.
 */
export async function stateOf(url: string): Promise<'ready' | 'busy' | 'silent'> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return 'ready'
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return 'silent'
    return error.code === '57P03' ? 'busy' : 'ready'
  } finally {
    await client.end().catch(() => {})
  }
}

// Removes the leases of ended processes and stops the server (fast shutdown) when none is left. A
// zombie has ended, and a process of another user has not.
const guardScript = `
cd "$1" || exit 1
alive() {
  if [ -d /proc/self ]
  then [ -d "/proc/$1" ] && ! grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null
  else kill -0 "$1" 2>/dev/null
  fi
}
while alive "$2"; do
  used=
  for lease in *; do
    if alive "\${lease%%-*}"; then used=1; else rm -f "$lease"; fi
  done
  [ -n "$used" ] || kill -INT "$2"
  sleep 1
done`

function guard(home: Home, pid: number): void {
  spawn('sh', ['-c', guardScript, 'tillside-guard', home.leases, String(pid)], {
    detached: true,
    stdio: 'ignore',
  })
    .once('error', () => {})
    .unref()
}

/**
 * A lease is an empty file, which needs no space on the disk. Its name has the process id and the
 * time at which the process started.
 */
export function leaseOf(home: Home): string {
  return join(home.leases, `${process.pid}-${startOf(process.pid)}`)
}

/** Removes leases from before a crash, whose process ids may belong to other programs now. */
async function clearLeases(home: Home): Promise<void> {
  for (const name of await readdir(home.leases)) {
    const [pid, started] = name.split('-')
    if (startOf(Number(pid)) !== started) await rm(join(home.leases, name), { force: true })
  }
}

/** The same port as before if it is free: other processes know the server by it. */
async function choosePort(home: Home): Promise<number> {
  const [last = '0'] = readLines(join(home.folder, 'port'))
  const port = (await freePort(Number(last))) ?? (await freePort(0))
  if (port === null) throw new Error('no free port')
  return port
}

async function rememberPort(home: Home, port: number): Promise<void> {
  const file = join(home.folder, 'port')
  if (readLines(file)[0] === String(port)) return
  const fresh = `${file}.new`
  // Without space on the disk, the next start may choose another port.
  await writeFile(fresh, String(port)).then(
    () => rename(fresh, file),
    () => rm(fresh, { force: true }),
  )
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
