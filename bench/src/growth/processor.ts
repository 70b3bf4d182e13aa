import { readdir, readFile } from 'node:fs/promises'

/** Processor time so far, in seconds. */
export type ProcessorTime = { database: number; server: number }

// Linux counts in hundredths of a second (USER_HZ) on all platforms that Node supports.
const ticksPerSecond = 100

type Process = { pid: number; parent: number; name: string; ticks: number }

/**
 * The time of PostgreSQL's processes and of Node's that this process has started.
 * @param only the process whose time, with that of the processes that it started, is the server's
 */
export async function processorTime(only?: number): Promise<ProcessorTime> {
  const all = await readProcesses()
  const children = Map.groupBy(all, ({ parent }) => parent)
  const started = descendants(children, process.pid)
  const own = started.filter(({ pid }) => pid === only)
  const servers = only === undefined ? started : [...own, ...descendants(children, only)]
  const database = started.filter(({ name }) => name.startsWith('postgres'))
  const server = servers.filter(({ name }) => /node|MainThread/i.test(name))
  return { database: secondsOf(database), server: secondsOf(server) }
}

type Children = ReadonlyMap<number, Process[]>

function descendants(children: Children, pid: number): Process[] {
  const own = children.get(pid) ?? []
  return own.concat(own.flatMap((child) => descendants(children, child.pid)))
}

function secondsOf(processes: readonly Process[]): number {
  return processes.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond
}

async function readProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  )
  return stats.filter((stat) => stat !== '').map(processOf)
}

/**
 * proc(5): after the name in brackets, field 2 is the parent, and fields 12 to 15 are the times.
 */
function processOf(stat: string): Process {
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
  return {
    pid: Number(stat.slice(0, stat.indexOf(' '))),
    parent: Number(fields[1]),
    name: stat.slice(stat.indexOf('(') + 1, end),
    ticks,
  }
}
