import { createHmac } from 'node:crypto'

/** A webhook of a company, with the secrets that sign its messages, the newest first. */
export type Receiver = { id: string; url: string; secrets: readonly string[] }

/** The body that a receiver gets, as JSON. `at`: RFC 3339. */
export type WebhookMessage = { id: string; event: string; at: string; data: unknown }

/** The answer of a receiver. `problem`: null where it accepted the message. */
export type ReceiverAnswer = {
  /** The HTTP status; null without an answer. */
  status: number | null
  /** The beginning of the answer's body, without control characters. */
  excerpt: string
  /** The time until the answer, in milliseconds. */
  ms: number
  problem: string | null
}

/** The part of an answer that is kept. */
export const excerptLength = 500
/** An answer's body is read no longer than this: its status is what counts. */
const excerptMs = 1000

/** Sends one signed message. Never throws. */
export async function post(
  { url, secrets }: Receiver,
  message: WebhookMessage,
  timeoutMs: number,
): Promise<ReceiverAnswer> {
  const body = JSON.stringify(message)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signatures = secrets.map((secret) => `v1=${signatureOf(secret, timestamp, body)}`)
  const began = performance.now()
  const msSince = () => Math.round(performance.now() - began)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'tillside-timestamp': timestamp,
        'tillside-signature': signatures.join(','),
      },
      body,
      // Do not follow redirects: only the configured address may receive the message.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const { status, ok } = response
    const [ms, problem] = [msSince(), ok ? null : `answered ${status}`]
    return { status, excerpt: await beginningOf(response.body), ms, problem }
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError'
    const problem = late ? `no answer in ${timeoutMs} ms` : 'cannot be reached'
    return { status: null, excerpt: '', ms: msSince(), problem }
  }
}

/**
 * HMAC-SHA256 over `<time stamp>.<body>`, in hex; a message cannot be replayed under another time.
 */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

/** Reads the beginning of a body, whatever length it has, and closes it. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const late = setTimeout(() => void reader.cancel().catch(() => {}), excerptMs)
  let read = ''
  try {
    while (read.length < excerptLength) {
      const { done, value } = await reader.read()
      if (done) break
      read += decoder.decode(value, { stream: true })
    }
  } catch {
    // The receiver has closed the connection; its status has decided already.
  } finally {
    clearTimeout(late)
    await reader.cancel().catch(() => {})
  }
  return read
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, excerptLength)
    .trim()
}
