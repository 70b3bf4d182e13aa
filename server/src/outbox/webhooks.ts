import { EventActor, type SentEvent } from '@tillside/contract/integration/events'
import * as z from 'zod/mini'
import { type Database, statement } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { lockSome } from '../database/reads/each.ts'
import { wholeCompany } from '../database/reads/whole.ts'
import {
  type Delivered,
  type DeliveryOptions,
  deliverQueue,
  dueSql,
  leaseSql,
  mostClaimable,
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
// Only the oldest message of each member is claimed, so messages stay in order.
const isOldest = (member: string) => `not exists (
  select from outbox e where e.company_id = $1 and e.webhook_id = o.webhook_id
    and e.member_id = ${member} and e.seq < o.seq and e.delivered_at is null)`
const findClaimable = wholeCompany(
  `select o.member_id, o.seq from outbox o
   where o.company_id = $1 and o.delivered_at is null and o.webhook_id = $2 and ${dueSql('$3')}
     and o.event_id <> all ($4::uuid[]) and ${isOldest('o.member_id')}
   order by o.next_at limit ${mostClaimable}`,
  z.object({ member_id: z.string(), seq: z.int() }),
)
const lockClaimable = lockOf(
  'outbox',
  ['company_id', 'webhook_id', 'member_id', 'seq'],
  `select from outbox o
   where o.company_id = $1 and o.webhook_id = $2 and o.member_id = $3 and o.seq = $4
     and o.delivered_at is null and ${dueSql('$5')} and ${isOldest('$3')}
   for update of o skip locked`,
  z.unknown(),
)
// The lease is longer than a delivery can take. If the process dies, another one tries again after
// it.
const claim = statement(
  `update outbox o set ${leaseSql('$5')}
   where o.company_id = $1 and o.webhook_id = $2 and o.member_id = $3 and o.seq = $4`,
  z.unknown(),
)
const readClaimed = statement(
  `select o.webhook_id, o.member_id, o.seq, o.event_id, o.event, o.data, o.created_at, o.attempts,
     v.store_code, v.actor
   from outbox o
   left join event v on v.company_id = $1 and v.member_id = $3 and v.seq = o.seq
   where o.company_id = $1 and o.webhook_id = $2 and o.member_id = $3 and o.seq = $4`,
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
// `$7`: 0, or null where the receiver did not take it.
const settle = statement(
  `update outbox set leased_until = null, problem = $5,
     delivered_at = seconds_after(now(), $7), next_at = seconds_after(now(), $6)
   where company_id = $1 and webhook_id = $2 and member_id = $3 and seq = $4`,
  z.unknown(),
)
// A member's later messages wait as long as the one before them, and no longer.
const holdBack = statement(
  `update outbox set next_at = seconds_after(now(), $5)
   where company_id = $1 and webhook_id = $2 and member_id = $3 and seq > $4
     and delivered_at is null and ($5 > 0 or next_at > now())`,
  z.unknown(),
)
type Message = z.infer<typeof readClaimed.row>

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
    async claim(tx, { now, tried, limit, leaseSeconds }) {
      const found = await tx.all(findClaimable, [companyId, receiver.id, now, tried])
      const keys = found.map(({ member_id: id, seq }) => [companyId, receiver.id, id, seq, now])
      const locked = await lockSome(tx, lockClaimable, keys, limit)
      const claimed = await Promise.all(
        locked.map(async (key) => {
          const row = key.slice(0, -1)
          const [, message] = await Promise.all([
            tx.run(claim, [...row, leaseSeconds]),
            tx.one(readClaimed, row),
          ])
          return message
        }),
      )
      return claimed
    },
    async send(message, timeoutMs) {
      const answer = await post(receiver, messageOf(message), timeoutMs)
      const { problem } = answer
      return problem === null
        ? { outcome: 'delivered', answer }
        : { outcome: 'failed', problem, answer }
    },
    settle(tx, results) {
      const tries = results.map(({ row, sent }) => ({ ...row, ...sent.answer }))
      return Promise.all([
        writeLog(tx, companyId, tries),
        ...results.flatMap(({ row, sent, waitSeconds }) => {
          const of = [companyId, row.webhook_id, row.member_id, row.seq]
          const problem = 'problem' in sent ? sent.problem : null
          const delivered = problem === null ? 0 : null
          return [
            tx.run(settle, [...of, problem, waitSeconds, delivered]),
            tx.run(holdBack, [...of, waitSeconds]),
          ]
        }),
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
