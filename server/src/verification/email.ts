import { createTransport } from 'nodemailer'
import type { Content } from './message.ts'
import type { SendResult } from '../outbox/deliver.ts'
import type { Sender } from './sender.ts'

/** Sends each message by SMTP on a connection of its own. */
export function emailSender({ url, from }: { url: string; from: string }): Sender {
  return async (recipient, content, timeoutMs) => {
    const transport = createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      await within(timeoutMs, transport.sendMail(mailOf(from, recipient, content)))
      return { outcome: 'delivered' }
    } catch (error) {
      return failureOf(error, timeoutMs)
    } finally {
      transport.close()
    }
  }
}

function mailOf(from: string, recipient: string, { sender, subject, text }: Content) {
  return {
    from: { name: sender, address: from },
    // An object is one address, even if it contains commas; a text would be parsed as a list.
    to: { name: '', address: recipient },
    envelope: { from, to: [recipient] },
    subject,
    text: `${text}\n`,
    headers: { 'auto-submitted': 'auto-generated' },
  }
}

class TooSlow extends Error {}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(new TooSlow()), timeoutMs)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
    work.catch(() => {})
  }
}

/**
 * The problem is logged, so it must not contain the server's own message, which may quote the
 * address.
 */
function failureOf(error: unknown, timeoutMs: number): SendResult {
  if (error instanceof TooSlow)
    return { outcome: 'failed', problem: `no answer in ${timeoutMs} ms` }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const status =
    error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : null
  if (code === 'ETIMEDOUT') return { outcome: 'failed', problem: `no answer in ${timeoutMs} ms` }
  if (status === null) {
    const gone = /^(ECONNECTION|ESOCKET|EDNS|ECONN)/.test(code)
    return { outcome: 'failed', problem: gone ? 'cannot be reached' : code || 'failed' }
  }
  // A permanent refusal of this recipient or this message, not of the server's credentials.
  const permanent = status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { outcome: permanent ? 'refused' : 'failed', problem: `answered ${status}` }
}
