import * as z from 'zod/mini'
import { everyCompany } from '../company/find.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import {
  type Delivered,
  type DeliveryOptions,
  deliverQueue,
  dueSql,
  forgettableSql,
  leaseSql,
  type Queue,
} from '../outbox/deliver.ts'
import type { WaitingMessage } from '../http/outbox-page.ts'
import { type Channel, channels, Content } from './message.ts'
import type { Senders } from './sender.ts'

const findDue = statement(
  `select distinct channel from message
   where company_id = $1 and content is not null
     and (not_after <= now() or (settled_at is null and next_at <= now()))`,
  z.object({ channel: z.enum(channels) }),
)
// Expired messages are not sent, and their content is deleted.
const expire = statement(
  `update message set recipient = null, content = null, leased_until = null, outcome = 'expired',
     settled_at = least(settled_at, now())
   where company_id = $1 and message_id in (
     select message_id from message
     where company_id = $1 and channel = $2 and content is not null and not_after <= now()
     limit 1000 for update skip locked
   )`,
  z.unknown(),
)
// The lease is longer than sending can take; if the process dies, another one sends the message.
const claim = statement(
  `with due as (
     select message_id from message
     where company_id = $1 and channel = $2 and settled_at is null and not_after > now()
       and ${dueSql('$3')}
       and message_id <> all ($4::uuid[])
     order by next_at limit $5 for update skip locked
   )
   update message m set ${leaseSql('$6')}
   from due where m.company_id = $1 and m.message_id = due.message_id
   returning m.message_id, m.recipient, m.content, m.attempts`,
  z.object({
    message_id: z.string(),
    recipient: z.string(),
    content: Content,
    attempts: z.int(),
  }),
)
const settle = statement(
  `update message m set leased_until = null, problem = t.problem, outcome = t.outcome,
     settled_at = seconds_after(now(), t.settled),
     recipient = case when coalesce(t.outcome, 'shown') = 'shown' then m.recipient end,
     content = case when coalesce(t.outcome, 'shown') = 'shown' then m.content end,
     next_at = seconds_after(now(), t.wait)
   from unnest($2::uuid[], $3::text[], $4::text[], $5::int[], $6::int[])
     as t (id, outcome, problem, wait, settled)
   where m.company_id = $1 and m.message_id = t.id and m.settled_at is null`,
  z.unknown(),
)
const forget = statement(
  `delete from message where company_id = $1 and message_id in (
     select message_id from message
     where company_id = $1 and ${forgettableSql('settled_at')} and content is null limit $2
   )`,
  z.unknown(),
)

const readWaiting = statement(
  `select channel, recipient, content ->> 'text' as text, created_at as at from message
   where company_id = $1 and content is not null and not_after > now()
   order by message_id desc limit 50`,
  z.object({ channel: z.string(), recipient: z.string(), text: z.string(), at: z.string() }),
)

/** The channels with messages that are due or expired. */
export async function dueChannels(database: Database, companyId: string): Promise<Channel[]> {
  const due = await database.reading(companyId, (tx) => tx.all(findDue, [companyId]))
  return due.map(({ channel }) => channel)
}

/**
 * Sends all messages of one channel that are due, each at least once until it expires. Any number
 * of processes may do so at the same time.
 */
export async function sendMessages(
  database: Database,
  companyId: string,
  channel: Channel,
  senders: Senders,
  options: DeliveryOptions = {},
): Promise<Delivered> {
  await database.transaction(companyId, (tx) => tx.run(expire, [companyId, channel]))
  return deliverQueue(database, companyId, queueOf(companyId, channel, senders), options)
}

function queueOf(
  companyId: string,
  channel: Channel,
  senders: Senders,
): Queue<z.infer<typeof claim.row>> {
  return {
    claim: (tx, { now, tried, limit, leaseSeconds }) =>
      tx.all(claim, [companyId, channel, now, tried, limit, leaseSeconds]),
    send: ({ recipient, content }, timeoutMs) => senders[channel](recipient, content, timeoutMs),
    settle: (tx, results) =>
      tx.run(settle, [
        companyId,
        results.map(({ row }) => row.message_id),
        results.map(({ sent }) => (sent.outcome === 'failed' ? null : sent.outcome)),
        results.map(({ sent }) => ('problem' in sent ? sent.problem : null)),
        results.map(({ waitSeconds }) => waitSeconds),
        // 0: settled now; null: to be tried again.
        results.map(({ sent }) => (sent.outcome === 'failed' ? null : 0)),
      ]),
    idOf: ({ message_id: id }) => id,
    nameOf: () => channel,
    backOff: { firstSeconds: 2, longestSeconds: 60 },
  }
}

/**
 * Deletes messages a week after they were settled.
 * @param limit the maximum number to delete
 * @returns the number deleted
 */
export function forgetMessages(tx: Transaction, companyId: string, limit: number): Promise<number> {
  return tx.run(forget, [companyId, limit])
}

/** The messages of every company whose content is not deleted, newest first; for development. */
export async function waitingMessages(database: Database): Promise<WaitingMessage[]> {
  const lists = []
  for (const { id } of await everyCompany(database)) {
    lists.push(await database.reading(id, (tx) => tx.all(readWaiting, [id])))
  }
  return lists.flat().sort((a, b) => b.at.localeCompare(a.at))
}
