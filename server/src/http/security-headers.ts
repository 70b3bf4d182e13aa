import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Browser features that no document of ours needs. */
const nothing = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()'
/** The same for the portal's pages, which scan codes by camera; embedded frames may not. */
export const pagePermissions = nothing.replace('camera=()', 'camera=(self)')

/** Defaults that an answer may replace, as a page does: a document may run and load nothing. */
const defaults = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': nothing,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const
/** The security headers of an answer that is not a page. */
export const safeHeaders = {
  ...defaults,
  'x-content-type-options': 'nosniff',
  // URLs can contain member codes.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const
const oneYear = 'max-age=31536000'
const replaceable = Object.entries(defaults)
const fixed = Object.fromEntries(
  Object.entries(safeHeaders).filter(([name]) => !(name in defaults)),
)

/** Sets the security headers on every answer: pages, files, calls and refusals. */
export function secureAnswers(server: FastifyInstance): void {
  // A callback, like the other hooks of each request: a promise for each would cost more.
  server.addHook('onSend', (request, reply, payload, done) => {
    secure(request, reply)
    done(null, payload)
  })
}

/** Sets them on one answer; for the answers that bypass hooks. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(fixed)
  for (const [name, value] of replaceable) if (!reply.hasHeader(name)) reply.header(name, value)
  // Over TLS, here or at a trusted proxy: the browser then refuses plain HTTP for a year.
  if (request.protocol === 'https') reply.header('strict-transport-security', oneYear)
}
