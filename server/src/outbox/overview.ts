import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { wholeCompany } from '../database/reads/whole.ts'

const readAll = statement(
  `select webhook_id as id, url, events, stopped,
     array_remove(array[second_secret_variable, secret_variable], null) as secrets
   from webhook where company_id = $1 order by webhook_id`,
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    stopped: z.boolean(),
    secrets: z.array(z.string()),
  }),
)
const readWaiting = wholeCompany(
  `select count(*)::int as waiting, min(created_at) as oldest from outbox
   where company_id = $1 and webhook_id = $2 and delivered_at is null`,
  z.object({ waiting: z.int(), oldest: z.nullable(z.string()) }),
)
const readLast = wholeCompany(
  `select at, problem from delivery where company_id = $1 and webhook_id = $2
   order by delivery_id desc limit 1`,
  z.object({ at: z.string(), problem: z.nullable(z.string()) }),
)

/** Reads the webhooks of a company, with their queues and the last answer of each. */
export async function readWebhooks(tx: Transaction, companyId: string) {
  const webhooks = await tx.all(readAll, [companyId])
  return Promise.all(
    webhooks.map(async (webhook) => {
      const [queue, last] = await Promise.all([
        tx.one(readWaiting, [companyId, webhook.id]),
        tx.maybe(readLast, [companyId, webhook.id]),
      ])
      return Object.assign(webhook, queue, { last })
    }),
  )
}

const findEvents = wholeCompany(
  `select v.member_id, array_agg(v.seq) as seqs, array_agg(v.event_id) as ids from event v
   join webhook w on w.company_id = $1
   where v.company_id = $1 and w.webhook_id = $2 and not w.stopped
     and (v.event_id = any ($3::uuid[]) or v.created_at >= $4 and v.event = any (w.events))
   group by v.member_id`,
  z.object({ member_id: z.string(), seqs: z.array(z.int()), ids: z.array(z.string()) }),
)
const sendAgain = statement(
  `insert into outbox as o (company_id, webhook_id, member_id, seq, event_id, event, data)
   select v.company_id, $2, v.member_id, v.seq, v.event_id, v.event, v.data
   from event v
   where v.company_id = $1 and v.member_id = $3 and v.seq = any ($4::int[])
   on conflict (company_id, webhook_id, member_id, seq)
     do update set delivered_at = null, next_at = excluded.next_at`,
  z.unknown(),
)

/**
 * Puts events into the queue of a webhook again, delivered or not.
 * @param eventIds any events of the company
 * @param since all events since then, RFC 3339, that the webhook subscribes to
 * @returns how many
 * @throws Error when one of `eventIds` is unknown or forgotten, or the webhook is
 */
export async function enqueueAgain(
  tx: Transaction,
  companyId: string,
  webhookId: string,
  { eventIds, since }: { eventIds: readonly string[]; since: string | null },
): Promise<number> {
  const members = await tx.all(findEvents, [companyId, webhookId, eventIds, since])
  const found = new Set(members.flatMap(({ ids }) => ids))
  const unknown = eventIds.find((id) => !found.has(id.toLowerCase()))
  if (unknown !== undefined) {
    throw new Error(`webhook "${webhookId}" is unknown, or event ${unknown} is`)
  }
  await Promise.all(
    members.map(({ member_id: id, seqs }) => tx.run(sendAgain, [companyId, webhookId, id, seqs])),
  )
  return found.size
}
