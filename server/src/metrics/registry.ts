import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import type { Observe } from '../http/observe.ts'
import { readWork } from './work.ts'

/** What this process counts, and how it is written down for Prometheus. */
export type Metrics = {
  contentType: string
  /** One answer of the server, as it has been given. */
  observe: Observe
  /** Everything, in Prometheus' text format. */
  text(): Promise<string>
}

// From an answer out of memory to the time limit of a request.
const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const workFreshMs = 5_000

/**
 * Counts what one process does.
 * @param serving the database as requests use it
 * @param looking a connection of its own, so that a pool with nothing left can still be seen
 */
export function createMetrics(serving: Database, looking: Database): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tillside_request_duration_seconds',
    help: 'Answers, by the pattern of their route and how they went',
    labelNames: ['endpoint', 'outcome'],
    buckets: seconds,
    registers: [registry],
  })
  poolGauges(serving, registry)
  const collectWork = workGauges(looking, registry)
  return {
    contentType: registry.contentType,
    observe: (endpoint, outcome, duration) => requests.observe({ endpoint, outcome }, duration),
    async text() {
      await collectWork()
      return registry.metrics()
    },
  }
}

function poolGauges(serving: Database, registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('tillside_pool_connections', 'Connections to the database', () => serving.usage().open)
  gauge('tillside_pool_idle', 'Those of them that nobody uses', () => serving.usage().idle)
  gauge('tillside_pool_waiting', 'Requests that wait for one', () => serving.usage().waiting)
}

/** What is a row, and hence the same for every process: queues and jobs. */
function workGauges(looking: Database, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const up = gauge('tillside_database_up', '1 when the database answered this very question', [])
  const waiting = gauge('tillside_outbox_waiting', 'What is still to be sent', [
    'company',
    'channel',
  ])
  const oldest = gauge('tillside_outbox_oldest_seconds', 'How long the oldest of it has waited', [
    'company',
    'channel',
  ])
  const jobAge = gauge('tillside_job_age_seconds', 'Since a job had last nothing left to do', [
    'company',
    'task',
  ])
  let fresh: { until: number; read: Promise<void> } | null = null
  async function read(): Promise<void> {
    const work = await readWork(looking).catch(() => null)
    up.set(work === null ? 0 : 1)
    // Nothing rather than something old.
    for (const one of [waiting, oldest, jobAge]) one.reset()
    for (const { company, channel, count, oldestSeconds } of work?.queues ?? []) {
      waiting.set({ company, channel }, count)
      oldest.set({ company, channel }, oldestSeconds)
    }
    for (const { company, job, seconds: age } of work?.jobs ?? [])
      jobAge.set({ company, task: job }, age)
  }
  // However often and by however many it is asked, the database is asked this often.
  return () => {
    if (fresh === null || performance.now() > fresh.until) {
      fresh = { until: performance.now() + workFreshMs, read: read() }
    }
    return fresh.read
  }
}
