import type { Channel, Content } from './message.ts'

/**
 * What became of a message. `failed`: another try may go otherwise. `problem` names nobody, so that
 * it can be logged.
 */
export type SendResult =
  | { outcome: 'delivered' | 'shown' }
  | { outcome: 'refused' | 'failed'; problem: string }

/** Hands one message to a provider. Never throws. */
export type Sender = (recipient: string, content: Content, timeoutMs: number) => Promise<SendResult>

/** Who sends what. */
export type Senders = Readonly<Record<Channel, Sender>>
