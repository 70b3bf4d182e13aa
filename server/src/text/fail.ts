import type { KeyProblemName } from '@tillside/contract/integration/problems'
import type { FailureData, FailureName, HttpFailureName } from '@tillside/contract/wire/failures'

/** A business refusal thrown by a verb; `serve` answers it in the caller's language. */
export class Refusal<N extends FailureName = FailureName> extends Error {
  readonly failure: N
  readonly data: FailureData<N>
  constructor(failure: N, data: FailureData<N>) {
    super(failure)
    this.failure = failure
    this.data = data
  }
}

/** A refusal that is answered with an HTTP status. */
export class HttpRefusal extends Error {
  readonly failure: HttpFailureName
  /** Whether it is certain that nothing was changed, where the caller needs to know. */
  readonly unchanged: boolean
  constructor(failure: HttpFailureName, unchanged = false, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
    this.unchanged = unchanged
  }
}

/** A refusal that only the integration API has. */
export class KeyRefusal extends Error {
  readonly failure: KeyProblemName
  /** Seconds after which the request may be repeated; null if waiting does not help. */
  readonly retryAfterSeconds: number | null
  constructor(failure: KeyProblemName, retryAfterSeconds: number | null = null) {
    super(failure)
    this.failure = failure
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Refuses with one of the endpoint's declared refusals; never returns. */
export type Fail<N extends FailureName> = <K extends N>(
  failure: K,
  ...data: FailureData<K> extends null ? [] : [FailureData<K>]
) => never

/**
 * The `fail` of every endpoint. Only the compiler checks the names: a verb can be served only by an
 * endpoint whose refusals include all that the verb fails with.
 */
export function refuse(failure: FailureName, data: FailureData<FailureName> = null): never {
  throw new Refusal(failure, data)
}
