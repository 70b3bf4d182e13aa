import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { root } from '../setup.mjs'

/** Where the lanes leave their results. */
export const resultsFolder = join(root, 'node_modules/.cache/tillside-results')
const journeys = join(root, 'e2e/test-results/results.json')

const Vitest = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(z.unknown()),
})
const Playwright = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
})

/** Removes the results of an earlier run. */
export function forgetResults(): void {
  rmSync(resultsFolder, { recursive: true, force: true })
  mkdirSync(resultsFolder, { recursive: true })
  rmSync(journeys, { force: true })
}

/** The counts of all lanes in one line. */
export function countResults(): string {
  const runs = readdirSync(resultsFolder).map((file) =>
    Vitest.parse(JSON.parse(readFileSync(join(resultsFolder, file), 'utf8'))),
  )
  const sum = (of: (run: z.infer<typeof Vitest>) => number) =>
    runs.reduce((total, run) => total + of(run), 0)
  const passed = sum((run) => run.numPassedTests)
  const files = sum((run) => run.testResults.length)
  const played = existsSync(journeys)
    ? Playwright.parse(JSON.parse(readFileSync(journeys, 'utf8'))).stats
    : { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }
  const failed = sum((run) => run.numFailedTests) + played.unexpected
  const skipped = sum((run) => run.numPendingTests) + played.skipped
  return [
    `${passed} tests passed in ${files} files`,
    `${played.expected + played.flaky} journeys passed`,
    `${failed} failed`,
    `${skipped} skipped`,
  ].join(', ')
}
