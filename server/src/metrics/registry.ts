import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import type { AtOnce } from '../http/request.ts'
import type { Observe } from '../http/observe.ts'
import type { CallerSource } from '../staff/held.ts'
import { readWork } from './work.ts'

/** The figures that the application counts while it serves. */
export type Counters = {
  /** Counts one answer of the server. */
  observe: Observe
  /** Counts a change that could be one call of a database function, and whether it was. */
  countAtOnce: AtOnce['count']
  /** Counts one authenticated caller. */
  countCaller: (source: CallerSource) => void
}

/** The metrics of this process, for Prometheus. */
export type Metrics = {
  contentType: string
  counters: Counters
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>
}

// From an answer from memory to the time limit of a request.
const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const workFreshMs = 5_000

/**
 * Creates the metrics of one process.
 * @param serving the database as requests use it
 * @param monitoring a database with a connection of its own, so that an exhausted pool can still be
 *   observed
 */
export function createMetrics(serving: Database, monitoring: Database): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'tillside_request_duration_seconds',
    help: 'Duration of requests by route pattern and outcome',
    labelNames: ['endpoint', 'outcome'],
    buckets: seconds,
    registers: [registry],
  })
  const atOnce = new Counter({
    name: 'tillside_one_round_trip_total',
    help: 'Changes that a database function can answer, and whether it did',
    labelNames: ['endpoint', 'answered'],
    registers: [registry],
  })
  const callers = new Counter({
    name: 'tillside_callers_total',
    help: 'Authenticated callers: remembered and confirmed, or read from the database',
    labelNames: ['source'],
    registers: [registry],
  })
  poolGauges(serving, registry)
  const collectWork = workGauges(monitoring, registry)
  return {
    contentType: registry.contentType,
    counters: {
      observe: (endpoint, outcome, duration) => requests.observe({ endpoint, outcome }, duration),
      countAtOnce: (endpoint, isAnswered) =>
        atOnce.inc({ endpoint, answered: isAnswered ? 'yes' : 'no' }),
      countCaller: (source) => callers.inc({ source }),
    },
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
  gauge('tillside_pool_connections', 'Open connections to the database', () => serving.usage().open)
  gauge('tillside_pool_idle', 'Idle connections to the database', () => serving.usage().idle)
  gauge('tillside_pool_waiting', 'Requests waiting for a connection', () => serving.usage().waiting)
}

/** Metrics from database rows, and hence the same for every process: queues and jobs. */
function workGauges(monitoring: Database, registry: Registry): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const up = gauge(
    'tillside_database_up',
    '1 if the database answered this scrape, otherwise 0',
    [],
  )
  const waiting = gauge('tillside_outbox_waiting', 'Events and messages waiting to be sent', [
    'company',
    'channel',
  ])
  const oldest = gauge(
    'tillside_outbox_oldest_seconds',
    'Seconds that the oldest of them has waited',
    ['company', 'channel'],
  )
  const jobAge = gauge('tillside_job_age_seconds', 'Seconds since the job last finished', [
    'company',
    'task',
  ])
  let fresh: { until: number; read: Promise<void> } | null = null
  async function read(): Promise<void> {
    const work = await readWork(monitoring).catch(() => null)
    up.set(work === null ? 0 : 1)
    // After a failure no old values are exported.
    for (const one of [waiting, oldest, jobAge]) one.reset()
    for (const { company, channel, count, oldestSeconds } of work?.queues ?? []) {
      waiting.set({ company, channel }, count)
      oldest.set({ company, channel }, oldestSeconds)
    }
    for (const { company, job, seconds: age } of work?.jobs ?? [])
      jobAge.set({ company, task: job }, age)
  }
  // The database is queried at most once per `workFreshMs`, however often the metrics are
  // requested.
  return () => {
    if (fresh === null || performance.now() > fresh.until) {
      fresh = { until: performance.now() + workFreshMs, read: read() }
    }
    return fresh.read
  }
}
