import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { newId } from '../values/id.ts'

// One row, or none where messages may not leave the company.
const insert = statement(
  `insert into message (company_id, message_id, channel, recipient, content, not_after)
   values ($1, $2, unnest(array_fill($3::text, array[may_send($1)::int])), $4, $5::jsonb,
     now() + make_interval(secs => $6))`,
  z.unknown(),
)
const drop = statement(
  `update message set recipient = null, content = null, outcome = 'expired',
     settled_at = least(settled_at, now())
   where company_id = $1 and message_id = $2 and content is not null`,
  z.unknown(),
)

export const channels = ['sms', 'email'] as const
export type Channel = (typeof channels)[number]

/** The content of a message to a person. */
export const Content = z.object({ sender: z.string(), subject: z.string(), text: z.string() })
export type Content = z.infer<typeof Content>

/**
 * Enqueues a message. It is sent after this transaction commits, and not after its lifetime; never
 * in a practice company.
 * @param recipient an E.164 number or an e-mail address
 * @param lifeSeconds its lifetime in seconds
 * @returns its id
 */
export function enqueueMessage(
  tx: Transaction,
  company: { id: string },
  channel: Channel,
  recipient: string,
  content: Content,
  lifeSeconds: number,
): string {
  const id = newId()
  tx.atCommit(insert, [company.id, id, channel, recipient, content, lifeSeconds])
  return id
}

/** Cancels a message that is still in the outbox, because its content is no longer valid. */
export function cancelMessage(tx: Transaction, company: { id: string }, messageId: string): void {
  tx.atCommit(drop, [company.id, messageId])
}
