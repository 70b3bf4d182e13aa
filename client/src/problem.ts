/** The body of a refusal (RFC 9457). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: string
  requestId: string
  errors?: { path: string; code: string; detail: string }[]
  data?: unknown
}

/** A refusal, or an answer that is none of Tillside. */
export class TillsideProblem extends Error {
  /** The HTTP status. */
  readonly status: number
  /** The name of the refusal, for programs; `unknown` for an answer of another server. */
  readonly code: string
  /** The id of the request in the log of the server. */
  readonly requestId: string | null
  /** The invalid fields. */
  readonly errors: NonNullable<Problem['errors']>
  /** More about the refusal, such as a limit. */
  readonly data: unknown

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail ?? `HTTP ${status}`)
    this.name = 'TillsideProblem'
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.requestId = problem.requestId ?? null
    this.errors = problem.errors ?? []
    this.data = problem.data ?? null
  }
}

type Answer<T> = { data?: T; error?: unknown; response: Response }

/**
 * The data of an answer.
 * @throws TillsideProblem when the call was refused
 */
export async function ok<T>(answer: Answer<T> | Promise<Answer<T>>): Promise<T> {
  const { data, error, response } = await answer
  if (response.ok && data !== undefined) return data
  throw new TillsideProblem(response.status, isObject(error) ? error : {})
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
