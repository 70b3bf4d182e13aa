import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { root } from '../setup.mjs'
import { browser, vitest } from './lanes.ts'
import { format, lintAndTypes } from './static.ts'
import type { Step } from './step.ts'

/**
 * The steps for some files: format, lint rules, types and tests.
 * @param given from the root of the repository, or absolute
 * @throws Error when there is no such file
 */
export function stepsFor(given: readonly string[]): Step[] {
  const files = given.map((file) => (isAbsolute(file) ? relative(root, file) : file))
  const missing = files.find((file) => !existsSync(join(root, file)))
  if (missing !== undefined) throw new Error(`There is no file ${missing}`)
  const code = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  const formatted = files.filter((file) => /\.(ts|tsx|mjs|json|md|yaml|yml|css|html)$/.test(file))
  const tests = new Set(files.flatMap(testsOf))
  return [
    ...Array.from(tests, stepOf),
    ...(code.length > 0 ? [lintAndTypes(...code)] : []),
    ...(formatted.length > 0 ? [format(...formatted)] : []),
  ]
}

function stepOf(test: string): Step {
  return test.startsWith('e2e/')
    ? browser(`/${basename(test)}$`)
    : vitest(test, [projectOf(test)], {}, [test])
}

/** The project of vitest.config.ts that runs a test file. */
function projectOf(test: string): string {
  if (test.endsWith('.slow.test.ts')) return 'slow'
  if (test.endsWith('.long.test.ts')) return 'long'
  if (test.startsWith('portal/')) return 'portal'
  return test.startsWith('tools/') ? 'house' : 'server'
}

/**
 * The tests of a file, from the root: itself when it is a test; otherwise the tests of its folder
 * that have its name, or else those that import it.
 */
function testsOf(file: string): string[] {
  if (isTest(file)) return [file]
  const folder = dirname(file)
  const name = basename(file).replace(/\.(ts|tsx|mjs)$/, '')
  const near = readdirSync(join(root, folder))
    .filter(isTest)
    .filter((test) => !test.endsWith('.long.test.ts'))
  const same = near.filter((test) => test.startsWith(`${name}.`))
  const importing = near.filter((test) =>
    readFileSync(join(root, folder, test), 'utf8').includes(`'./${basename(file)}'`),
  )
  return (same.length > 0 ? same : importing).map((test) => join(folder, test))
}

function isTest(file: string): boolean {
  return /\.(test|e2e)\.ts$/.test(file)
}
