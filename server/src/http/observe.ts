/** The outcome of a request: success, refusal by a rule (200), HTTP 4xx, or HTTP 5xx. */
export type Outcome = 'done' | 'refused' | 'rejected' | 'failed'

/** Called for every answer. `endpoint` is the pattern of a route, never a URL. */
export type Observe = (endpoint: string, outcome: Outcome, seconds: number) => void

/** @param code the envelope's code; 0 when the answer has no envelope */
export function outcomeOf(status: number, code: number): Outcome {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'rejected'
  return code === 0 ? 'done' : 'refused'
}
