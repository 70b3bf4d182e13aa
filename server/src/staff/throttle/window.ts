const windowSeconds = 15 * 60

/**
 * The seconds until an attempt leaves the window of 15 minutes.
 * @param now RFC 3339
 */
export function secondsUntilGone(attempt: Date | undefined, now: string): number {
  const since = attempt === undefined ? 0 : (Date.parse(now) - attempt.getTime()) / 1000
  return Math.max(1, Math.ceil(windowSeconds - since))
}
