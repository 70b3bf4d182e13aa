import * as z from 'zod/mini'
import { everyCompany } from '../company/find.ts'
import { type Database, statement } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import { channels } from '../verification/message.ts'

const waiting = `count(*)::int as count,
  coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds`
// A stopped webhook receives nothing; its events wait until it is started again.
const readEvents = wholeCompany(
  `select ${waiting} from (
     select o.created_at from outbox o
     join webhook w on w.company_id = $1 and w.webhook_id = o.webhook_id
     where o.company_id = $1 and o.delivered_at is null and not w.stopped
   ) e`,
  z.object({ count: z.int(), seconds: z.number() }),
)
const readMessages = wholeCompany(
  `select channel, ${waiting} from message
   where company_id = $1 and settled_at is null and not_after > now() group by channel`,
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
    const [events, messages, jobs] = await database.reading(id, (tx) =>
      Promise.all([tx.one(readEvents, [id]), tx.all(readMessages, [id]), tx.all(readJobs, [id])]),
    )
    work.queues.push({
      company,
      channel: 'webhook',
      count: events.count,
      oldestSeconds: events.seconds,
    })
    for (const channel of channels) {
      const { count = 0, seconds = 0 } = messages.find((row) => row.channel === channel) ?? {}
      work.queues.push({ company, channel, count, oldestSeconds: seconds })
    }
    for (const { name, seconds } of jobs) work.jobs.push({ company, job: name, seconds })
  }
  return work
}
