import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import { type Database, statement, type Transaction } from '../database/database.ts'
import {
  type Delivered,
  type DeliveryOptions,
  deliverQueue,
  dueSql,
  forgettableSql,
  leaseSql,
  type Queue,
} from './deliver.ts'

const readWebhooks = statement(
  `select webhook_id, url, secret_variable from webhook where company_id = $1 and not stopped`,
  z.object({ webhook_id: z.string(), url: z.string(), secret_variable: z.string() }),
)
// Claims only the oldest message of each member, so messages stay in order. The lease is longer
// than a delivery can take. If the process dies, another one tries again after it.
const claim = statement(
  `with due as (
     select o.webhook_id, o.member_id, o.seq from outbox o
     where o.company_id = $1 and o.delivered_at is null and o.webhook_id = $2
       and ${dueSql('$3')}
       and o.event_id <> all ($4::uuid[])
       and not exists (
         select from outbox e where e.company_id = $1 and e.webhook_id = o.webhook_id
           and e.member_id = o.member_id and e.seq < o.seq and e.delivered_at is null)
     order by o.next_at limit $5 for update skip locked
   )
   update outbox o set ${leaseSql('$6')}
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
     where company_id = $1 and ${forgettableSql('delivered_at')} limit $2
   ))`,
  z.unknown(),
)

const forgetMember = statement(
  `delete from outbox where company_id = $1 and member_id = $2
     and (event <> 'staff.alert' or delivered_at is not null)`,
  z.unknown(),
)

type Message = z.infer<typeof claim.row>

/** A webhook of a company, with the secret that signs its events. */
export type Receiver = { id: string; url: string; secret: string }

const minSecretLength = 16

/**
 * Reads the webhooks of a company.
 * @param environment the variables that hold the secrets
 * @returns `problems`: the webhooks without a secret, whose events cannot be signed
 */
export async function readReceivers(
  database: Database,
  companyId: string,
  environment: Record<string, string | undefined> = process.env,
): Promise<{ receivers: Receiver[]; problems: string[] }> {
  const webhooks = await database.reading(companyId, (tx) => tx.all(readWebhooks, [companyId]))
  const all = webhooks.map(({ webhook_id: id, url, secret_variable: variable }) => ({
    receiver: { id, url, secret: environment[variable] ?? '' },
    problem: `${id}: ${variable} holds no secret of ${minSecretLength} characters or more`,
  }))
  const isSigned = ({ receiver }: { receiver: Receiver }) =>
    receiver.secret.length >= minSecretLength
  return {
    receivers: all.filter(isSigned).map(({ receiver }) => receiver),
    problems: all.filter((one) => !isSigned(one)).map(({ problem }) => problem),
  }
}

/**
 * Delivers all events that are due to one webhook, each at least once and the events of one member
 * in their order. Any number of processes may do so at the same time.
 */
export function deliverTo(
  database: Database,
  companyId: string,
  receiver: Receiver,
  options: DeliveryOptions,
): Promise<Delivered> {
  return deliverQueue(database, companyId, queueOf(companyId, receiver), options)
}

/**
 * Delivers all events that are due to all webhooks of a company, concurrently: a receiver that does
 * not answer delays no other.
 * @param options `environment`: the variables that hold the secrets
 * @returns `left` also where a webhook has no secret
 */
export async function deliverOutbox(
  database: Database,
  companyId: string,
  options: DeliveryOptions & { environment?: Record<string, string | undefined> } = {},
): Promise<Delivered> {
  const { receivers, problems } = await readReceivers(database, companyId, options.environment)
  const runs = await Promise.all(
    receivers.map((receiver) => deliverTo(database, companyId, receiver, options)),
  )
  const isLeft = problems.length > 0 || runs.some(({ outcome }) => outcome === 'left')
  const isStopped = runs.some(({ outcome }) => outcome === 'stopped')
  return {
    done: runs.reduce((sum, { done }) => sum + done, 0),
    outcome: isStopped ? 'stopped' : isLeft ? 'left' : 'finished',
    problems: [...problems, ...runs.flatMap((run) => run.problems)],
  }
}

function queueOf(companyId: string, receiver: Receiver): Queue<Message> {
  return {
    claim: (tx, { now, tried, limit, leaseSeconds }) =>
      tx.all(claim, [companyId, receiver.id, now, tried, limit, leaseSeconds]),
    async send(message, timeoutMs) {
      const problem = await post(receiver, message, timeoutMs)
      return problem === null ? { outcome: 'delivered' } : { outcome: 'failed', problem }
    },
    settle: (tx, results) =>
      tx.run(settle, [
        companyId,
        results.map(({ row }) => row.webhook_id),
        results.map(({ row }) => row.member_id),
        results.map(({ row }) => row.seq),
        results.map(({ sent }) => ('problem' in sent ? sent.problem : null)),
        results.map(({ waitSeconds }) => waitSeconds),
      ]),
    idOf: ({ event_id: id }) => id,
    nameOf: () => receiver.id,
    backOff: { firstSeconds: 5, longestSeconds: 3600 },
  }
}

/** @returns the problem, or null when the receiver accepted the message */
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
      // Do not follow redirects: only the configured address may receive the message.
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

/**
 * Deletes all events about an erased member, also those that are not delivered yet. An alert about
 * a clerk is still delivered.
 */
export async function forgetEvents(
  tx: Transaction,
  companyId: string,
  memberId: string,
): Promise<void> {
  await tx.run(forgetMember, [companyId, memberId])
}
