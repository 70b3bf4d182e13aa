import cluster, { type Worker } from 'node:cluster'
import * as z from 'zod/mini'

/** What a process says to the one that began it, as soon as it answers. */
const Ready = z.object({ readyAt: z.string() })

/** Before a process that could not be replaced is tried again; the others do its work. */
const pauseMs = 1000

/** Several server processes that answer on one port. */
export type Processes = { address: string; close(): Promise<void> }

/** Whether this process is one of several that another one looks after. */
export const isWorker = cluster.isWorker

/** Tells the process that began this one that it answers. */
export function notifyReady(address: string): void {
  process.send?.({ readyAt: address })
}

/**
 * Begins so many processes of this very program, and puts another in the place of one that dies.
 * @param settingsOf what the environment of the first, the second, … has besides this one's own
 * @param onDeath is told of each that died
 * @returns when all of them answer
 * @throws Error when one dies before it has answered
 */
export async function startProcesses(
  count: number,
  settingsOf: (n: number) => Record<string, string>,
  onDeath: (code: number | null) => void,
): Promise<Processes> {
  const living = new Set<Worker>()
  let closing = false
  const begin = (n: number): Promise<string> =>
    new Promise((ready, failed) => {
      const worker = cluster.fork(settingsOf(n))
      let answers = false
      living.add(worker)
      worker.on('message', (message) => {
        const said = Ready.safeParse(message)
        if (!said.success) return
        answers = true
        ready(said.data.readyAt)
      })
      worker.once('exit', (code) => {
        living.delete(worker)
        if (closing) return
        if (!answers) return failed(new Error('a process ended before it was ready'))
        onDeath(code)
        replace(n)
      })
    })
  const replace = (n: number): void => {
    begin(n).catch(() => {
      onDeath(null)
      setTimeout(() => closing || replace(n), pauseMs)
    })
  }
  const close = async (): Promise<void> => {
    closing = true
    const ended = [...living].map(
      (worker) =>
        new Promise<void>((done) => {
          worker.once('exit', () => done())
          // Not the worker's own `kill`, which would first cut its connections.
          worker.process.kill('SIGTERM')
        }),
    )
    await Promise.all(ended)
  }
  try {
    const addresses = await Promise.all(Array.from({ length: count }, (_, n) => begin(n)))
    return { address: addresses[0] ?? '', close }
  } catch (error) {
    await close()
    throw error
  }
}
