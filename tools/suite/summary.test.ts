import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from '../setup.mjs'
import { failedInVitest, failedJourneys } from './results.ts'
import { runSteps } from './step.ts'
import { describeFailures } from './summary.ts'

afterEach(() => vi.restoreAllMocks())

const ansiRed = '\u001b[31m'
const vitestReport = {
  numPassedTests: 1,
  numFailedTests: 1,
  numPendingTests: 0,
  testResults: [
    {
      name: join(root, 'server/src/points/give.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'gives points', failureMessages: [] },
        {
          status: 'failed',
          fullName: 'points refuses a key twice',
          failureMessages: [
            `${ansiRed}AssertionError: expected 1 to be 2\n` +
              '    at x (/clone/node_modules/vitest/index.js:1:1)\n' +
              '    at /clone/server/src/points/give.test.ts:10:5',
          ],
        },
      ],
    },
    {
      name: join(root, 'server/src/tier/list.test.ts'),
      status: 'failed',
      message: 'Cannot find module ./gone.ts',
      assertionResults: [],
    },
  ],
}
const played = (status: string) => ({
  projectName: 'phone',
  status,
  results: [{ error: { message: 'Error: not visible' } }],
})
const playwrightReport = {
  stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
  suites: [
    {
      specs: [],
      suites: [
        {
          specs: [
            { title: 'redeems', file: 'coupon/redeem.e2e.ts', tests: [played('expected')] },
            { title: 'undoes', file: 'coupon/redeem.e2e.ts', tests: [played('unexpected')] },
          ],
        },
      ],
    },
  ],
}

const testsOf = (step: string) =>
  step === 'browser' ? failedJourneys(playwrightReport) : failedInVitest(step, vitestReport)

test('repeats each failed test of each lane with its message and its place', () => {
  const failed = [
    { name: 'browser', output: 'long' },
    { name: 'server', output: 'long' },
  ]
  expect(describeFailures(failed, testsOf)).toBe(`\
✗ browser, phone › e2e/journeys/coupon/redeem.e2e.ts › undoes
    Error: not visible

✗ server › server/src/points/give.test.ts › points refuses a key twice
    AssertionError: expected 1 to be 2
    at /clone/server/src/points/give.test.ts:10:5

✗ server › server/src/tier/list.test.ts
    Cannot find module ./gone.ts
`)
})

test('shows the last lines of a step that left no failed test', () => {
  const output = Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')
  const text = describeFailures([{ name: 'lint and types', output }], () => [])
  expect(text).toContain('✗ lint and types\n    line 60\n')
  expect(text).toMatch(/line 99\n$/)
})

test('cuts a long list and says how many tests are left out', () => {
  const one = { lane: 'server', file: 'a.test.ts', name: 'a', message: 'b\n'.repeat(500) }
  const tests = Array.from({ length: 45 }, () => one)
  const text = describeFailures([{ name: 'server', output: '' }], () => tests)
  expect(text.split('\n').length).toBeLessThan(700)
  expect(text).toMatch(/… and 5 more failed tests, see above\.\n$/)
})

const step = (name: string, code: string) => ({
  name,
  command: process.execPath,
  args: ['-e', code],
})

test('runs the other steps after a failure, unless it has to stop', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const steps = [step('bad', 'console.log("because"); process.exit(1)'), step('worse', 'oops()')]
  const all = await runSteps(steps, 1)
  expect(all.map(({ name }) => name)).toEqual(['bad', 'worse'])
  expect(all[0]?.output).toBe('because\n')
  const stopped = await runSteps(steps, 1, 'stop')
  expect(stopped.map(({ name }) => name)).toEqual(['bad'])
})
