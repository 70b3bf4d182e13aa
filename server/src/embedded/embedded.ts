import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chownToServer, findBinaries, hasDatabase, type Home, makeHome } from './embedded-home.ts'
import { addressOf, leaseOf, reasonIn, start, type StartOptions, stateOf } from './launch.ts'
import { lock } from './lock.ts'
import { isAlive, postmaster } from './postmaster.ts'
import { sayIfSlow } from '../process/wait.ts'

/** A real PostgreSQL run by this program, for a shop's own machine, development and tests. */
export type Embedded = {
  /** The owner's connection URL; `migrate` derives the program's own role from it. */
  url: string
  /**
   * From now on restarts the server, at the same address, whenever it has ended. A failure is
   * reported once, and tried again until it succeeds: a full disk may have space again.
   */
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
  const lease = leaseOf(home)
  await writeFile(lease, '')
  const options = { fast, own }
  let timer: NodeJS.Timeout | undefined
  return {
    url: await ensureRunning(home, options),
    restartWhenGone(report) {
      const once = withoutRepeats(report)
      timer ??= setInterval(() => void restartIfGone(home, options, once), 500)
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

/** Starts the server unless it runs. @returns its connection URL */
async function ensureRunning(home: Home, options: StartOptions): Promise<string> {
  const unlock = await sayIfSlow(
    `another process, which is starting PostgreSQL in ${home.folder}`,
    lock(join(home.folder, 'start')),
  )
  try {
    const password = await initialise(home, options.fast)
    const port = await sayIfSlow(
      `PostgreSQL in ${home.folder}, which may be recovering from a crash`,
      portOf(home, password, options),
    )
    return addressOf(password, port)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
    const message = `PostgreSQL did not start: the disk is full; see ${home.folder}`
    throw new Error(message, { cause: error })
  } finally {
    unlock()
  }
}

async function portOf(home: Home, password: string, options: StartOptions): Promise<number> {
  return (await runningPort(home, password)) ?? (await start(home, password, options))
}

const restarting = new Set<string>()
const restarted = 'PostgreSQL had ended and was restarted'

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
    report(restarted)
  } catch (error) {
    report(error instanceof Error ? error.message : String(error))
  } finally {
    restarting.delete(home.folder)
  }
}

function withoutRepeats(report: (event: string) => void): (event: string) => void {
  let last = ''
  return (event) => {
    if (event === last) return
    report(event)
    last = event === restarted ? '' : event
  }
}

/**
 * Creates the data folder on the first start, or does nothing when it exists. Renamed at the end,
 * so it is never half made; a failure removes what exists by then.
 * @returns the owner's password
 */
async function initialise(home: Home, fast: boolean): Promise<string> {
  const passwordFile = join(home.folder, 'password')
  if (await hasDatabase(home)) return readFileSync(passwordFile, 'utf8')
  const password = randomBytes(24).toString('base64url')
  const fresh = `${home.cluster}.new`
  await rm(fresh, { recursive: true, force: true })
  try {
    await writeDurably(passwordFile, password)
    await chownToServer(home, passwordFile)
    await createCluster(home, fresh, passwordFile, fast)
    await rename(fresh, home.cluster)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    await rm(passwordFile, { force: true })
    throw error
  }
  return password
}

/** The cluster is useless without its password, also after a power cut. */
async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function createCluster(
  home: Home,
  fresh: string,
  passwordFile: string,
  fast: boolean,
): Promise<void> {
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
  if (made.status === 0) return
  const reason = made.error?.message ?? reasonIn(made.stderr)
  throw new Error(`PostgreSQL could not create a database in ${home.folder}: ${reason}`)
}

/** Returns the port of a server that already answers here, or null when none runs. */
async function runningPort(home: Home, password: string): Promise<number | null> {
  let silentSince = Date.now()
  for (;;) {
    const running = await postmaster(home)
    if (running === null) return null
    const { pid, port } = running
    const state = port === null ? 'silent' : await stateOf(addressOf(password, port))
    if (state === 'ready') return port
    if (state === 'busy') silentSince = Date.now()
    if (Date.now() > silentSince + 10_000) {
      // It neither answers nor ends: an immediate shutdown loses nothing that was committed.
      process.kill(pid, 'SIGQUIT')
      await sleep(500)
    }
    await sleep(100)
  }
}

/** Stops the server of a folder, if it runs, and removes its data. */
export async function removeEmbedded(folder: string): Promise<void> {
  await destroy(await makeHome(folder))
}

async function destroy(home: Home): Promise<void> {
  const running = await postmaster(home)
  if (running !== null) {
    process.kill(running.pid, 'SIGINT')
    while (isAlive(running.pid)) await sleep(20)
  }
  await rm(home.folder, { recursive: true, force: true })
}
