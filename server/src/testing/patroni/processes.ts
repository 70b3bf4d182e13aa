import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, closeSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

// PostgreSQL refuses to run as root.
const nobody = 65534
export const identity = getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/**
 * Starts a program in a folder, as a user that PostgreSQL accepts. Its output is in the file `log`
 * there.
 */
export function startIn(folder: string, program: string, words: readonly string[]): ChildProcess {
  const { PATH = '/usr/bin:/bin' } = process.env
  const env = { PATH, HOME: folder, LC_ALL: 'C.UTF-8' }
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, words, {
    cwd: folder,
    env,
    stdio: ['ignore', log, log],
    ...identity,
  })
  closeSync(log)
  return child
}

/** The processes whose working directory is in this folder, whoever started them. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
      } catch {
        return false // it has ended
      }
    })
}

/**
 * Kills every process that works in a folder, also those that a killed Patroni has left behind.
 * Resolves when none is left.
 */
export async function killAllIn(folder: string): Promise<void> {
  for (let pids = processesIn(folder); pids.length > 0; pids = processesIn(folder)) {
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended already.
      }
    }
    await sleep(50)
  }
}
