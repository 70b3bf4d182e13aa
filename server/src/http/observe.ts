/** How an answer went, for whoever counts: our rules said no, or HTTP did, or we failed. */
export type Outcome = 'done' | 'refused' | 'rejected' | 'failed'

/**
 * Is told of every answer that was given. `endpoint` is the pattern of a route, never an address.
 */
export type Observe = (endpoint: string, outcome: Outcome, seconds: number) => void

/** @param code that of the envelope; 0 where there was none */
export function outcomeOf(status: number, code: number): Outcome {
  if (status >= 500) return 'failed'
  if (status >= 400) return 'rejected'
  return code === 0 ? 'done' : 'refused'
}
