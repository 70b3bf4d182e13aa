import type { FastifyReply, FastifyRequest } from 'fastify'
import { HttpRefusal } from '../text/fail.ts'

/** The methods of each URL: a wrong method is answered with 405, an unknown path with 404. */
export type Addresses = {
  add(route: { method: string | string[]; url: string }): void
  /** The methods that a path accepts; empty when the path is unknown. */
  methodsOf(path: string): string[]
  /** The refusal of a request without a route; a wrong method also sets the header `allow`. */
  missing(request: FastifyRequest, reply: FastifyReply): HttpRefusal
}

export function addresses(): Addresses {
  const known: { pattern: RegExp; methods: string[]; isPage: boolean }[] = []
  function methodsOf(path: string): string[] {
    const here = known.filter(
      ({ pattern, isPage }) => pattern.test(path) && (!isPage || mayBePage(path)),
    )
    return [...new Set(here.flatMap(({ methods }) => methods))].sort()
  }
  return {
    add({ method, url }) {
      // The route of CORS preflight requests matches every path.
      if (url === '*') return
      known.push({ pattern: patternOf(url), methods: [method].flat(), isPage: url === '/*' })
    },
    methodsOf,
    missing(request, reply) {
      const methods = methodsOf(request.url.split('?', 1)[0] ?? '')
      const wrongMethod = methods.length > 0 && !methods.includes(request.method)
      if (wrongMethod) reply.header('allow', methods.join(', '))
      return new HttpRefusal(wrongMethod ? 'methodNotAllowed' : 'notFound')
    },
  }
}

/**
 * Whether a path can be a page of the portal; those of the API and of files cannot, also if a dot
 * is encoded or a NUL tries to end the name early.
 */
export function mayBePage(path: string): boolean {
  return !isReserved(path) && !/\.|%2e|%00/i.test(path)
}

/** Whether a path is reserved for the API and built files. */
export function isReserved(path: string): boolean {
  return /^\/(web|assets|integration)(\/|$)/.test(path)
}

/** @param url in the web framework's notation: `/members/:code`, `/assets/*` */
function patternOf(url: string): RegExp {
  const literal = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  const open = literal.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${open}$`)
}
