import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as z from 'zod/mini'
import { root } from '../setup.mjs'

/** Where the lanes leave their results. */
const resultsFolder = join(root, 'node_modules/.cache/tillside-results')
const journeys = join(root, 'e2e/test-results/results.json')

/** A test that failed. A file that could not be loaded has the name ''. */
export type FailedTest = { lane: string; file: string; name: string; message: string }

const Vitest = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.nullish(z.string()),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          failureMessages: z.nullish(z.array(z.string())),
        }),
      ),
    }),
  ),
})

const Played = z.object({
  projectName: z.string(),
  status: z.string(),
  results: z.array(z.object({ error: z.optional(z.object({ message: z.optional(z.string()) })) })),
})
const Spec = z.object({ title: z.string(), file: z.string(), tests: z.array(Played) })
const Suite = z.object({
  specs: z.array(Spec),
  get suites() {
    return z.optional(z.array(Suite))
  },
})
const Playwright = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  suites: z.array(Suite),
})

/** The file with the results of a lane of vitest. */
export function resultsFile(lane: string): string {
  return join(resultsFolder, `${lane.replaceAll(/[ /]/g, '-')}.json`)
}

/** Removes the results of an earlier run. */
export function forgetResults(): void {
  rmSync(resultsFolder, { recursive: true, force: true })
  mkdirSync(resultsFolder, { recursive: true })
  rmSync(journeys, { force: true })
}

/** The counts of all lanes in one line. */
export function countResults(): string {
  const runs = readdirSync(resultsFolder).map((file) =>
    Vitest.parse(readJson(join(resultsFolder, file))),
  )
  const sum = (of: (run: z.infer<typeof Vitest>) => number) =>
    runs.reduce((total, run) => total + of(run), 0)
  const passed = sum((run) => run.numPassedTests)
  const files = sum((run) => run.testResults.length)
  const played = existsSync(journeys)
    ? Playwright.parse(readJson(journeys)).stats
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

/** The failed tests of a lane. Empty if the lane ended before it wrote its results. */
export function failedTests(lane: string): FailedTest[] {
  const file = lane === 'browser' ? journeys : resultsFile(lane)
  if (!existsSync(file)) return []
  const results = readJson(file)
  return lane === 'browser' ? failedJourneys(results) : failedInVitest(lane, results)
}

/** @param results the report of vitest's reporter `json` */
export function failedInVitest(lane: string, results: unknown): FailedTest[] {
  return Vitest.parse(results).testResults.flatMap(
    ({ name, status, message, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults
        .filter((test) => test.status === 'failed')
        .map(({ fullName, failureMessages }) => ({
          lane,
          file,
          name: fullName,
          message: failureMessages?.join('\n') ?? '',
        }))
      if (failed.length > 0 || status !== 'failed') return failed
      return [{ lane, file, name: '', message: message ?? '' }]
    },
  )
}

/** @param results the report of Playwright's reporter `json` */
export function failedJourneys(results: unknown): FailedTest[] {
  return Playwright.parse(results)
    .suites.flatMap(specsOf)
    .flatMap(({ title, file, tests }) =>
      tests
        .filter((test) => test.status === 'unexpected')
        .map((test) => ({
          lane: `browser, ${test.projectName}`,
          file: join('e2e/journeys', file),
          name: title,
          message: test.results.at(-1)?.error?.message ?? '',
        })),
    )
}

function specsOf(suite: z.infer<typeof Suite>): z.infer<typeof Spec>[] {
  return [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
