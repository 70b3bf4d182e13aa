import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'

const readWebhooks = statement(
  `select webhook_id, url, secret_variable from webhook where company_id = $1 and not stopped`,
  z.object({ webhook_id: z.string(), url: z.string(), secret_variable: z.string() }),
)
// Of each member only the oldest message, so that none overtakes another; whoever claims it has it
// for longer than a delivery can take, and if that process dies another one tries again.
const claim = statement(
  `with due as (
     select o.webhook_id, o.member_id, o.seq from outbox o
     where o.company_id = $1 and o.delivered_at is null and o.webhook_id = any ($2::text[])
       and ($3 or o.next_at <= now()) and (o.leased_until is null or o.leased_until <= now())
       and o.event_id <> all ($4::uuid[])
       and not exists (
         select from outbox e where e.company_id = $1 and e.webhook_id = o.webhook_id
           and e.member_id = o.member_id and e.seq < o.seq and e.delivered_at is null)
     order by o.next_at limit $5 for update skip locked
   )
   update outbox o set leased_until = now() + make_interval(secs => $6), attempts = attempts + 1
   from due where o.company_id = $1 and o.webhook_id = due.webhook_id
     and o.member_id = due.member_id and o.seq = due.seq
   returning o.webhook_id, o.member_id, o.seq, o.event_id, o.event, o.data, o.created_at,
     o.attempts`,
  z.object({
    webhook_id: z.string(),
    member_id: z.string(),
    seq: z.int(),
    event_id: z.string(),
    event: z.string(),
    data: z.record(z.string(), z.json()),
    created_at: z.string(),
    attempts: z.int(),
  }),
)
const asked = 'unnest($2::text[], $3::uuid[], $4::int[], $5::text[], $6::int[])'
// A member's later messages wait as long as the one before them, and no longer.
const settle = statement(
  `with tried as (
     select * from ${asked} as t (webhook_id, member_id, seq, problem, wait)
   ), told as (
     update outbox o set leased_until = null, problem = t.problem,
       delivered_at = case when t.problem is null then now() end,
       next_at = now() + make_interval(secs => t.wait)
     from tried t where o.company_id = $1 and o.webhook_id = t.webhook_id
       and o.member_id = t.member_id and o.seq = t.seq
   )
   update outbox o set next_at = now() + make_interval(secs => t.wait)
   from tried t where o.company_id = $1 and o.webhook_id = t.webhook_id
     and o.member_id = t.member_id and o.seq > t.seq and o.delivered_at is null
     and (t.wait > 0 or o.next_at > now())`,
  z.unknown(),
)
const forget = statement(
  `delete from outbox where ctid = any (array(
     select ctid from outbox
     where company_id = $1 and delivered_at < now() - interval '7 days' limit $2
   ))`,
  z.unknown(),
)

type Message = z.infer<typeof claim.row>
type Receiver = { url: string; secret: string }

const together = 20
const shortestSecret = 16
const longestWaitSeconds = 3600

export type DeliveryOptions = {
  /** Whether or not a failed message's time has come; each is tried once. */
  now?: boolean
  /** Ends the run between two batches. */
  signal?: AbortSignal
  /** Where the secrets stand. */
  environment?: Record<string, string | undefined>
  /** How long a receiver may take to answer. */
  timeoutMs?: number
}

export type Delivered = {
  /** How many messages arrived. */
  done: number
  /** `left`: some did not arrive, or cannot be signed, and stay for a later run. */
  outcome: 'finished' | 'left' | 'stopped'
  /** What stood in the way, each once. */
  problems: string[]
}

/**
 * Delivers what is due, each message at least once and a member's messages in their order. Any
 * number of processes may do so at once. No transaction is open while a receiver is waited for.
 */
export async function deliverOutbox(
  database: Database,
  companyId: string,
  options: DeliveryOptions = {},
): Promise<Delivered> {
  const { now = false, signal, environment = process.env, timeoutMs = 10_000 } = options
  const webhooks = await database.reading(companyId, (tx) => tx.all(readWebhooks, [companyId]))
  const receivers = new Map<string, Receiver>()
  const problems = new Set<string>()
  for (const { webhook_id: id, url, secret_variable: variable } of webhooks) {
    const secret = environment[variable] ?? ''
    if (secret.length >= shortestSecret) receivers.set(id, { url, secret })
    else problems.add(`${id}: ${variable} holds no secret of ${shortestSecret} characters or more`)
  }
  const failed: string[] = []
  let done = 0
  while (receivers.size > 0) {
    if (signal?.aborted === true) return { done, outcome: 'stopped', problems: [...problems] }
    const ids = [...receivers.keys()]
    const lease = Math.ceil(timeoutMs / 1000) + 20
    const messages = await database.transaction(companyId, (tx) =>
      tx.all(claim, [companyId, ids, now, failed, together, lease]),
    )
    if (messages.length === 0) break
    const results = await Promise.all(
      messages.map(async (message) => {
        const receiver = receivers.get(message.webhook_id)
        if (receiver === undefined) throw new Error('a message for nobody was claimed')
        return { message, problem: await post(receiver, message, timeoutMs) }
      }),
    )
    await database.transaction(companyId, (tx) => settleAll(tx, companyId, results))
    for (const { message, problem } of results) {
      if (problem === null) done += 1
      else {
        failed.push(message.event_id)
        problems.add(`${message.webhook_id}: ${problem}`)
      }
    }
  }
  return { done, outcome: problems.size > 0 ? 'left' : 'finished', problems: [...problems] }
}

/** @returns what stood in the way, or null when the receiver has it */
async function post(
  { url, secret }: Receiver,
  message: Message,
  timeoutMs: number,
): Promise<string | null> {
  const body = JSON.stringify({
    id: message.event_id,
    event: message.event,
    sequence: message.seq,
    at: message.created_at,
    data: message.data,
  })
  const timestamp = String(Math.floor(Date.now() / 1000))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'tillside-timestamp': timestamp,
        'tillside-signature': `v1=${signatureOf(secret, timestamp, body)}`,
      },
      body,
      // Who was named in the company's folder is told, and nobody whom that one names.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `answered ${response.status}`
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    return late ? `no answer in ${timeoutMs} ms` : 'cannot be reached'
  }
}

/**
 * HMAC-SHA256 over `<time stamp>.<body>`, in hex; a message cannot be replayed under another time.
 */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

function settleAll(
  tx: Transaction,
  companyId: string,
  results: readonly { message: Message; problem: string | null }[],
): Promise<number> {
  return tx.run(settle, [
    companyId,
    results.map(({ message }) => message.webhook_id),
    results.map(({ message }) => message.member_id),
    results.map(({ message }) => message.seq),
    results.map(({ problem }) => problem),
    results.map(({ message, problem }) => (problem === null ? 0 : waitAfter(message.attempts))),
  ])
}

/** Seconds until the next try: 5, 10, 20, … up to an hour, a fifth more or less. */
export function waitAfter(attempts: number, random: () => number = Math.random): number {
  const wait = Math.min(5 * 2 ** (attempts - 1), longestWaitSeconds)
  return Math.round(wait * (0.8 + 0.4 * random()))
}

/**
 * Forgets what was delivered a week ago or earlier.
 * @param limit how many at most
 * @returns how many
 */
export function forgetDelivered(
  tx: Transaction,
  companyId: string,
  limit: number,
): Promise<number> {
  return tx.run(forget, [companyId, limit])
}
