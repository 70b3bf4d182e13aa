// npm run test:faults: puts each fault of `list.ts` into a copy of the working tree and expects the
// tests to fail. `npm run test:faults -- NAME …` tries some of them; `--named` leaves out the whole
// short suite where the named tests pass; `--why` prints the message of the failed test.
import { apply, build, makeCopy } from './copy.ts'
import type { Fault } from './fault.ts'
import { faults } from './list.ts'
import { type Outcome, runShortSuite, runTests } from './suite.ts'

const words = process.argv.slice(2)
const namedOnly = words.includes('--named')
const showsWhy = words.includes('--why')

async function main(): Promise<number> {
  const names = words.filter((word) => !word.startsWith('--'))
  const unknown = names.filter((name) => !faults.some((fault) => fault.name === name))
  if (unknown.length > 0) throw new Error(`there is no fault ${unknown.join(', ')}`)
  const chosen = faults.filter(({ name }) => names.length === 0 || names.includes(name))
  const copy = await makeCopy()
  process.once('SIGINT', () => void copy.remove().finally(() => process.exit(1)))
  let caught = 0
  try {
    for (const fault of chosen) if (await isCaught(copy.folder, fault)) caught += 1
  } finally {
    await copy.remove()
  }
  say(`${caught} caught, ${chosen.length - caught} not caught`)
  return caught === chosen.length ? 0 : 1
}

/** Tries one fault and prints the result. */
async function isCaught(folder: string, fault: Fault): Promise<boolean> {
  const begun = performance.now()
  let outcome: Outcome = null
  let trouble = ''
  try {
    const takeOut = await apply(folder, fault)
    try {
      outcome = runTests(folder, fault.tests)
      if (outcome === null && !namedOnly) outcome = await runAll(folder)
    } finally {
      await takeOut()
    }
  } catch (error) {
    trouble = error instanceof Error ? error.message : String(error)
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  if (outcome === null) say(`${fault.name}: NOT CAUGHT ${trouble.slice(-2000)} (${seconds} s)`)
  else say(`${fault.name}: caught by ${outcome.failed} (${seconds} s)`)
  if (showsWhy && outcome !== null) say(outcome.reason.split('\n').slice(0, 6).join('\n'))
  return outcome !== null
}

/** The whole suite reads the built portal, which has to have the fault too. */
async function runAll(folder: string): Promise<Outcome> {
  build(folder)
  return runShortSuite(folder)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
