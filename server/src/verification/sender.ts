import type { SendResult } from '../outbox/deliver.ts'
import type { Channel, Content } from './message.ts'

/** Gives one message to a provider. Never throws. */
export type Sender = (recipient: string, content: Content, timeoutMs: number) => Promise<SendResult>

/** The sender of each channel. */
export type Senders = Readonly<Record<Channel, Sender>>
