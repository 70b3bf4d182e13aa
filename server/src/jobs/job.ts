import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import type { Log } from '../process/log.ts'
import { todaySql } from '../database/reads/today.ts'

export type JobName = 'practice' | 'names' | 'expiry' | 'tiers' | 'retention' | 'invariants'

/** The company of a batch, as read in its transaction. */
export type JobCompany = {
  id: string
  identifier: string
  revision: number
  timeZone: string
  /** The current day in the company's time zone. */
  today: string
  /** When the job last had nothing left to do; null: never, or the operator runs it now. */
  finishedAt: string | null
}

/** Background work that is repeated for each company, in batches. */
export type Job = {
  name: JobName
  /** The time after a finished run in which it is not due again. */
  everyMinutes: number
  /** Whether it deletes rows that only the owner of the database may delete. */
  asOwner?: boolean
  /** Whether it has work for the company of this identifier; absent: for every company. */
  isFor?(identifier: string): boolean
  /**
   * One small transaction. It may be interrupted at any time and repeated by another process.
   * @returns how much was done, and whether another batch is needed. `advanced`: the next batch has
   *   other work, although this one did nothing.
   */
  batch(
    tx: Transaction,
    company: JobCompany,
    log: Log,
  ): Promise<{ done: number; left: boolean; advanced?: boolean }>
}

const insertJob = statement(
  'insert into job (company_id, name) values ($1, $2) on conflict do nothing',
  z.unknown(),
)
// Skips a locked row: another process is then running the job.
const lockJob = lockOf(
  'job',
  ['company_id', 'name'],
  `select c.company_id as id, c.identifier, c.revision, c.time_zone,
     ${todaySql('c')} as today,
     j.finished_at,
     j.finished_at is null or j.finished_at <= now() - make_interval(mins => $3) as due
   from job j join company c using (company_id)
   where j.company_id = $1 and j.name = $2 for update of j skip locked`,
  z.object({
    id: z.string(),
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    today: z.string(),
    finished_at: z.nullable(z.string()),
    due: z.boolean(),
  }),
  'finished_at',
)
// A bitmap scan would read all expired rows to find the first ones; the planner's statistics do not
// show how many there are.
const disableBitmapScan = statement(
  `select set_config('enable_bitmapscan', 'off', true)`,
  z.object({ set_config: z.string() }),
)
const isDue = statement(
  `select not exists (
     select from job where company_id = $1 and name = $2
       and finished_at > now() - make_interval(mins => $3)
   ) as due`,
  z.object({ due: z.boolean() }),
)
const finish = statement(
  'update job set finished_at = now() where company_id = $1 and name = $2',
  z.unknown(),
)

/** How often a run retries rows that are locked by others. */
const maxRetries = 20

export type RunOptions = {
  /** Runs the job even if it is not due. */
  now?: boolean
  /** Ends the run between two batches. */
  signal?: AbortSignal
}

export type JobRun = {
  /** The sum of what the batches did. */
  done: number
  /**
   * `busy`: another process runs the job; `left`: some rows stayed locked and are left for the next
   * run.
   */
  outcome: 'finished' | 'notDue' | 'busy' | 'left' | 'stopped'
}

/**
 * Runs one job for one company until nothing is left. Safe in any number of processes at once: only
 * the process that holds the lock on the job's row runs a batch.
 */
export async function runJob(
  database: Database,
  companyId: string,
  job: Job,
  log: Log,
  { now = false, signal }: RunOptions = {},
): Promise<JobRun> {
  const key = [companyId, job.name]
  const terms = [...key, job.everyMinutes]
  if (!now) {
    const { due } = await database.reading(companyId, (tx) => tx.one(isDue, terms))
    if (!due) return { done: 0, outcome: 'notDue' }
  }
  await database.transaction(companyId, (tx) => tx.run(insertJob, key))
  let done = 0
  for (let retries = 0; retries < maxRetries;) {
    if (signal?.aborted === true) return { done, outcome: 'stopped' }
    const batch = await database.transaction(companyId, async (tx) => {
      const [locked] = await Promise.all([tx.maybe(lockJob, terms), tx.one(disableBitmapScan, [])])
      if (locked === null) return 'busy'
      if (!now && !locked.due) return 'notDue'
      const { time_zone: timeZone, due: _, finished_at: lastRun, ...company } = locked
      const finishedAt = now ? null : lastRun
      const result = await job.batch(tx, { ...company, timeZone, finishedAt }, log)
      if (!result.left) tx.atCommit(finish, key)
      return result
    })
    if (typeof batch === 'string') return { done, outcome: batch }
    done += batch.done
    if (!batch.left) return { done, outcome: 'finished' }
    if (batch.done > 0 || batch.advanced === true) continue
    retries += 1
    await new Promise((wake) => setTimeout(wake, 100))
  }
  return { done, outcome: 'left' }
}
