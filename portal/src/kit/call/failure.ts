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

/** The server answered with an HTTP error. */
export class HttpFailure extends Error {
  readonly status: number
  /** Seconds to wait before trying again, if the server sent them. */
  readonly retryAfter: number | null
  /** The server guarantees that the call has changed nothing. */
  readonly unchanged: boolean

  constructor(status: number, statusText: string, retryAfter: number | null, unchanged = false) {
    super(`${status}:${statusText}`)
    this.name = 'HttpFailure'
    this.status = status
    this.retryAfter = retryAfter
    this.unchanged = unchanged
  }
}

/** No answer, or an unreadable one: it is unknown whether the call took effect. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('no answer', { cause })
    this.name = 'NoAnswer'
  }
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
