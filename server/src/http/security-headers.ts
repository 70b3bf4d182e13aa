import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What no document of ours needs from the machine that it is shown on. */
const nothing = 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()'
/** The same for a page of the portal, which reads codes by the camera; nobody inside it may. */
export const pagePermissions = nothing.replace('camera=()', 'camera=(self)')

/**
 * Where the answer does not say otherwise itself: what is no page runs, shows and loads nothing.
 */
const unlessSaid = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': nothing,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const
/** What a browser must know about safety, on every answer; as it is on one that is no page. */
export const safeHeaders = {
  ...unlessSaid,
  'x-content-type-options': 'nosniff',
  // Addresses name members.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const
const oneYear = 'max-age=31536000'

/** Puts them on every answer, whoever gives it: a page, a file, a call, a refusal. */
export function secureAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply) => secure(request, reply))
}

/** Puts them on one answer that no hook sees. */
export function secure(request: FastifyRequest, reply: FastifyReply): void {
  for (const [name, value] of Object.entries(safeHeaders)) {
    if (!(name in unlessSaid && reply.hasHeader(name))) reply.header(name, value)
  }
  // By TLS here, or in front as a trusted proxy says: from then on by nothing else.
  if (request.protocol === 'https') reply.header('strict-transport-security', oneYear)
}
