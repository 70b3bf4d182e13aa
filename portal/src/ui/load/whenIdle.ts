/**
 * Runs work that can wait for the first paint: when the page is idle, or after three seconds on a
 * page that is never idle.
 */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, limit)
  else setTimeout(work)
}

const limit = { timeout: 3000 }
