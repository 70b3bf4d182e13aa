import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'

const read = statement(
  `select w.webhook_id as id, w.url, w.events, w.stopped, waiting.count as waiting, waiting.oldest,
     last.answer as last,
     array_remove(array[w.second_secret_variable, w.secret_variable], null) as secrets
   from webhook w
   cross join lateral (
     select count(*)::int as count, min(o.created_at) as oldest from outbox o
     where o.company_id = $1 and o.webhook_id = w.webhook_id and o.delivered_at is null
   ) waiting
   left join lateral (
     select jsonb_build_object('at', d.at, 'problem', d.problem) as answer from delivery d
     where d.company_id = $1 and d.webhook_id = w.webhook_id order by d.delivery_id desc limit 1
   ) last on true
   where w.company_id = $1 order by w.webhook_id`,
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    stopped: z.boolean(),
    waiting: z.int(),
    oldest: z.nullable(z.string()),
    last: z.nullable(z.object({ at: z.string(), problem: z.nullable(z.string()) })),
    secrets: z.array(z.string()),
  }),
)

/** Reads the webhooks of a company, with their queues and the last answer of each. */
export function readWebhooks(tx: Transaction, companyId: string) {
  return tx.all(read, [companyId])
}

const sendAgain = statement(
  `insert into outbox as o (company_id, webhook_id, member_id, seq, event_id, event, data)
   select v.company_id, w.webhook_id, v.member_id, v.seq, v.event_id, v.event, v.data
   from event v join webhook w on w.company_id = $1
   where v.company_id = $1 and w.webhook_id = $2 and not w.stopped
     and (v.event_id = any ($3::uuid[]) or v.created_at >= $4 and v.event = any (w.events))
   on conflict (company_id, webhook_id, member_id, seq)
     do update set delivered_at = null, next_at = excluded.next_at
   returning o.event_id`,
  z.object({ event_id: z.string() }),
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
  const rows = await tx.all(sendAgain, [companyId, webhookId, eventIds, since])
  const queued = new Set(rows.map(({ event_id: id }) => id))
  const unknown = eventIds.find((id) => !queued.has(id.toLowerCase()))
  if (unknown !== undefined) {
    throw new Error(`webhook "${webhookId}" is unknown, or event ${unknown} is`)
  }
  return rows.length
}
