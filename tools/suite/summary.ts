import { stripVTControlCharacters } from 'node:util'
import type { FailedTest } from './results.ts'

// CI shows only the last lines of a run, so the failures are repeated there.
const maxTests = 40
const maxMessageLines = 12
const maxOutputLines = 40

/** A step that failed, with all of its output. */
export type FailedStep = { name: string; output: string }

/**
 * Repeats why steps failed: each failed test with its message, or the last lines of a step's output
 * where no test failed. Cuts long messages and long lists, and says so.
 * @param testsOf the failed tests of a step
 */
export function describeFailures(
  steps: readonly FailedStep[],
  testsOf: (step: string) => FailedTest[],
): string {
  const tests = steps.flatMap(({ name }) => testsOf(name))
  const others = steps.filter(({ name }) => testsOf(name).length === 0)
  const left = tests.length - maxTests
  return [
    ...others.map(({ name, output }) => `✗ ${name}\n${lastLines(output)}\n`),
    ...tests.slice(0, maxTests).map(describeTest),
    ...(left > 0 ? [`… and ${left} more failed tests, see above.\n`] : []),
  ].join('\n')
}

function describeTest({ lane, file, name, message }: FailedTest): string {
  const parts = new Set([lane, file, name].filter((part) => part !== ''))
  const title = [...parts].join(' › ')
  return `✗ ${title}\n${indent(firstLines(message))}\n`
}

/** The message and the place in the project's own code, without the rest of the stack. */
function firstLines(text: string): string {
  const lines = linesOf(text)
  const stack = lines.filter((line) => /^\s+at /.test(line))
  const message = lines.filter((line) => !/^\s+at /.test(line))
  const shown = message.slice(0, maxMessageLines)
  if (message.length > maxMessageLines) shown.push('…')
  const place = stack.find((line) => !line.includes('node_modules') && !line.includes('node:'))
  return [...shown, ...(place === undefined ? [] : [place.trim()])].join('\n')
}

function lastLines(text: string): string {
  return indent(linesOf(text).slice(-maxOutputLines).join('\n'))
}

function linesOf(text: string): string[] {
  const lines = stripVTControlCharacters(text).split('\n')
  return lines.filter((line) => line.trim() !== '')
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}
