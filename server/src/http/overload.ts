import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { basePath } from '@tillside/contract/wire/endpoint'
import { integrationBase } from '@tillside/contract/integration'
import { httpFailed } from '../text/envelope.ts'
import { HttpRefusal } from '../text/fail.ts'
import { safeHeaders } from './security-headers.ts'
import { languageOf } from './request.ts'

/**
 * How many calls a process works on at once, waiting ones included. The slowest machine that we
 * have measured answers this many in a second; a later call would wait longer than a client waits
 * before it retries.
 */
export const maxConcurrentCalls = 400

/** Counts the calls that a process works on. */
export type CallLimit = {
  isReached(): boolean
  /**
   * Runs the work of one call.
   * @throws HttpRefusal 503 before the work begins, when the limit is reached
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function limitCalls(): CallLimit {
  let running = 0
  const isReached = (): boolean => running >= maxConcurrentCalls
  return {
    isReached,
    async run(work) {
      if (isReached()) throw new HttpRefusal('unavailable', true)
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}

/**
 * Creates an HTTP server that answers 503 to API calls while the limit is reached, before the web
 * framework sees them: during a flood a process spends most of its time on refusals, so they must
 * be cheap. Pages, files and health checks are not limited.
 * @param refused is called for each refused call
 */
export function createLimitedServer(
  limit: CallLimit,
  settings: ServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  refused: () => void,
): Server {
  return createServer(settings, (request, response) => {
    if (!limit.isReached() || !isCall(request)) return handle(request, response)
    const refusal = new HttpRefusal('unavailable', true)
    const body = JSON.stringify(httpFailed(refusal, languageOf(request), randomUUID()))
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      ...safeHeaders,
      'content-length': Buffer.byteLength(body),
      'retry-after': '1',
    })
    response.end(body)
    refused()
  })
}

function isCall({ url = '' }: IncomingMessage): boolean {
  return url.startsWith(`${basePath}/`) || url.startsWith(`${integrationBase}/`)
}
