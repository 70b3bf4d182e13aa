import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpRefusal } from '../text/fail.ts'

/** A message as the page shows it. */
export type WaitingMessage = { channel: string; recipient: string; text: string; at: string }

/**
 * `/web/outbox`: the messages that would be sent, for a developer. Mounted only in development, and
 * answered only to a browser on this machine.
 */
export function outboxPage(app: FastifyInstance, read: () => Promise<WaitingMessage[]>): void {
  app.get('/web/outbox', async (request, reply) => {
    if (!isLocal(request)) throw new HttpRefusal('notFound')
    const messages = await read()
    return reply.header('content-type', 'text/html; charset=utf-8').send(pageOf(messages))
  })
}

/**
 * Whether the connection comes from this machine, by the socket's address: a client can write any
 * forwarded address. Behind a proxy on this machine all connections do, so forwarded requests are
 * excluded. The host name protects against DNS rebinding.
 */
function isLocal({ socket, headers }: FastifyRequest): boolean {
  const { remoteAddress = '' } = socket
  const isNear = remoteAddress === '::1' || /^(::ffff:)?127\./.test(remoteAddress)
  const isForwarded = Object.keys(headers).some((name) =>
    /^(x-forwarded-|forwarded$|x-real-ip$|via$)/.test(name),
  )
  const isOwnName = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '')
  return isNear && !isForwarded && isOwnName
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
