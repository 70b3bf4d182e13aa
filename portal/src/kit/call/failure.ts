import { failures, type FailureName } from '@tillside/contract/wire/failures'
import * as z from 'zod/mini'

const names = new Map<number, FailureName>()
for (const name of Object.keys(failures)) {
  if (isFailureName(name)) names.set(failures[name].code, name)
}

function isFailureName(name: string): name is FailureName {
  return name in failures
}

/** The server processed the request and refused it; `message` is in the clerk's language. */
export class Refusal extends Error {
  readonly code: number
  readonly refusal: FailureName | null
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.refusal = names.get(code) ?? null
    this.data = data
  }
}

// RFC 9110, section 15, and RFC 6585: the phrases of the statuses that servers and proxies send.
const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/**
 * The phrase of a status: HTTP/2 and HTTP/3 send none. An unknown status has the phrase of its
 * class (RFC 9110, section 15).
 */
function phraseOf(status: number): string {
  return phrases[status] ?? phrases[status - (status % 100)] ?? ''
}

/** The server answered with an HTTP error; `message` is `status:statusText`. */
export class HttpFailure extends Error {
  readonly status: number
  /** Seconds to wait before trying again, if the server sent them. */
  readonly retryAfter: number | null
  /** The server guarantees that the call has changed nothing. */
  readonly unchanged: boolean

  constructor(status: number, statusText: string, retryAfter: number | null, unchanged = false) {
    super(`${status}:${statusText || phraseOf(status)}`)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfter = retryAfter
    this.unchanged = unchanged
  }
}

/** No answer, or an unreadable one: it is unknown whether the call took effect. */
export class NoAnswer extends Error {
  /** The server did not answer within the time limit of a call. */
  readonly timedOut: boolean

  constructor(cause: unknown) {
    super('no answer', { cause })
    this.name = 'NoAnswer'
    this.timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
  }
}

/** The reason that the server gave, to be shown to the clerk; null if there is none. */
export function reasonOf(error: unknown): string | null {
  // The specification shows nothing for this refusal (section 8).
  if (error instanceof Refusal && error.refusal === 'memberUnknown') return null
  return error instanceof HttpFailure || error instanceof Refusal ? error.message : null
}

/** Whether the call was cancelled by the portal itself; such an error is never shown. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/**
 * The data of a refusal if it is the given one: `refusalData(error, failures.invalid)`; otherwise
 * null.
 */
export function refusalData<S extends z.ZodMiniType>(
  error: unknown,
  failure: { code: number; data: S },
): z.output<S> | null {
  if (!(error instanceof Refusal) || error.code !== failure.code) return null
  const parsed = z.safeParse(failure.data, error.data)
  return parsed.success ? parsed.data : null
}
