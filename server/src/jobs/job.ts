import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'
import type { Log } from '../process/log.ts'

export type JobName = 'expiry' | 'tiers' | 'retention' | 'invariants'

/** The company that a batch works for, as its transaction has read it. */
export type JobCompany = {
  id: string
  identifier: string
  revision: number
  timeZone: string
  /** The day that it is for the company. */
  today: string
}

/** Something that is done for each company again and again, in batches. */
export type Job = {
  name: JobName
  /** How long after it was done there may be something to do again. */
  everyMinutes: number
  /**
   * One small transaction's worth. It may be killed at any moment and begun again by another
   * process.
   * @returns how much was done, and whether something is left for another batch
   */
  batch(tx: Transaction, company: JobCompany, log: Log): Promise<{ done: number; left: boolean }>
}

const makeRow = statement(
  'insert into job (company_id, name) values ($1, $2) on conflict do nothing',
  z.unknown(),
)
// Nobody waits for the row: whoever finds it taken leaves the work to the one who has it.
const takeTurn = statement(
  `select c.company_id as id, c.identifier, c.revision, c.time_zone,
     (now() at time zone c.time_zone)::date as today,
     j.finished_at is null or j.finished_at <= now() - make_interval(mins => $3) as due
   from job j join company c using (company_id)
   where j.company_id = $1 and j.name = $2 for update of j skip locked`,
  z.object({
    id: z.string(),
    identifier: z.string(),
    revision: z.int(),
    time_zone: z.string(),
    today: z.string(),
    due: z.boolean(),
  }),
)
// Whoever looks for the first of what has ended must not read all of it, as a plan would by
// statistics that do not know how much that is.
const oneByOne = statement(
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

/** How often a run comes back for what others held at the moment. */
const patience = 20

export type RunOptions = {
  /** Whether or not it is due. */
  now?: boolean
  /** Ends the run between two batches. */
  signal?: AbortSignal
}

export type Ran = {
  /** What the batches of this run did, added up. */
  done: number
  /**
   * `busy`: another process has it in hand; `left`: something was held by others all the while and
   * stays for the next run.
   */
  outcome: 'finished' | 'notDue' | 'busy' | 'left' | 'stopped'
}

/**
 * Runs one job for one company until nothing is left. Any number of processes may do so at once:
 * each batch is done by the one that holds the job's row.
 */
export async function runJob(
  database: Database,
  companyId: string,
  job: Job,
  log: Log,
  { now = false, signal }: RunOptions = {},
): Promise<Ran> {
  const key = [companyId, job.name]
  const terms = [...key, job.everyMinutes]
  if (!now) {
    const { due } = await database.reading(companyId, (tx) => tx.one(isDue, terms))
    if (!due) return { done: 0, outcome: 'notDue' }
  }
  await database.transaction(companyId, (tx) => tx.run(makeRow, key))
  let done = 0
  for (let waited = 0; waited < patience;) {
    if (signal?.aborted === true) return { done, outcome: 'stopped' }
    const batch = await database.transaction(companyId, async (tx) => {
      const [turn] = await Promise.all([tx.maybe(takeTurn, terms), tx.one(oneByOne, [])])
      if (turn === null) return 'busy'
      if (!now && !turn.due) return 'notDue'
      const { time_zone: timeZone, due: _, ...company } = turn
      const result = await job.batch(tx, { ...company, timeZone }, log)
      if (!result.left) tx.atCommit(finish, key)
      return result
    })
    if (typeof batch === 'string') return { done, outcome: batch }
    done += batch.done
    if (!batch.left) return { done, outcome: 'finished' }
    if (batch.done > 0) continue
    waited += 1
    await new Promise((wake) => setTimeout(wake, 100))
  }
  return { done, outcome: 'left' }
}
