import { OtherConfig } from '@tillside/contract/company'
import * as z from 'zod/mini'
import { Scene } from '../kit/store/scene.ts'
import type { DisplayAddress } from './address.ts'

// The messages between a clerk's window and its customer display. Every page of this origin can
// write into the channel, so each side reads only messages of exactly this shape, for its own
// company, clerk and display.

/** Which display a message is for. */
const address = {
  company: z.string().check(z.maxLength(64)),
  /** The account of the clerk. */
  staff: z.string().check(z.maxLength(64)),
  /** Random, made by the window that opens the display; it ends with the clerk's session. */
  display: z.uuid(),
}

const Message = z.discriminatedUnion('type', [
  /** The display asks for the present state, after a reload too. */
  z.strictObject({ ...address, type: z.literal('ask') }),
  /** The clerk's window says what to show. */
  z.strictObject({
    ...address,
    type: z.literal('show'),
    scene: Scene,
    /** How the company writes amounts; null until the clerk's window knows it. */
    config: z.nullable(OtherConfig),
  }),
  /** The clerk has logged out. */
  z.strictObject({ ...address, type: z.literal('end') }),
])
export type DisplayMessage = z.infer<typeof Message>

/** What one side says; the channel adds the address. */
type Said = { type: 'ask' | 'end' } | { type: 'show'; scene: Scene; config: OtherConfig | null }

export type DisplayChannel = { say: (said: Said) => void; close: () => void }

/** Reads a message, or returns null if it is malformed or for another display. */
export function readMessage(data: unknown, own: DisplayAddress): DisplayMessage | null {
  const parsed = z.safeParse(Message, data)
  if (!parsed.success) return null
  const { company, staff, display } = parsed.data
  const isOwn = company === own.company && staff === own.staff && display === own.display
  return isOwn ? parsed.data : null
}

/** Opens the channel of one display. @param hear receives the messages for it */
export function openChannel(
  own: DisplayAddress,
  hear: (message: DisplayMessage) => void,
): DisplayChannel {
  const { company, staff, display } = own
  const channel = new BroadcastChannel(`tillside-display:${company}:${staff}:${display}`)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = readMessage(data, own)
    if (message !== null) hear(message)
  })
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
    say: (said) => channel.postMessage({ ...own, ...said }),
    close: () => channel.close(),
  }
}
