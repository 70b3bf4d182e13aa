import * as z from 'zod/mini'
import { everyCompany } from '../company/find.ts'
import { type Database, statement, type Transaction } from '../database/database.ts'
import type { WaitingMessage } from '../http/outbox-page.ts'
import { type Channel, channels, Content } from './message.ts'
import type { Senders, SendResult } from './sender.ts'

const findDue = statement(
  `select distinct channel from message
   where company_id = $1 and content is not null
     and (not_after <= now() or (settled_at is null and next_at <= now()))`,
  z.object({ channel: z.enum(channels) }),
)
// What is worth nothing any more is not sent, and is not kept.
const expire = statement(
  `update message set recipient = null, content = null, leased_until = null, outcome = 'expired',
     settled_at = coalesce(settled_at, now())
   where company_id = $1 and message_id in (
     select message_id from message
     where company_id = $1 and channel = $2 and content is not null and not_after <= now()
     limit 1000 for update skip locked
   )`,
  z.unknown(),
)
// Whoever claims a message has it for longer than sending can take; if that process dies, another
// one sends it.
const claim = statement(
  `with due as (
     select message_id from message
     where company_id = $1 and channel = $2 and settled_at is null and not_after > now()
       and ($3 or next_at <= now()) and (leased_until is null or leased_until <= now())
       and message_id <> all ($4::uuid[])
     order by next_at limit $5 for update skip locked
   )
   update message m set leased_until = now() + make_interval(secs => $6), attempts = attempts + 1
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
     settled_at = case when t.outcome is not null then now() end,
     recipient = case when coalesce(t.outcome, 'shown') = 'shown' then m.recipient end,
     content = case when coalesce(t.outcome, 'shown') = 'shown' then m.content end,
     next_at = now() + make_interval(secs => t.wait)
   from unnest($2::uuid[], $3::text[], $4::text[], $5::int[]) as t (id, outcome, problem, wait)
   where m.company_id = $1 and m.message_id = t.id and m.settled_at is null`,
  z.unknown(),
)
const forget = statement(
  `delete from message where company_id = $1 and message_id in (
     select message_id from message
     where company_id = $1 and settled_at < now() - interval '7 days' and content is null limit $2
   )`,
  z.unknown(),
)

const readWaiting = statement(
  `select channel, recipient, content ->> 'text' as text, created_at as at from message
   where company_id = $1 and content is not null and not_after > now()
   order by message_id desc limit 50`,
  z.object({ channel: z.string(), recipient: z.string(), text: z.string(), at: z.string() }),
)

type Claimed = z.infer<typeof claim.row>

const together = 20
const longestWaitSeconds = 60

export type SendingOptions = {
  /** Whether or not a failed message's time has come; each is tried once. */
  now?: boolean
  /** Ends the run between two batches. */
  signal?: AbortSignal
  /** How long a provider may take to answer. */
  timeoutMs?: number
}

export type SentMessages = {
  /** How many were taken by the provider, or shown. */
  done: number
  outcome: 'finished' | 'left' | 'stopped'
  /** What stood in the way, each once. */
  problems: string[]
}

/** The channels in which something is to be sent, or to be dropped. */
export async function dueChannels(database: Database, companyId: string): Promise<Channel[]> {
  const due = await database.reading(companyId, (tx) => tx.all(findDue, [companyId]))
  return due.map(({ channel }) => channel)
}

/**
 * Sends what waits in one channel, each message at least once while it is worth something. Any
 * number of processes may do so at once. No transaction is open while a provider is waited for.
 */
export async function sendMessages(
  database: Database,
  companyId: string,
  channel: Channel,
  senders: Senders,
  { now = false, signal, timeoutMs = 10_000 }: SendingOptions = {},
): Promise<SentMessages> {
  const problems = new Set<string>()
  const failed: string[] = []
  let done = 0
  await database.transaction(companyId, (tx) => tx.run(expire, [companyId, channel]))
  for (;;) {
    if (signal?.aborted === true) return { done, outcome: 'stopped', problems: [...problems] }
    const lease = Math.ceil(timeoutMs / 1000) + 20
    const messages = await database.transaction(companyId, (tx) =>
      tx.all(claim, [companyId, channel, now, failed, together, lease]),
    )
    if (messages.length === 0) break
    const results = await Promise.all(
      messages.map(async (message) => ({
        message,
        sent: await senders[channel](message.recipient, message.content, timeoutMs),
      })),
    )
    await database.transaction(companyId, (tx) => settleAll(tx, companyId, results))
    for (const { message, sent } of results) {
      if ('problem' in sent) problems.add(`${channel}: ${sent.problem}`)
      else done += 1
      if (sent.outcome === 'failed') failed.push(message.message_id)
    }
  }
  return { done, outcome: failed.length > 0 ? 'left' : 'finished', problems: [...problems] }
}

function settleAll(
  tx: Transaction,
  companyId: string,
  results: readonly { message: Claimed; sent: SendResult }[],
): Promise<number> {
  return tx.run(settle, [
    companyId,
    results.map(({ message }) => message.message_id),
    results.map(({ sent }) => (sent.outcome === 'failed' ? null : sent.outcome)),
    results.map(({ sent }) => ('problem' in sent ? sent.problem : null)),
    results.map(({ message, sent }) => (sent.outcome === 'failed' ? waitAfter(message) : 0)),
  ])
}

/** Seconds until the next try: 2, 4, 8, … up to a minute, a fifth more or less. */
function waitAfter({ attempts }: { attempts: number }): number {
  const wait = Math.min(2 ** attempts, longestWaitSeconds)
  return Math.round(wait * (0.8 + 0.4 * Math.random()))
}

/**
 * Forgets that there were messages, a week after they were settled.
 * @param limit how many at most
 * @returns how many
 */
export function forgetMessages(tx: Transaction, companyId: string, limit: number): Promise<number> {
  return tx.run(forget, [companyId, limit])
}

/** The messages of every company that are there in full, newest first; for development only. */
export async function waitingMessages(database: Database): Promise<WaitingMessage[]> {
  const lists = []
  for (const { id } of await everyCompany(database)) {
    lists.push(await database.reading(id, (tx) => tx.all(readWaiting, [id])))
  }
  return lists.flat().sort((a, b) => b.at.localeCompare(a.at))
}
