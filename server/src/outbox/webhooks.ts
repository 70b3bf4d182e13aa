import { EventActor, type SentEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import {
  type Delivered,
  type DeliveryOptions,
  deliverQueue,
  dueSql,
  leaseSql,
  type Queue,
  type SendResult,
} from './deliver.ts'
import { writeLog } from './log.ts'
import { post, type Receiver, type ReceiverAnswer } from './post.ts'

const readWebhooks = statement(
  `select webhook_id, url,
     array_remove(array[second_secret_variable, secret_variable], null) as variables
   from webhook where company_id = $1 and not stopped`,
  z.object({ webhook_id: z.string(), url: z.string(), variables: z.array(z.string()) }),
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
   from due left join event v
     on v.company_id = $1 and v.member_id = due.member_id and v.seq = due.seq
   where o.company_id = $1 and o.webhook_id = due.webhook_id
     and o.member_id = due.member_id and o.seq = due.seq
   returning o.webhook_id, o.member_id, o.seq, o.event_id, o.event, o.data, o.created_at,
     o.attempts, v.store_code, v.actor`,
  z.object({
    webhook_id: z.string(),
    member_id: z.string(),
    seq: z.int(),
    event_id: z.string(),
    event: z.string(),
    data: z.looseObject({ memberCode: z.string() }),
    store_code: z.nullable(z.string()),
    actor: z.nullable(EventActor),
    created_at: z.string(),
    attempts: z.int(),
  }),
)
// `delivered`: 0, or null where the receiver did not take it.
const settle = statement(
  `update outbox o set leased_until = null, problem = t.problem,
     delivered_at = seconds_after(now(), t.delivered), next_at = seconds_after(now(), t.wait)
   from unnest($2::text[], $3::uuid[], $4::int[], $5::text[], $6::int[], $7::int[])
     as t (webhook_id, member_id, seq, problem, wait, delivered)
   where o.company_id = $1 and o.webhook_id = t.webhook_id
     and o.member_id = t.member_id and o.seq = t.seq`,
  z.unknown(),
)
// A member's later messages wait as long as the one before them, and no longer.
const holdBack = statement(
  `update outbox o set next_at = seconds_after(now(), t.wait)
   from unnest($2::text[], $3::uuid[], $4::int[], $5::int[]) as t (webhook_id, member_id, seq, wait)
   where o.company_id = $1 and o.webhook_id = t.webhook_id
     and o.member_id = t.member_id and o.seq > t.seq and o.delivered_at is null
     and (t.wait > 0 or o.next_at > now())`,
  z.unknown(),
)
type Message = z.infer<typeof claim.row>

const minSecretLength = 16

/**
 * Reads the webhooks of a company.
 * @param environment the variables that hold the secrets
 * @returns `problems`: the variables without a secret; a webhook without any cannot sign its events
 *   and is left out
 */
export async function readReceivers(
  database: Database,
  companyId: string,
  environment: Record<string, string | undefined> = process.env,
): Promise<{ receivers: Receiver[]; problems: string[] }> {
  const webhooks = await database.reading(companyId, (tx) => tx.all(readWebhooks, [companyId]))
  const isSecret = (variable: string) => (environment[variable] ?? '').length >= minSecretLength
  return {
    receivers: webhooks.flatMap(({ webhook_id: id, url, variables }) => {
      const secrets = variables.filter(isSecret).map((variable) => environment[variable] ?? '')
      return secrets.length === 0 ? [] : [{ id, url, secrets }]
    }),
    problems: webhooks.flatMap(({ webhook_id: id, variables }) =>
      variables
        .filter((variable) => !isSecret(variable))
        .map((name) => `${id}: ${name} holds no secret of ${minSecretLength} characters or more`),
    ),
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

type Sent = SendResult & { answer: ReceiverAnswer }

function queueOf(companyId: string, receiver: Receiver): Queue<Message, Sent> {
  return {
    claim: (tx, { now, tried, limit, leaseSeconds }) =>
      tx.all(claim, [companyId, receiver.id, now, tried, limit, leaseSeconds]),
    async send(message, timeoutMs) {
      const answer = await post(receiver, messageOf(message), timeoutMs)
      const { problem } = answer
      return problem === null
        ? { outcome: 'delivered', answer }
        : { outcome: 'failed', problem, answer }
    },
    settle(tx, results) {
      const of = [
        companyId,
        results.map(({ row }) => row.webhook_id),
        results.map(({ row }) => row.member_id),
        results.map(({ row }) => row.seq),
      ]
      const waits = results.map(({ waitSeconds }) => waitSeconds)
      const problems = results.map(({ sent }) => ('problem' in sent ? sent.problem : null))
      const delivered = problems.map((problem) => (problem === null ? 0 : null))
      const tries = results.map(({ row, sent }) => ({ ...row, ...sent.answer }))
      return Promise.all([
        writeLog(tx, companyId, tries),
        tx.run(settle, [...of, problems, waits, delivered]),
        tx.run(holdBack, [...of, waits]),
      ])
    },
    idOf: ({ event_id: id }) => id,
    nameOf: () => receiver.id,
    backOff: { firstSeconds: 5, longestSeconds: 3600 },
  }
}

function messageOf(message: Message): SentEvent {
  const { event_id: id, event, seq: sequence, created_at: at, actor, data } = message
  return { id, event, sequence, at, store: message.store_code, actor, data }
}
