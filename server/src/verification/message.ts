import * as z from 'zod/mini'
import { statement, type Transaction } from '../database/database.ts'
import { newId } from '../values/id.ts'

const insert = statement(
  `insert into message (company_id, message_id, channel, recipient, content, not_after)
   values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
  z.unknown(),
)
const drop = statement(
  `update message set recipient = null, content = null, outcome = 'expired',
     settled_at = coalesce(settled_at, now())
   where company_id = $1 and message_id = $2 and content is not null`,
  z.unknown(),
)

export const channels = ['sms', 'email'] as const
export type Channel = (typeof channels)[number]

/** What a person gets: whom it is from, what it is about, what it says. */
export const Content = z.object({ sender: z.string(), subject: z.string(), text: z.string() })
export type Content = z.infer<typeof Content>

/**
 * Leaves a message to be sent once this has committed, and not later than it is worth something.
 * @param recipient an E.164 number or an address
 * @returns its id
 */
export function enqueueMessage(
  tx: Transaction,
  company: { id: string },
  channel: Channel,
  recipient: string,
  content: Content,
  worthSeconds: number,
): string {
  const id = newId()
  tx.atCommit(insert, [company.id, id, channel, recipient, content, worthSeconds])
  return id
}

/** Takes a message back, if it is still there: what it says holds no more. */
export function cancelMessage(tx: Transaction, company: { id: string }, messageId: string): void {
  tx.atCommit(drop, [company.id, messageId])
}
