import type { Fault } from './fault.ts'
import { isInBrowser, isLong, type Outcome } from './suite.ts'

/** The result of trying one fault. */
export type Result = {
  fault: Fault
  /** The test that failed; null: the fault was not caught. */
  outcome: Outcome
  /** The command that runs this test. */
  by: 'test' | 'test:all'
  /** The reason when the tests could not be run. */
  trouble: string
  seconds: number
}

/** The faults that only `npm run test:all` may catch (issue 12). */
const mostByAll = 5

/** Whether the tests notice what they should. */
export function worksWithin(results: readonly Result[]): boolean {
  return (
    results.every(({ outcome }) => outcome !== null) &&
    results.filter(({ by }) => by === 'test:all').length <= mostByAll
  )
}

/** One line about a fault; more only when its tests could not be run. */
export function lineOf({ fault, outcome, by, trouble, seconds }: Result): string {
  const time = `(${seconds.toFixed(0)} s)`
  if (outcome === null) return `${fault.name}: NOT CAUGHT ${time} ${trouble.slice(-2000)}`.trim()
  const only = by === 'test:all' ? 'only by npm run test:all, ' : ''
  return `${fault.name}: caught by ${only}${outcome.failed} ${time}`
}

/** The last lines of a run. */
export function summaryOf(results: readonly Result[], ms: number): string {
  const missed = results.filter(({ outcome }) => outcome === null)
  const late = results.filter(({ by }) => by === 'test:all')
  const namesOf = (some: readonly Result[]) => some.map(({ fault }) => fault.name).join(', ')
  const caught = results.length - missed.length
  return [
    `${caught} of ${results.length} faults caught in ${(ms / 60_000).toFixed(0)} minutes.`,
    ...(late.length === 0 ? [] : [`Only by npm run test:all (at most 5): ${namesOf(late)}.`]),
    ...(missed.length === 0 ? [] : [`Not caught: ${namesOf(missed)}.`]),
    worksWithin(results) ? 'Passed' : 'FAILED',
  ].join('\n')
}

/** An estimate: the tests of a fault run once with it, and once without any. */
export function minutesFor(chosen: readonly Fault[]): number {
  const seconds = chosen.map(({ tests }) => {
    if (tests.some(isInBrowser)) return 75
    return tests.some((test) => isLong(test) || test.includes('.slow.')) ? 45 : 15
  })
  return Math.ceil(seconds.reduce((sum, one) => sum + one, 60) / 60)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
