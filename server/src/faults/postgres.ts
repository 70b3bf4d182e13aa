import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Kills PostgreSQL with SIGKILL, as the kernel does when memory runs out.
 * @param folder of the embedded server
 * @param alone kill only the postmaster, and leave its child processes to notice
 */
export function killPostgres(folder: string, alone: boolean): void {
  const file = join(folder, 'postgres/cluster/postmaster.pid')
  const first = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  const all = alone ? [first] : [first, ...childrenOf(first)]
  for (const pid of all) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended already.
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
    // The name in brackets can contain any character. The parent is the second field after it.
    const [, parent] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return Number(parent)
  } catch {
    return null
  }
}
