import { createApp } from './app.ts'
import { startDelivery, startJobs } from './jobs/runner.ts'
import { readConfig } from './kit/config.ts'
import { openDatabase } from './kit/database.ts'
import { startEmbedded } from './kit/embedded.ts'
import { createLog } from './kit/log.ts'
import { migrate } from './kit/migrate.ts'
import { sendersOf } from './verification/senders.ts'

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = createLog(config)
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config.dataDir) : null
  const database = openDatabase(
    await migrate(embedded?.url ?? config.databaseUrl ?? '', config.databaseAppUrl),
  )
  if (config.demo) {
    const { applyDemoCompanies } = await import('./demo/companies.ts')
    await applyDemoCompanies(database, log)
  }
  const app = await createApp(database, log, {
    outboxPage: !config.production,
    portal: config.portalDir,
  })
  const address = await app.listen({ port: config.port, host: config.host })
  const senders = sendersOf(config, log)
  const workers = config.jobs
    ? [startJobs(database, log), startDelivery(database, log, { senders })]
    : []

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    // Nothing that anybody waits for takes so long; a nightly look may, and begins again elsewhere.
    setTimeout(() => process.exit(0), 15_000).unref()
    // Answers what is in flight, takes nothing new; the batch in hand is finished.
    await Promise.all([app.close(), ...workers.map((worker) => worker.stop())])
    await database.close()
    await embedded?.release()
    process.exit(0)
  }
  process.on('SIGTERM', (signal) => void stop(signal))
  process.on('SIGINT', (signal) => void stop(signal))

  // For people and scripts alike, hence not a line of the log.
  process.stdout.write(`Tillside is ready at ${address}\n`)
  if (config.demo) {
    const { demoNotice } = await import('./demo/companies.ts')
    process.stdout.write(demoNotice(address))
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    `Tillside could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exit(1)
})
