import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Kills PostgreSQL as the kernel does when it is out of memory or a machine loses its power:
 * without a chance to say or write anything.
 * @param folder where the embedded server lives
 * @param alone only the first process, whose children then have to notice
 */
export function killPostgres(folder: string, alone: boolean): void {
  const file = join(folder, 'postgres/cluster/postmaster.pid')
  const first = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  const all = alone ? [first] : [first, ...childrenOf(first)]
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was about to end by itself.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | null {
  try {
    // The name in brackets may hold anything; the parent is the second field behind it.
    const [, parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(parent)
  } catch {
    return null
  }
}
