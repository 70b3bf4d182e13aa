import type { FailureData, FailureName, HttpFailureName } from '@tillside/contract/wire/failures'

/** A business refusal on its way out of a verb; `serve` answers it in the caller's language. */
export class Refusal<N extends FailureName = FailureName> extends Error {
  readonly failure: N
  readonly data: FailureData<N>
  constructor(failure: N, data: FailureData<N>) {
    super(failure)
    this.failure = failure
    this.data = data
  }
}

/** A refusal that travels as an HTTP status. */
export class HttpRefusal extends Error {
  readonly failure: HttpFailureName
  /** Whether what was asked has certainly not been done, where that is worth knowing. */
  readonly unchanged: boolean
  constructor(failure: HttpFailureName, unchanged = false, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
    this.unchanged = unchanged
  }
}

/** Refuses with one of the names that the endpoint declares; never returns. */
export type Fail<N extends FailureName> = <K extends N>(
  failure: K,
  ...data: FailureData<K> extends null ? [] : [FailureData<K>]
) => never

/**
 * The `fail` of an endpoint. The names are checked by the compiler alone: a verb can only be served
 * with an endpoint whose refusals include what it fails with.
 */
export function refuse(failure: FailureName, data: FailureData<FailureName> = null): never {
  throw new Refusal(failure, data)
}
