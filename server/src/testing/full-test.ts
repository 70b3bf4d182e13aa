import { test } from 'vitest'
import { repetitionLevel } from './repetition.ts'

/**
 * Declares a test that `npm test` leaves out, because another test of it shows the same rule. The
 * short run does not count it as skipped.
 */
export function fullTest(name: string, work: () => Promise<void>, timeoutMs = 120_000): void {
  if (repetitionLevel !== 'short') test(name, work, timeoutMs)
}
