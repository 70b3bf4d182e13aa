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
import { languageOf } from './serve.ts'

/**
 * How many requests one process works on or lets wait. The slowest machine that we have measured
 * answers so many in a second; who came behind them would wait longer than it takes to ask again.
 */
export const longestLine = 400

/** The requests that a process has in hand. */
export type Line = {
  isFull(): boolean
  /**
   * Works on a request whose turn will come in time.
   * @throws HttpRefusal at once, with nothing done, when too many are in front of it
   */
  join<T>(work: () => Promise<T>): Promise<T>
}

export function openLine(): Line {
  let inHand = 0
  const isFull = (): boolean => inHand >= longestLine
  return {
    isFull,
    async join(work) {
      if (isFull()) throw new HttpRefusal('unavailable', true)
      inHand += 1
      try {
        return await work()
      } finally {
        inHand -= 1
      }
    },
  }
}

/**
 * A server that sends calls of the API away while the line is full, before anybody has read them:
 * in a flood nearly all that it does is to refuse, and what refusing costs is taken from those who
 * wait. Pages, files and questions after its health do not stand in line.
 * @param refused is told of each that was sent away
 */
export function serverBehind(
  line: Line,
  settings: ServerOptions,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  refused: () => void,
): Server {
  return createServer(settings, (request, response) => {
    if (!line.isFull() || !isCall(request)) return handle(request, response)
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
