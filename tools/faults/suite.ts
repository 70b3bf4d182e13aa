import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { environmentOfCopy } from './copy.ts'

/** The first test that failed, or null when all passed. */
export type Outcome = { failed: string; reason: string } | null

const VitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
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
const BrowserReport = z.object({ stats: z.object({ unexpected: z.int(), expected: z.int() }) })

export function isInBrowser(test: string): boolean {
  return test.startsWith('e2e/')
}

/** Whether only `npm run test:all` runs a test file. */
export function isLong(test: string): boolean {
  return test.includes('.long.test.ts')
}

/**
 * Runs test files in a copy until one test fails. On a busy machine a test can exceed its time
 * limit without a fault, so it has to do so twice.
 * @throws Error when the tests could not be run, as after a mistake that does not compile
 */
export function runTests(folder: string, tests: readonly string[]): Outcome {
  const first = runOnce(folder, tests)
  const isLate = first !== null && /timed out in \d+ ?ms|Test timeout of/.test(first.reason)
  return isLate ? runOnce(folder, tests) : first
}

function runOnce(folder: string, tests: readonly string[]): Outcome {
  const inBrowser = tests.filter(isInBrowser)
  const others = tests.filter((test) => !isInBrowser(test))
  const found = others.length === 0 ? null : runVitest(folder, others, projectsOf(others))
  if (found !== null) return found
  if (inBrowser.length === 0) return null
  return runBrowser(
    folder,
    inBrowser.map((test) => `/${test.split('/').slice(-2).join('/')}$`),
  )
}

/** Runs the tests of `npm test`, the quick ones first, until one fails. */
export function runShortSuite(folder: string): Outcome {
  for (const projects of [['portal', 'house'], ['server'], ['slow']]) {
    const failed = runVitest(folder, ['--exclude=tools/faults.test.ts'], projects)
    if (failed !== null) return failed
  }
  return runBrowser(folder, [])
}

/** The project of vitest.config.ts that a file belongs to. */
function projectsOf(tests: readonly string[]): string[] {
  const projects = tests.map((test) => {
    if (test.endsWith('.slow.test.ts')) return 'slow'
    if (isLong(test)) return 'long'
    if (test.startsWith('portal/')) return 'portal'
    return test.startsWith('tools/') ? 'house' : 'server'
  })
  return [...new Set(projects)]
}

function runVitest(folder: string, what: readonly string[], projects: string[]): Outcome {
  const report = join(folder, 'faults-report.json')
  const { status, stdout, stderr } = run(folder, 'node_modules/vitest/vitest.mjs', [
    'run',
    '--bail=1',
    '--reporter=json',
    `--outputFile=${report}`,
    ...projects.map((name) => `--project=${name}`),
    ...what,
  ])
  const { testResults } = VitestReport.parse(read(report, stdout + stderr))
  for (const { name, assertionResults } of testResults) {
    const failed = assertionResults.find((test) => test.status === 'failed')
    if (failed === undefined) continue
    const [reason = ''] = failed.failureMessages ?? []
    return { failed: `${name.slice(folder.length + 1)} (${failed.fullName})`, reason }
  }
  if (status !== 0) throw new Error(`no test ran to its end\n${stdout}${stderr}`)
  return null
}

function runBrowser(folder: string, what: readonly string[]): Outcome {
  const report = join(folder, 'e2e/test-results/results.json')
  const { stdout, stderr } = run(folder, 'e2e/run.ts', [...what, '-x'])
  const { stats } = BrowserReport.parse(read(report, stdout + stderr))
  if (stats.unexpected > 0) {
    const [, title = ''] = /^ +1\) \[\w+\] › (.+?) ─*$/m.exec(stdout) ?? []
    const [reason = ''] = /^ +(?:Error|Test timeout).*$/m.exec(stdout) ?? []
    return { failed: title.trim(), reason: reason.trim() }
  }
  if (stats.expected === 0) throw new Error(`no journey was played\n${stdout}${stderr}`)
  return null
}

function run(folder: string, program: string, words: readonly string[]) {
  const env = environmentOfCopy()
  return spawnSync(process.execPath, [join(folder, program), ...words], {
    cwd: folder,
    env: { ...env, PATH: `${join(folder, 'node_modules/.bin')}:${env['PATH']}` },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // A fault can make a program hang.
    timeout: 3_600_000,
  })
}

/** Reads a report once, so that the next run cannot find it. */
function read(report: string, output: string): unknown {
  try {
    const parsed: unknown = JSON.parse(readFileSync(report, 'utf8'))
    rmSync(report)
    return parsed
  } catch {
    throw new Error(`the tests left no report\n${output}`)
  }
}
