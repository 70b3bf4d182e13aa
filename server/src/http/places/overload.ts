import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { endpoints } from '@tillside/contract/endpoints'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import { integrationBase, requestIdHeader } from '@tillside/contract/integration/endpoint'
import { type Language, languageHeader } from '@tillside/contract/wire/language'
import { httpFailed } from '../../text/envelope.ts'
import { HttpRefusal } from '../../text/fail.ts'
import { type Places, refusalDelayMs, repeatedRefusalDelayMs } from './places.ts'
import { problemOfRefusal } from '../keys/problem.ts'
import { safeHeaders } from '../security-headers.ts'
import { languageOf } from '../request.ts'

const publicPaths = new Set(
  Object.values<Endpoint>(endpoints)
    .filter(({ access }) => access === 'public')
    .map(({ path }) => basePath + path),
)

/**
 * Requests of strangers that a process begins to answer in a millisecond: more than all portals of
 * a large company send, and a small part of the processor.
 */
const strangersInOneTurn = 2
const turnMs = 1
/** The `Retry-After` header of each refusal. */
const retryAfterSeconds = 1
/** Requests of strangers that may wait for their turn. */
const maxWaiting = 1_000

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Creates an HTTP server that begins requests of clerks at once and those of strangers a few at a
 * time, so that a clerk's call never waits behind hundreds of them. Calls without a place are
 * answered 503 before the web framework sees them: during a flood a process spends most of its time
 * on refusals, so they must be cheap.
 * @param refused is called for each refused call
 */
export function createLimitedServer(
  places: Places,
  settings: ServerOptions,
  handle: Handle,
  refused: () => void,
): Server {
  const strangers = inTurns(handle)
  const late = lateRefusals(refusalDelayMs, ({ socket }) => void socket.destroy())
  const repeated = lateRefusals(repeatedRefusalDelayMs, (_, answer) => answer())
  const isEarly = earlyRequests()
  return createServer(settings, (request, response) => {
    const kind = kindOf(request)
    const isFull =
      kind === 'staff' ? places.isStaffFull() : kind === 'public' && places.isPublicFull()
    if (isFull) {
      refused()
      if (kind === 'staff' && !isEarly(request.socket)) return refuse(request, response)
      const later = kind === 'staff' ? repeated : late
      return later(request, () => refuse(request, response))
    }
    const isClerk = kind === 'staff' && places.isProven(request.headers.authorization)
    if (isClerk) return handle(request, response)
    if (strangers.enqueue(request, response)) return
    refused()
    late(request, () => refuse(request, response))
  })
}

/** Begins a few requests in each millisecond; the others wait in the order of their arrival. */
function inTurns(handle: Handle) {
  const waiting: { request: IncomingMessage; response: ServerResponse }[] = []
  let left = strangersInOneTurn
  let isCounting = false
  function begin(): void {
    for (const { request, response } of waiting.splice(0, left)) {
      left -= 1
      if (!request.socket.destroyed) handle(request, response)
    }
    if (left === strangersInOneTurn || isCounting) return
    isCounting = true
    setTimeout(() => {
      isCounting = false
      left = strangersInOneTurn
      begin()
    }, turnMs)
  }
  return {
    /** @returns whether there was room */
    enqueue(request: IncomingMessage, response: ServerResponse): boolean {
      if (waiting.length >= maxWaiting) return false
      waiting.push({ request, response })
      begin()
      return true
    },
  }
}

function kindOf({ url = '' }: IncomingMessage): 'public' | 'staff' | 'other' {
  const [path = ''] = url.split('?', 1)
  if (publicPaths.has(path)) return 'public'
  const isCall = path.startsWith(`${basePath}/`) || path.startsWith(`${integrationBase}/`)
  return isCall ? 'staff' : 'other'
}

/** A refusal in one language. Its id is written between the two parts of the body. */
type Prepared = { headers: readonly (string | number)[]; before: string; after: string }
const prepared = new Map<string, Prepared>()

/**
 * Answers 503. Ten times as many requests as a process can answer leave it little time for each, so
 * the answer is made once for each language, and no header is read but the language's.
 */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  const isKey = (request.url ?? '').startsWith(integrationBase)
  const language = languageOf({ headers: { [languageHeader]: rawHeader(request, languageHeader) } })
  const name = `${language} ${isKey}`
  const { headers, before, after } = prepared.get(name) ?? prepare(name, isKey, language)
  const requestId = randomUUID()
  response.writeHead(503, isKey ? [...headers, requestIdHeader, requestId] : [...headers])
  response.end(before + requestId + after)
}

function prepare(name: string, isKey: boolean, language: Language): Prepared {
  const refusal = new HttpRefusal('unavailable', true)
  const sample = randomUUID()
  const body = JSON.stringify(
    isKey
      ? problemOfRefusal(refusal, language, sample).problem
      : httpFailed(refusal, language, sample),
  )
  const [before = '', after = ''] = body.split(sample)
  const headers = Object.entries({
    'content-type': `application/${isKey ? 'problem+' : ''}json; charset=utf-8`,
    ...safeHeaders,
    'content-length': Buffer.byteLength(body),
    'retry-after': String(retryAfterSeconds),
  }).flat()
  const made = { headers, before, after }
  prepared.set(name, made)
  return made
}

/** A header as it was sent, without parsing the others. Undefined if missing or repeated. */
function rawHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const sent = rawHeaders[n]
    if (sent === undefined || sent.length !== name.length || sent.toLowerCase() !== name) continue
    if (found !== undefined) return undefined
    found = rawHeaders[n + 1]
  }
  return found
}

/** Returns whether a connection was refused already less than `Retry-After` ago. */
function earlyRequests(): (socket: Socket) => boolean {
  const refusedAtMs = new WeakMap<Socket, number>()
  return (socket) => {
    const [now, before] = [performance.now(), refusedAtMs.get(socket)]
    refusedAtMs.set(socket, now)
    return before !== undefined && now - before < retryAfterSeconds * 1_000
  }
}

type Refuse = (request: IncomingMessage, answer: () => void) => void

/**
 * Delays refusals.
 * @param another is called instead for a further request that a connection sends meanwhile
 */
function lateRefusals(delayMs: number, another: Refuse): Refuse {
  const delayed = new WeakSet<Socket>()
  return (request, answer) => {
    const { socket } = request
    if (delayed.has(socket)) return another(request, answer)
    delayed.add(socket)
    setTimeout(() => {
      delayed.delete(socket)
      answer()
    }, delayMs)
  }
}
