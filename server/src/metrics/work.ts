import * as z from 'zod/mini'
import { everyCompany } from '../company/find.ts'
import { type Database, statement } from '../database/database.ts'

// A stopped webhook receives nothing; its events wait until it is started again.
const readQueues = statement(
  `with waiting as (
     select 'webhook' as channel, o.created_at from outbox o
     join webhook w using (company_id, webhook_id)
     where o.company_id = $1 and o.delivered_at is null and not w.stopped
     union all
     select channel, created_at from message
     where company_id = $1 and settled_at is null and not_after > now()
   )
   select c.channel, count(w.created_at)::int as count,
     coalesce(extract(epoch from now() - min(w.created_at)), 0)::float8 as seconds
   from (values ('webhook'), ('sms'), ('email')) c (channel)
   left join waiting w using (channel) group by c.channel`,
  z.object({ channel: z.string(), count: z.int(), seconds: z.number() }),
)
const readJobs = statement(
  `select name, extract(epoch from now() - finished_at)::float8 as seconds
   from job where company_id = $1 and finished_at is not null`,
  z.object({ name: z.string(), seconds: z.number() }),
)

export type Work = {
  queues: { company: string; channel: string; count: number; oldestSeconds: number }[]
  /** Jobs that ran at least once. */
  jobs: { company: string; job: string; seconds: number }[]
}

/** Reads the queues and the ages of jobs of every company, by the database's clock. */
export async function readWork(database: Database): Promise<Work> {
  const work: Work = { queues: [], jobs: [] }
  for (const { id, identifier: company } of await everyCompany(database)) {
    const [queues, jobs] = await database.reading(id, (tx) =>
      Promise.all([tx.all(readQueues, [id]), tx.all(readJobs, [id])]),
    )
    for (const { channel, count, seconds } of queues) {
      work.queues.push({ company, channel, count, oldestSeconds: seconds })
    }
    for (const { name, seconds } of jobs) work.jobs.push({ company, job: name, seconds })
  }
  return work
}
