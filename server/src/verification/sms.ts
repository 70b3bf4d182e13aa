import { type Gateway, requestOf } from '../process/gateway.ts'
import type { Sender } from './sender.ts'

// The gateway understood the request and rejects this message: a retry would be rejected too.
const permanent = new Set([400, 410, 422])

// The gateway's result is at the beginning of its answer; the rest of a long answer is not read.
const maxAnswerBytes = 64 * 1024

/** Sends by the HTTP gateway of the configuration. */
export function smsSender(gateway: Gateway): Sender {
  return async (recipient, { text }, timeoutMs) => {
    const { url, method, headers, body } = requestOf(gateway, recipient, text)
    try {
      const response = await fetch(url, {
        method,
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const answer = await readStart(response)
      const problem = `answered ${response.status}`
      if (permanent.has(response.status)) return { outcome: 'refused', problem }
      if (!response.ok) return { outcome: 'failed', problem }
      if (gateway.answer === null || gateway.answer.test(answer)) return { outcome: 'delivered' }
      return { outcome: 'refused', problem: `${problem}, but did not accept the message` }
    } catch (error) {
      const late = error instanceof Error && error.name === 'TimeoutError'
      const problem = late ? `no answer in ${timeoutMs} ms` : 'cannot be reached'
      return { outcome: 'failed', problem }
    }
  }
}

async function readStart({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  if (body === null) return text
  // Leaving the loop early closes the connection.
  for await (const part of body) {
    text += decoder.decode(part.subarray(0, maxAnswerBytes - bytes), { stream: true })
    bytes += part.length
    if (bytes >= maxAnswerBytes) break
  }
  return text
}
