// Runs the checks and tests: `npm test` (short), `npm run check`, `npm run test:all`, `test:long`,
// `test:cluster` (on the cluster of CLUSTER_URL).
// `npm run check -- <file>…` runs only what concerns those files.
//   --lanes=N     how many steps run at the same time (default 2, also TEST_LANES)
//   --only=a,b    only these test lanes, in this order, without the static steps
import { build } from './setup.mjs'
import { stepsFor } from './suite/one-file.ts'
import { lanesOf, type Suite, suites } from './suite/lanes.ts'
import { countResults, failedTests, forgetResults } from './suite/results.ts'
import { allStatic } from './suite/static.ts'
import { runSteps, type Step } from './suite/step.ts'
import { describeFailures, type FailedStep } from './suite/summary.ts'

const words = process.argv.slice(2)
const option = (name: string): string | undefined =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const [first = 'short', ...files] = words.filter((word) => !word.startsWith('--'))

if (first === 'cluster' && (process.env['CLUSTER_URL'] ?? '') === '') {
  process.stdout.write('Skipped: CLUSTER_URL names no cluster; see docs/growing.md\n')
  process.exit(0)
}

const started = performance.now()
forgetResults()
const failed = await run(suiteNamed(first))
const passed = failed.length === 0
const seconds = Math.round((performance.now() - started) / 1000)
const took = `${Math.floor(seconds / 60)} min ${seconds % 60} s`
if (!passed) process.stdout.write(`\n${describeFailures(failed, failedTests)}\n`)
process.stdout.write(`${passed ? 'Passed' : 'FAILED'} in ${took}: ${countResults()}\n`)
process.exitCode = passed ? 0 : 1

function suiteNamed(name: string): Suite {
  const suite = suites.find((one) => one === name)
  if (suite !== undefined) return suite
  throw new Error(`${name} is no suite: ${suites.join(', ')}`)
}

async function run(suite: Suite): Promise<FailedStep[]> {
  const atOnce = Number(option('lanes') ?? process.env['TEST_LANES'] ?? 2)
  if (files.length > 0) {
    const steps = stepsFor(files)
    if (steps.some(needsBuild)) build()
    return runSteps(steps, steps.length)
  }
  const lanes = chosen(lanesOf(suite))
  const isWhole = option('only') === undefined && suite !== 'long' && suite !== 'cluster'
  if (isWhole) {
    const failedChecks = await runSteps(allStatic(), atOnce, 'stop')
    if (failedChecks.length > 0) return failedChecks
  }
  build()
  return runSteps(lanes, atOnce)
}

/** The lanes that `--only` names, in its order. */
function chosen(lanes: Step[]): Step[] {
  const only = option('only')?.split(',')
  if (only === undefined) return lanes
  return only.map((name) => {
    const lane = lanes.find((one) => one.name === name)
    if (lane === undefined) throw new Error(`there is no lane ${name}`)
    return lane
  })
}

function needsBuild({ name }: Step): boolean {
  return name === 'browser'
}
