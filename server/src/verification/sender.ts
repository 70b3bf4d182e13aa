import type { Channel, Content } from './message.ts'

/**
 * The result of sending a message. `failed`: a retry may succeed. `refused`: a retry would fail
 * too. `problem` contains no personal data, so it can be logged.
 */
export type SendResult =
  | { outcome: 'delivered' | 'shown' }
  | { outcome: 'refused' | 'failed'; problem: string }

/** Gives one message to a provider. Never throws. */
export type Sender = (recipient: string, content: Content, timeoutMs: number) => Promise<SendResult>

/** The sender of each channel. */
export type Senders = Readonly<Record<Channel, Sender>>
