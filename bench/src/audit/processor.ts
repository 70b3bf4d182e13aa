import { readdir, readFile } from 'node:fs/promises'
import type * as pg from 'pg'

/**
 * Processor time so far of a process and of its PostgreSQL together, in µs. Linux only.
 * @param owner a connection of the database's owner, which does not count
 */
export async function processorTime(pid: string, owner: pg.Client): Promise<number> {
  const sql = 'select pid::text from pg_stat_activity where pid <> pg_backend_pid()'
  const { rows } = await owner.query<{ pid: string }>(sql)
  const ids = rows.map((row) => row.pid)
  const [first = ''] = ids
  const times = [...ids, pid].map(timeOf).concat(timeOfEndedChildren(await parentOf(first)))
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0)
}

/** Of all threads. proc(5): the first field of `schedstat` is the time on a processor, in ns. */
async function timeOf(pid: string): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const times = threads.map(async (thread) => {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0')
    return Number(text.split(' ')[0]) / 1000
  })
  return (await Promise.all(times)).reduce((sum, n) => sum + n, 0)
}

// proc(5): fields 4, 16 and 17 of `stat`; the second may contain spaces.
async function statOf(pid: string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
async function parentOf(pid: string): Promise<string> {
  return (await statOf(pid))[1] ?? ''
}
/** In ticks of 10 ms. */
async function timeOfEndedChildren(pid: string): Promise<number> {
  const stat = await statOf(pid)
  return (Number(stat[13]) + Number(stat[14])) * 10_000
}
