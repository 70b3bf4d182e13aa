import { join } from 'node:path'
import { node, root } from '../setup.mjs'
import { resultsFile } from './results.ts'
import { program } from './static.ts'
import type { Step } from './step.ts'

// A lane is a part of the tests that runs in parallel with another lane. Lanes of vitest are the
// projects of vitest.config.ts; each has its own PostgreSQL.

/** `npm run check`, `npm test`, `npm run test:all`, `npm run test:long` and
 * `npm run test:cluster`. */
export const suites = ['check', 'short', 'all', 'long', 'cluster'] as const
export type Suite = (typeof suites)[number]

const full = { TEST_LEVEL: 'full' }
const long = { TEST_LEVEL: 'long' }

/**
 * The lanes of a suite, in the order in which they start. The browser starts early because it takes
 * longest and waits much; the other lanes run in parallel with it, one after the other.
 */
export function lanesOf(suite: Suite): Step[] {
  switch (suite) {
    case 'check':
      return [vitest('portal and coding rules', ['portal', 'house']), vitest('server', ['server'])]
    case 'short':
      return [
        vitest('portal and coding rules', ['portal', 'house']),
        browser(),
        vitest('server', ['server']),
        vitest('slow', ['slow']),
        vitest('counts of parts', ['parts'], {}, ['server/src/cluster/touched.parts.test.ts']),
      ]
    case 'all':
      return [
        vitest('portal and coding rules', ['portal', 'house']),
        browser('--all'),
        vitest('server', ['server'], full),
        vitest('slow', ['slow'], full),
        vitest('pooled', ['pooled'], full),
        vitest('several round trips', ['several round trips'], full),
        vitest('without memory', ['without memory'], full),
        vitest('parts', ['parts'], full),
        vitest('postgres 16', ['postgres 16'], full),
        vitest('postgres 17', ['postgres 17'], full),
        vitest('long', ['long'], full),
      ]
    case 'cluster':
      return [vitest('cluster', ['cluster', 'cluster faults'])]
    case 'long':
      return [
        vitest('member histories, races and faults', ['slow', 'long'], long, livesAndFaults),
        vitest('generated requests', ['server'], long, ['server/src/http/generated.test.ts']),
      ]
  }
}

// Level `long` draws new random seeds, which helps only where the input is random.
const livesAndFaults = ['server/src/jobs', 'server/src/faults']

/** @param only paths of test files or folders, all of the projects' files without any */
export function vitest(
  name: string,
  projects: readonly string[],
  env: Record<string, string> = {},
  only: readonly string[] = [],
): Step {
  return {
    name,
    command: program('vitest'),
    args: [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${resultsFile(name)}`,
      ...projects.map((project) => `--project=${project}`),
      ...only,
    ],
    env,
  }
}

/** The journeys in Chromium; with `--all` also in Firefox and in every size. */
export function browser(...words: string[]): Step {
  return { name: 'browser', command: node, args: [join(root, 'e2e/run.ts'), ...words] }
}
