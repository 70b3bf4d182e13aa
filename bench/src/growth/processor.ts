import { readdir, readFile } from 'node:fs/promises'

/** Processor time so far, in seconds, of the processes that this process has started. */
export type ProcessorTime = { database: number; server: number }

// Linux counts in hundredths of a second (USER_HZ) on all platforms that Node supports.
const ticksPerSecond = 100

type Process = { pid: number; parent: number; name: string; ticks: number }

/** The time of PostgreSQL's processes and of Node's, without this process. */
export async function processorTime(): Promise<ProcessorTime> {
  const all = await readProcesses()
  const children = Map.groupBy(all, ({ parent }) => parent)
  const time = { database: 0, server: 0 }
  const open = [process.pid]
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of children.get(pid) ?? []) {
      open.push(child.pid)
      if (child.name.startsWith('postgres')) time.database += child.ticks / ticksPerSecond
      else if (/node|MainThread/i.test(child.name)) time.server += child.ticks / ticksPerSecond
    }
  }
  return time
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
