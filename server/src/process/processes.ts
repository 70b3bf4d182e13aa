import cluster, { type Worker } from 'node:cluster'
import * as z from 'zod/mini'

/** The message of a process to the one that started it, once it answers requests. */
const Ready = z.object({ readyAt: z.string() })

/** The delay before a failed replacement is tried again; the other processes do its work. */
const pauseMs = 1000

/** Several server processes that listen on one port. */
export type Processes = { address: string; close(): Promise<void> }

/** Whether this process is a worker of another one. */
export const isWorker = cluster.isWorker

/** Reports to the process that started this one that it answers requests. */
export function notifyReady(address: string): void {
  process.send?.({ readyAt: address })
}

/**
 * Starts processes of this program, and replaces each that dies.
 * @param settingsOf additional environment variables of the n-th process
 * @param onDeath called for each process that died
 * @returns when all of them answer requests
 * @throws Error when one dies before it is ready
 */
export async function startProcesses(
  count: number,
  settingsOf: (n: number) => Record<string, string>,
  onDeath: (code: number | null) => void,
): Promise<Processes> {
  const workers = new Set<Worker>()
  let closing = false
  const startWorker = (n: number): Promise<string> =>
    new Promise((ready, failed) => {
      const worker = cluster.fork(settingsOf(n))
      let answers = false
      workers.add(worker)
      worker.on('message', (message) => {
        const parsed = Ready.safeParse(message)
        if (!parsed.success) return
        answers = true
        ready(parsed.data.readyAt)
      })
      worker.once('exit', (code) => {
        workers.delete(worker)
        if (closing) return
        if (!answers) return failed(new Error('a process exited before it was ready'))
        onDeath(code)
        replace(n)
      })
    })
  const replace = (n: number): void => {
    startWorker(n).catch(() => {
      onDeath(null)
      setTimeout(() => closing || replace(n), pauseMs)
    })
  }
  const close = async (): Promise<void> => {
    closing = true
    const ended = [...workers].map(
      (worker) =>
        new Promise<void>((done) => {
          worker.once('exit', () => done())
          // Not `worker.kill`, which would close its connections first.
          worker.process.kill('SIGTERM')
        }),
    )
    await Promise.all(ended)
  }
  try {
    const addresses = await Promise.all(Array.from({ length: count }, (_, n) => startWorker(n)))
    return { address: addresses[0] ?? '', close }
  } catch (error) {
    await close()
    throw error
  }
}
