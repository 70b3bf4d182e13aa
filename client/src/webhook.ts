import type { components } from './schema.d.ts'

/** An event that Tillside sends; `event` decides the type of `data`. Later versions add events. */
export type WebhookEvent = components['schemas']['Event']

/** A message that Tillside did not send, or not now. */
export class WebhookRefused extends Error {}

type Message = {
  /** The bytes of the body as they arrived: parsed and written again, they would differ. */
  body: string | Uint8Array<ArrayBuffer>
  headers: { get(name: string): string | null } | Record<string, string | string[] | undefined>
  /** The secret of the receiver; during a change of the secret, the old one and the new one. */
  secrets: readonly string[]
  /** How much the clocks may differ, in seconds; 300 by default. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; now by default. */
  now?: number
}

/**
 * The event in a message, if Tillside signed it within the tolerance. Answer 2xx to an event whose
 * `id` you know already: it was sent twice.
 * @throws WebhookRefused when the signature is missing or wrong, or the message is too old
 */
export async function verifyWebhook(message: Message): Promise<WebhookEvent> {
  const { body, headers, secrets, toleranceSeconds = 300, now = Date.now() } = message
  const timestamp = headerOf(headers, 'tillside-timestamp')
  const signatures = headerOf(headers, 'tillside-signature').split(',')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookRefused('the timestamp is missing')
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookRefused('the message is too old, or the clocks differ')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${timestamp}.`), bytes)
  for (const secret of secrets) {
    for (const signature of signatures) {
      if (await isSigned(signed, secret, signature.trim())) return parsed(bytes)
    }
  }
  throw new WebhookRefused('the signature is wrong')
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  secret: string,
  signature: string,
): Promise<boolean> {
  const hex = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1]
  if (hex === undefined) return false
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const bytes = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['verify'])
  // Compares in constant time.
  return crypto.subtle.verify('HMAC', key, bytesOfHex(hex), signed)
}

function parsed(bytes: Uint8Array): WebhookEvent {
  return JSON.parse(new TextDecoder().decode(bytes))
}

function headerOf(headers: Message['headers'], name: string): string {
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? ''
  const value = Reflect.get(headers, name)
  return typeof value === 'string' ? value : ''
}

function joined(one: Uint8Array, two: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + two.length)
  both.set(one)
  both.set(two, one.length)
  return both
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2)
  for (let n = 0; n < bytes.length; n++) bytes[n] = Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16)
  return bytes
}
