import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from './app.ts'
import { isCluster } from './cluster/check.ts'
import { startDelivery, startJobs } from './jobs/runner.ts'
import { startFromConfig } from './embedded/archive.ts'
import { type Config, readConfig } from './process/config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { ensureFree, listenError, type Place } from './process/listen.ts'
import { createLog, type Log } from './process/log.ts'
import type { Counters } from './metrics/registry.ts'
import { migrate, migrating } from './database/migrate.ts'
import { isWorker, type Processes, notifyReady, startProcesses } from './process/processes.ts'
import { sayIfSlow } from './process/wait.ts'
import { followReplica } from './database/replica.ts'
import { sendersOf } from './verification/senders.ts'

function giveUp(): void {
  process.exit(1)
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  // The parent (`npm start`, `node --watch`) was killed, so no signal from it stops this process.
  let stop: (signal: string) => void = giveUp
  if (!isWorker) process.once('disconnect', () => stop('disconnect'))
  if (!isWorker) for (const place of placesOf(config)) await ensureFree(place)
  const embedded = config.databaseUrl === undefined ? await startFromConfig(config) : null
  embedded?.restartWhenGone((event) => log.error({ event }, 'embedded PostgreSQL'))
  const owner = embedded?.url ?? config.databaseUrl ?? ''
  const url = await sayIfSlow(migrating, migrate(owner, config.databaseAppUrl))
  const lead = config.processes > 1 && !isWorker
  if (config.demo) {
    const { applyDemoCompanies } = await import('./demo/companies.ts')
    const database = openDatabase(url, 10, true, true)
    await applyDemoCompanies(database, log)
    await database.close()
  }
  const running = lead
    ? await startProcesses(config.processes, settingsOfOne(config, owner), (code) =>
        log.error({ code }, 'process exited'),
      )
    : await serve(config, { url, owner }, log)

  const close = async (): Promise<void> => {
    // No request takes this long. A nightly job may, and another process repeats it.
    setTimeout(() => process.exit(0), config.drainSeconds * 1000 + 15_000).unref()
    await running.close()
    await embedded?.release()
    process.exit(0)
  }
  stop = (signal) => {
    stop = () => {}
    log.info({ signal }, 'stopping')
    void close()
  }
  process.on('SIGTERM', (signal) => stop(signal))
  process.on('SIGINT', (signal) => stop(signal))
  if (isWorker) return notifyReady(running.address)

  // Read by people and scripts, so it is not a log line.
  process.stdout.write(`Tillside is ready at ${running.address}\n`)
  if (config.demo) {
    const { demoNotice } = await import('./demo/companies.ts')
    process.stdout.write(demoNotice(running.address))
  }
}

/** Every address on which this process and its workers listen. */
function placesOf(config: Config): Place[] {
  const { metrics, processes } = config
  if (metrics === null) return [portalPlace(config)]
  const variables = { port: 'METRICS_PORT', host: 'METRICS_HOST' }
  const ports = metrics.port === 0 ? [] : Array.from({ length: processes }, (_, n) => n)
  return [
    portalPlace(config),
    ...ports.map((n) => ({ host: metrics.host, port: metrics.port + n, variables })),
  ]
}

function portalPlace({ port, host }: Config): Place {
  return { port, host, variables: { port: 'PORT', host: 'HOST' } }
}

/**
 * Environment variables of one worker process; the lead process has already prepared the database.
 */
function settingsOfOne(
  { jobs, metrics }: Config,
  owner: string,
): (n: number) => Record<string, string> {
  return (n) => ({
    DATABASE_URL: owner,
    ARCHIVE_DIR: '',
    DEMO: '0',
    // One process is enough for background jobs.
    JOBS: jobs && n === 0 ? '1' : '0',
    // Each process has metrics of its own.
    ...(metrics === null || metrics.port === 0 ? {} : { METRICS_PORT: `${metrics.port + n}` }),
  })
}

/** Listens on the port until it is closed. */
async function serve(
  config: Config,
  { url, owner }: { url: string; owner: string },
  log: Log,
): Promise<Processes> {
  const database = openDatabase(url, 10, true, true)
  const standby = config.replicaUrl && openDatabase(config.replicaUrl, 10, true, true)
  const replica = standby
    ? followReplica(standby, database, (event) => log.warn({ event }, 'standby'))
    : undefined
  let leaving = false
  const watch = config.metrics && (await startMetrics(database, url, config.metrics))
  const app = await createApp(database, log, {
    outboxPage: config.development,
    portal: config.portalDir,
    apiRoots: config.apiRoots,
    portalOrigins: config.portalOrigins,
    trustedProxies: config.trustedProxies,
    requestsPerMinute: config.requestsPerMinute,
    leaving: () => leaving,
    replica,
    // On a cluster, a function cannot be called beside the row that finds its member.
    oneRoundTrip: config.oneRoundTrip && !(await isCluster(database)),
    remembersSessions: config.remembersSessions,
    ...watch?.counters,
  })
  const address = await app
    .listen({ port: config.port, host: config.host })
    .catch((error: unknown) => Promise.reject(listenError(error, portalPlace(config))))
  const senders = sendersOf(config, log)
  const workers = config.jobs
    ? [startJobs(database, log, undefined, owner), startDelivery(database, log, { senders })]
    : []
  return {
    address,
    async close() {
      leaving = true
      // It is no longer ready, and closes each connection after its next answer, so load balancers
      // send new requests elsewhere.
      const idle = workers.map((worker) => worker.stop())
      await pause(config.drainSeconds * 1000)
      // Requests in flight are answered, new ones refused, and the current batch of each job is
      // finished.
      await Promise.all([app.close(), ...idle])
      await replica?.close()
      await Promise.all([database.close(), watch?.close()])
    },
  }
}

/** Loaded only when metrics are enabled. */
async function startMetrics(
  database: Database,
  url: string,
  where: { port: number; host: string },
): Promise<{ counters: Counters; close(): Promise<void> }> {
  const [{ createMetrics }, { serveMetrics }] = await Promise.all([
    import('./metrics/registry.ts'),
    import('./metrics/serve.ts'),
  ])
  const monitoring = openDatabase(url, 1)
  const metrics = createMetrics(database, monitoring)
  const server = await serveMetrics(metrics, where)
  process.stdout.write(`Metrics are at ${server.address}\n`)
  return {
    counters: metrics.counters,
    close: async () => void (await Promise.all([server.close(), monitoring.close()])),
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    `Tillside could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exit(1)
})
