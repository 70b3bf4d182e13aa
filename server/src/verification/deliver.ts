import * as z from 'zod/mini'
import { everyCompany } from '../company/find.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { dropSome, lockEach, lockSome, type Old } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import {
  type Delivered,
  type DeliveryOptions,
  deliverQueue,
  dueSql,
  forgettableSql,
  leaseSql,
  mostClaimable,
  type Queue,
} from '../outbox/deliver.ts'
import type { WaitingMessage } from '../http/outbox-page.ts'
import { type Channel, channels, Content } from './message.ts'
import type { Senders } from './sender.ts'

const findDue = wholeCompany(
  `select distinct channel from message
   where company_id = $1 and content is not null
     and (not_after <= now() or (settled_at is null and next_at <= now()))`,
  z.object({ channel: z.enum(channels) }),
)
// Expired messages are not sent, and their content is deleted.
const findExpired = wholeCompany(
  `select message_id from message
   where company_id = $1 and channel = $2 and content is not null and not_after <= now()
   limit 1000`,
  z.object({ message_id: z.string() }),
)
const lockExpired = lockOf(
  'message',
  ['company_id', 'message_id'],
  `select from message
   where company_id = $1 and message_id = $2 and content is not null and not_after <= now()
   for update skip locked`,
  z.unknown(),
)
const expire = statement(
  `update message set recipient = null, content = null, leased_until = null, outcome = 'expired',
     settled_at = least(settled_at, now())
   where company_id = $1 and message_id = $2`,
  z.unknown(),
)
const findClaimable = wholeCompany(
  `select message_id from message
   where company_id = $1 and channel = $2 and settled_at is null and not_after > now()
     and ${dueSql('$3')}
     and message_id <> all ($4::uuid[])
   order by next_at limit ${mostClaimable}`,
  z.object({ message_id: z.string() }),
)
const lockClaimable = lockOf(
  'message',
  ['company_id', 'message_id'],
  `select from message
   where company_id = $1 and message_id = $2 and settled_at is null and not_after > now()
     and ${dueSql('$3')}
   for update skip locked`,
  z.unknown(),
)
// The lease is longer than sending can take; if the process dies, another one sends the message.
const claim = statement(
  `update message set ${leaseSql('$3')} where company_id = $1 and message_id = $2
   returning message_id, recipient, content, attempts`,
  z.object({
    message_id: z.string(),
    recipient: z.string(),
    content: Content,
    attempts: z.int(),
  }),
)
const settle = statement(
  `update message set leased_until = null, problem = $4, outcome = $3::text,
     settled_at = seconds_after(now(), $6),
     recipient = case when coalesce($3::text, 'shown') = 'shown' then recipient end,
     content = case when coalesce($3::text, 'shown') = 'shown' then content end,
     next_at = seconds_after(now(), $5)
   where company_id = $1 and message_id = $2 and settled_at is null`,
  z.unknown(),
)
const settled: Old = {
  find: wholeCompany(
    `select message_id from message
     where company_id = $1 and ${forgettableSql('settled_at')} and content is null limit $2`,
    z.object({ message_id: z.string() }),
  ),
  drop: statement('delete from message where company_id = $1 and message_id = $2', z.unknown()),
}

const readWaiting = wholeCompany(
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
  await database.transaction(companyId, async (tx) => {
    const expired = await tx.all(findExpired, [companyId, channel])
    const keys = expired.map(({ message_id: id }) => [companyId, id])
    const locked = await lockEach(tx, lockExpired, keys)
    await Promise.all(locked.map((key) => tx.run(expire, key)))
  })
  return deliverQueue(database, companyId, queueOf(companyId, channel, senders), options)
}

function queueOf(
  companyId: string,
  channel: Channel,
  senders: Senders,
): Queue<z.infer<typeof claim.row>> {
  return {
    async claim(tx, { now, tried, limit, leaseSeconds }) {
      const found = await tx.all(findClaimable, [companyId, channel, now, tried])
      const keys = found.map(({ message_id: id }) => [companyId, id, now] as const)
      const locked = await lockSome(tx, lockClaimable, keys, limit)
      return Promise.all(locked.map(([, id]) => tx.one(claim, [companyId, id, leaseSeconds])))
    },
    send: ({ recipient, content }, timeoutMs) => senders[channel](recipient, content, timeoutMs),
    settle: (tx, results) =>
      Promise.all(
        results.map(({ row, sent, waitSeconds }) =>
          tx.run(settle, [
            companyId,
            row.message_id,
            sent.outcome === 'failed' ? null : sent.outcome,
            'problem' in sent ? sent.problem : null,
            waitSeconds,
            // 0: settled now; null: to be tried again.
            sent.outcome === 'failed' ? null : 0,
          ]),
        ),
      ),
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
  return dropSome(tx, settled, companyId, limit)
}

/** The messages of every company whose content is not deleted, newest first; for development. */
export async function waitingMessages(database: Database): Promise<WaitingMessage[]> {
  const lists = []
  for (const { id } of await everyCompany(database)) {
    lists.push(await database.reading(id, (tx) => tx.all(readWaiting, [id])))
  }
  return lists.flat().sort((a, b) => b.at.localeCompare(a.at))
}
