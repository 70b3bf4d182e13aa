import { setTimeout as pause } from 'node:timers/promises'

const silentMs = 2_000
const maxWaitMs = 60_000

/**
 * Waits for `work`; when it takes longer than two seconds, prints `Waiting for ${reason} …` on
 * stderr.
 */
export async function sayIfSlow<T>(reason: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => process.stderr.write(`Waiting for ${reason} …\n`), silentMs)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

/** The text without the lines of `sayIfSlow`, which depend on the load of the machine. */
export function withoutWaits(stderr: string): string {
  return stderr.replaceAll(/^Waiting for .* …\n/gm, '')
}

/**
 * Asks until the answer is true.
 * @returns false after a minute
 */
export async function waitUntil(
  ask: () => Promise<boolean>,
  longestMs = maxWaitMs,
): Promise<boolean> {
  for (const end = Date.now() + longestMs; Date.now() < end; await pause(50)) {
    if (await ask()) return true
  }
  return false
}
