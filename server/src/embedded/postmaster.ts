import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { readdir, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chownToServer, type Home } from './embedded-home.ts'

/** The server process of this folder, and its port once it has one. */
export async function postmaster(home: Home): Promise<{ pid: number; port: number | null } | null> {
  const [line, , , port] = readLines(pidFileOf(home))
  const pid = Number(line)
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmaster(pid, home)) return null
  return { pid, port: port === undefined || port === '' ? null : Number(port) }
}

function pidFileOf(home: Home): string {
  return join(home.cluster, 'postmaster.pid')
}

/**
 * Whether a process is this folder's server. After a crash postmaster.pid still exists, and its
 * process id may by now belong to another program, even to one that has opened a file of this
 * folder. The server may have been started with another path of the folder, by symbolic links.
 */
function isPostmaster(pid: number, home: Home): boolean {
  const place = /^\S.*\/postgres -D (.*?) -c /.exec(commandOf(pid))?.[1]
  return place !== undefined && realPathOf(place) === realPathOf(home.cluster)
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The command line of a process, its words separated by spaces; empty when it has ended. */
function commandOf(pid: number): string {
  if (existsSync('/proc/self/cmdline')) {
    return readLines(`/proc/${pid}/cmdline`).join('\n').replaceAll('\0', ' ')
  }
  const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  return `${stdout.trim()} `
}

/**
 * Prepares the folder of a server that was killed for a new one. PostgreSQL refuses to start when
 * the old server's file is empty, or names the id of any existing process.
 * The caller has the lock and no server runs here.
 */
export async function clearCrash(home: Home): Promise<void> {
  await endOrphans(home)
  const [line = '', ...others] = readLines(pidFileOf(home))
  if (others.length === 0 && line === '') return rm(pidFileOf(home), { force: true })
  // PostgreSQL ignores its parent's process id. The other lines name the shared memory of the old
  // server, which PostgreSQL checks for processes that still use it.
  const fresh = join(home.folder, 'postmaster.pid.new')
  await writeFile(fresh, [process.pid, ...others].join('\n'), { mode: 0o600 })
  await chownToServer(home, fresh)
  await rename(fresh, pidFileOf(home))
}

/** Ends the processes of a killed server, which continue until they notice that it is gone. */
async function endOrphans(home: Home): Promise<void> {
  const cluster = realPathOf(home.cluster)
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    for (let tries = 0; tries < 20; tries++) {
      const orphans = await processesIn(cluster)
      if (orphans.length === 0) return
      if (tries === 0) for (const pid of orphans) kill(pid, signal)
      await sleep(50)
    }
  }
}

/** PostgreSQL's processes that work in a folder. macOS does not say which folder it is: none. */
async function processesIn(folder: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue
    const place = await readlink(`/proc/${name}/cwd`).catch(() => null)
    if (place === folder && commandOf(Number(name)).startsWith('postgres: '))
      found.push(Number(name))
  }
  return found
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

/**
 * When a process started; a later process with the same id has another time. Null when the process
 * has ended, also when it is still listed as a zombie.
 * @returns on Linux the ticks since the machine started, elsewhere milliseconds since 1970
 */
export function startOf(pid: number): string | null {
  if (existsSync('/proc/self/stat')) {
    // Field 22 (proc(5)). The second field, a name in brackets, may contain spaces.
    const [state, ...more] = readLines(`/proc/${pid}/stat`)[0]?.split(') ').at(-1)?.split(' ') ?? []
    return state === 'Z' ? null : (more[18] ?? null)
  }
  const words = ['-o', 'lstart=', '-p', String(pid)]
  const { stdout } = spawnSync('ps', words, { encoding: 'utf8' })
  const began = Date.parse(stdout)
  return Number.isNaN(began) ? null : String(began)
}

export function isAlive(pid: number): boolean {
  return startOf(pid) !== null
}

/** The lines of a file; none when it does not exist, as files below /proc at any time. */
export function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
