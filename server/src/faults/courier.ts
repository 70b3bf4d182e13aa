import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A bad network between clients and a server. It loses responses, disconnects clients before the
 * response, and delivers requests twice, in turn or at once.
 */
export class Courier {
  readonly counts = { delivered: 0, lost: 0, left: 0, twice: 0 }
  readonly #server: Server
  readonly #random: () => number
  #target = ''

  constructor(random: () => number) {
    this.#random = random
    this.#server = createServer((request, response) => {
      this.#carry(request, response).catch(() => response.destroy())
    })
  }

  /** @returns the address to use instead of the server's */
  async open(target: string): Promise<string> {
    this.#target = target
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${portOf(this.#server.address())}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const fate = this.#random()
    const send = (signal?: AbortSignal) => this.#send(request, body, signal)
    if (fate < 0.25) {
      // The server has answered, and the response is lost.
      await (await send()).arrayBuffer()
      this.counts.lost++
      response.destroy()
      return
    }
    if (fate < 0.35) {
      // The client disconnects before the response.
      const leaving = new AbortController()
      const asked = send(leaving.signal).catch(() => null)
      await sleep(10 * this.#random())
      leaving.abort()
      await asked
      this.counts.left++
      response.destroy()
      return
    }
    const twice = fate < 0.6
    if (twice) this.counts.twice++
    if (fate < 0.475) await (await send()).arrayBuffer()
    const [answer] = await Promise.all([send(), ...(twice && fate >= 0.475 ? [send()] : [])])
    this.counts.delivered++
    response.writeHead(answer.status, Object.fromEntries(endToEnd(answer.headers)))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

  #send({ url = '', headers }: IncomingMessage, body: Buffer, signal?: AbortSignal) {
    const { authorization = '', 'idempotency-key': key } = headers
    return fetch(this.#target + url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization,
        ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
      },
      body: new Uint8Array(body),
      ...(signal === undefined ? {} : { signal }),
    })
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the courier has no port')
  return address.port
}

function endToEnd(headers: Headers): [string, string][] {
  return [...headers].filter(([name]) => ['content-type', 'retry-after'].includes(name))
}
