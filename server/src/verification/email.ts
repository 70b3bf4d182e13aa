import { createTransport } from 'nodemailer'
import type { Content } from './message.ts'
import type { Sender, SendResult } from './sender.ts'

/** Sends by SMTP, each message on a connection of its own. */
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
    // As one address, whatever characters it has: a list is not read out of it.
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

/** What is told names nobody: a server's own words may quote the address. */
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
  // A lasting no to this recipient or this message, not to us.
  const lasting = status >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
  return { outcome: lasting ? 'refused' : 'failed', problem: `answered ${status}` }
}
