import { type Command, Option } from 'commander'
import { checkCluster } from '../cluster/distribute.ts'
import { companyNamed, everyCompany } from '../company/find.ts'
import { deliverOutbox } from '../outbox/webhooks.ts'
import {
  actCommand,
  columns,
  howToFill,
  jsonCommand,
  NoDatabase,
  print,
  withDatabase,
} from '../database/command.ts'
import { readConfig } from '../process/config.ts'
import type { Database } from '../database/database.ts'
import type { ActOptions } from '../process/author.ts'
import { createLog } from '../process/log.ts'
import { sendMessages } from '../verification/deliver.ts'
import { channels } from '../verification/message.ts'
import { sendersOf } from '../verification/senders.ts'
import { type Finding, findViolations, invariantCount } from './invariants.ts'
import { type JobName, runJob } from './job.ts'
import { jobs } from './runner.ts'
import { counted } from '../text/counted.ts'

type Options = ActOptions & { company?: string }

/** `tillside jobs …` and `tillside doctor` */
export function registerJobs(program: Command): void {
  const group = program.command('jobs').description('Run background jobs')
  const run = group.command('run').description('Run a job now; safe while servers are running')
  for (const job of Object.values(jobs)) {
    actCommand(run, job.name, descriptions[job.name])
      .addOption(companyOption())
      .option('--now', `even if it ran in the last ${job.everyMinutes} minutes`)
      .action(async (options: Options & { now?: boolean }) => runOne(job.name, options))
  }
  jsonCommand(run, 'outbox', 'Deliver webhook events and messages to customers')
    .addOption(companyOption())
    .option('--now', 'retry failed deliveries without waiting')
    .action(deliver)
  jsonCommand(program, 'doctor', 'Check all data invariants')
    .addOption(companyOption())
    .action(runDoctor)
}

const descriptions: Record<JobName, string> = {
  practice: 'Make the data of practice companies again',
  names: 'Fold the names of members for the search by name',
  expiry: 'Write off expired points',
  tiers: 'Review tiers whose period has ended',
  retention: 'Delete data whose retention period has ended',
  invariants: 'Check the invariants and log violations; doctor shows the details',
}

function companyOption(): Option {
  return new Option('--company <identifier>', 'only this company (default: every company)')
}

async function companiesOf(database: Database, { company }: Options) {
  if (company === undefined) return everyCompany(database)
  return [{ id: await companyNamed(database, company), identifier: company.toLowerCase() }]
}

async function runOne(name: JobName, options: Options & { now?: boolean }): Promise<void> {
  const log = createLog({ logLevel: 'silent' })
  const now = options.now ?? false
  const job = jobs[name]
  const answer = await withDatabase(
    async ({ database }) => {
      const ran = []
      for (const { id, identifier } of await companiesOf(database, options)) {
        if (job.isFor?.(identifier) === false) continue
        ran.push({ company: identifier, ...(await runJob(database, id, job, log, { now })) })
      }
      return ran
    },
    { act: options, asOwner: job.asOwner ?? false },
  )
  const lines = answer.map((ran) => [ran.company, String(ran.done), ran.outcome])
  print(options.json, answer, columns([['COMPANY', 'DONE', 'OUTCOME'], ...lines]))
  const found = answer.reduce((sum, ran) => sum + ran.done, 0)
  if (name === 'invariants' && found > 0) {
    throw new Error(`${found} violations; run tillside doctor for details`)
  }
}

async function deliver(options: Options & { now?: boolean }): Promise<void> {
  const now = options.now ?? false
  const senders = sendersOf(readConfig(process.env), createLog({ logLevel: 'silent' }))
  const answer = await withDatabase(async ({ database }) => {
    const ran = []
    for (const { id, identifier } of await companiesOf(database, options)) {
      const runs = await Promise.all([
        deliverOutbox(database, id, { now }),
        ...channels.map((channel) => sendMessages(database, id, channel, senders, { now })),
      ])
      ran.push({
        company: identifier,
        done: runs.reduce((sum, run) => sum + run.done, 0),
        outcome: runs.some((run) => run.outcome === 'left') ? 'left' : 'finished',
        problems: runs.flatMap((run) => run.problems),
      })
    }
    return ran
  })
  const lines = answer.map((ran) => [
    ran.company,
    String(ran.done),
    ran.outcome,
    ran.problems.join('; '),
  ])
  print(options.json, answer, columns([['COMPANY', 'DONE', 'OUTCOME', 'PROBLEMS'], ...lines]))
}

async function runDoctor(options: Options): Promise<void> {
  const results = await withDatabase(async ({ database, ownerUrl }) => {
    await checkCluster(ownerUrl)
    const checked: { company: string; findings: Finding[] }[] = []
    for (const { id, identifier } of await companiesOf(database, options)) {
      const findings = await database.reading(id, (tx) => findViolations(tx, id))
      checked.push({ company: identifier, findings })
    }
    if (checked.length === 0) throw new NoDatabase(`the database has no company; ${howToFill}`)
    return checked
  })
  const lines = results.flatMap(({ company, findings }) =>
    findings.map((f) => [company, f.rule, f.invariant, f.memberId ?? '-', f.found]),
  )
  const number = results.length
  const companies = counted(number, 'company', 'companies')
  print(options.json, { invariants: invariantCount, companies: results }, [
    ...columns(lines),
    ...(lines.length === 0 ? [`${companies}, ${invariantCount} invariants: all hold`] : []),
  ])
  if (lines.length > 0) {
    const affected = results.filter(({ findings }) => findings.length > 0).length
    throw new Error(`${counted(lines.length, 'violation')} in ${affected} of ${companies}`)
  }
}
