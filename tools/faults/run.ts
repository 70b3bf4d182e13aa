// npm run test:faults: puts each fault of `list.ts` into a copy of the working tree and expects a
// test to fail. `npm run test:faults -- --help` prints the options.
import { apply, build, makeCopy } from './copy.ts'
import type { Fault } from './fault.ts'
import { faults } from './list.ts'
import { isInBrowser, isLong, type Outcome, runShortSuite, runTests } from './suite.ts'
import { lineOf, minutesFor, say, type Result, summaryOf, worksWithin } from './summary.ts'

const help = `npm run test:faults [-- OPTION … NAME …]

Shows that the tests notice mistakes. A fault is one small mistake in the code, such as a missing
lock or a dropped audit row. Each is put into a copy of the working tree, one after another, and the
tests that should notice it are run there. The working tree itself is not changed.

  NAME …        try only these faults
  --list        print the faults and end
  --named       run only the tests that a fault names, not the whole short suite after them
  --why         also print the message of the failed test
  --unchecked   do not run the tests without a fault first

The exit code is 0 when every fault is caught: by the short suite (npm test), or at most five of
them by npm run test:all alone.
`
const options = new Set(['--help', '--list', '--named', '--why', '--unchecked'])

async function main(words: readonly string[]): Promise<number> {
  const names = words.filter((word) => !word.startsWith('--'))
  const unknown = [
    ...names.filter((name) => !faults.some((fault) => fault.name === name)),
    ...words.filter((word) => word.startsWith('--') && !options.has(word)),
  ]
  if (unknown.length > 0) throw new Error(`There is no fault or option ${unknown.join(', ')}.`)
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name))
  if (words.includes('--help')) return print(help)
  if (words.includes('--list')) {
    return print(chosen.map(({ name, kind, file }) => `${name}: ${kind} (${file})\n`).join(''))
  }
  return tryAll(chosen, words)
}

/** @returns the exit code */
async function tryAll(chosen: readonly Fault[], words: readonly string[]): Promise<number> {
  const begun = performance.now()
  const inBrowser = chosen.filter(({ tests }) => tests.some(isInBrowser)).length
  say(
    `Faults to try in a copy of the working tree: ${chosen.length}, in a browser: ${inBrowser}. ` +
      `On two processors this takes about ${minutesFor(chosen)} minutes.`,
  )
  const copy = await makeCopy()
  process.once('SIGINT', () => void copy.remove().finally(() => process.exit(1)))
  const results: Result[] = []
  try {
    if (!words.includes('--unchecked')) checkTests(copy.folder, chosen)
    for (const [index, fault] of chosen.entries()) {
      const result = await tryOne(copy.folder, fault, words.includes('--named'))
      results.push(result)
      say(`${index + 1} of ${chosen.length}  ${lineOf(result)}`)
      if (words.includes('--why') && result.outcome !== null)
        say(beginningOf(result.outcome.reason))
    }
  } finally {
    await copy.remove()
  }
  say(summaryOf(results, performance.now() - begun))
  return worksWithin(results) ? 0 : 1
}

/**
 * Runs the tests of the faults without a fault. A test that fails anyway would seem to catch it.
 * @throws Error when a test fails
 */
function checkTests(folder: string, chosen: readonly Fault[]): void {
  say('First their tests run without a fault.')
  const failed = runTests(folder, [...new Set(chosen.flatMap(({ tests }) => tests))])
  if (failed === null) return
  throw new Error(`This test fails without a fault: ${failed.failed}\n${failed.reason}`)
}

async function tryOne(folder: string, fault: Fault, namedOnly: boolean): Promise<Result> {
  const begun = performance.now()
  const result = (outcome: Outcome, trouble = ''): Result => {
    const seconds = (performance.now() - begun) / 1000
    const by = outcome !== null && isLong(outcome.failed) ? 'test:all' : 'test'
    return { fault, outcome, by, trouble, seconds }
  }
  try {
    const takeOut = await apply(folder, fault)
    try {
      const outcome = runTests(folder, fault.tests)
      return result(outcome === null && !namedOnly ? runAll(folder) : outcome)
    } finally {
      await takeOut()
    }
  } catch (error) {
    return result(null, error instanceof Error ? error.message : String(error))
  }
}

/** The whole suite reads the built portal, which has to have the fault too. */
function runAll(folder: string): Outcome {
  say('The tests that it names pass. The whole short suite follows.')
  build(folder)
  return runShortSuite(folder)
}

function beginningOf(message: string): string {
  return message.split('\n').slice(0, 6).join('\n')
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
