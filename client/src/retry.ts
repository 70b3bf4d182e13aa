/** A request is repeated after this many milliseconds, then after twice as many, and so on. */
const firstWaitMs = 250
const longestWaitMs = 10_000
/** The request was not processed, or its result is unknown; a repeat is safe and may succeed. */
const repeatable = new Set([409, 429, 500, 502, 503, 504])

/**
 * A `fetch` that repeats a request that got no answer, or one that a repeat may change. Every
 * repeat has the same headers, so the same Idempotency-Key: it cannot have a second effect.
 * @param plain the `fetch` to use
 * @param retries how often a request is repeated at most
 */
export function fetchWithRetries(
  plain: (request: Request) => Promise<Response>,
  retries: number,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let repeated = 0; ; repeated++) {
      const isLast = repeated === retries
      const waitMs = Math.min(firstWaitMs * 2 ** repeated, longestWaitMs)
      try {
        const response = await plain(request.clone())
        if (isLast || !(await isRepeatable(response))) return response
        const seconds = Number(response.headers.get('retry-after') ?? 0)
        await pause(Math.max(waitMs, seconds * 1000), request.signal)
      } catch (error) {
        if (isLast || request.signal.aborted) throw error
        await pause(waitMs, request.signal)
      }
    }
  }
}

/** Of the conflicts, only the one with a request that is still running ends by itself. */
async function isRepeatable(response: Response): Promise<boolean> {
  if (!repeatable.has(response.status)) return false
  if (response.status !== 409) return true
  const problem: unknown = await response.clone().json()
  return (
    typeof problem === 'object' &&
    problem !== null &&
    'code' in problem &&
    problem.code === 'keyRunning'
  )
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
