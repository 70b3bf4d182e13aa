import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpRefusal } from '../text/fail.ts'

/** A message as the page shows it. */
export type WaitingMessage = { channel: string; recipient: string; text: string; at: string }

/**
 * `/web/outbox`: the messages that would be sent, for a developer. Not mounted in production, and
 * answered only to requests from this machine under its own host name (against DNS rebinding).
 */
export function outboxPage(app: FastifyInstance, read: () => Promise<WaitingMessage[]>): void {
  app.get('/web/outbox', async (request, reply) => {
    if (!isLocal(request)) throw new HttpRefusal('notFound')
    const messages = await read()
    return reply.header('content-type', 'text/html; charset=utf-8').send(pageOf(messages))
  })
}

function isLocal({ ip, hostname }: FastifyRequest): boolean {
  const near = ip === '::1' || /^(::ffff:)?127\./.test(ip)
  return near && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

function pageOf(messages: readonly WaitingMessage[]): string {
  const items = messages.map(({ channel, recipient, text, at }) => {
    const head = `${safe(at)} · ${safe(channel)} · <b>${safe(recipient)}</b>`
    return `<li><p>${head}</p><pre>${safe(text)}</pre>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="5">
<meta name="viewport" content="width=device-width">
<title>Outbox</title>
<h1>Outbox</h1>
<p>Messages that are not sent yet, newest first; in development none is ever sent.
A message disappears when it expires.</p>
<ol>${items.length === 0 ? '<li>No messages.' : items.join('\n')}</ol>
</html>
`
}

function safe(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
