import { inject } from 'vitest'
import { takesOneRoundTrip } from '../factories/company.ts'
import { countsAtOnce, type ServerProcess, startServer } from './process.ts'

const started = new Map<string, [ServerProcess, ServerProcess]>()

/**
 * The addresses of two server processes on the database of the test run. All test files of a worker
 * share them, because their start takes more processor time than the tests of most files. They end
 * with the worker. A test that stops its servers, sets their environment or reads their log starts
 * its own.
 */
export function twoServers(): Promise<[string, string]> {
  const [one, two] = servers()
  return Promise.all([one.ready, two.ready])
}

/**
 * Begins to count the calls that the two processes answer in one round trip.
 * @returns which of these endpoints were answered so since then, and which ones have to be: all, or
 *   none where the project of vitest.config.ts switches it off
 */
export async function watchAtOnce() {
  const before = await countsAtOnce(servers())
  return async (endpoints: readonly { path: string }[]) => {
    const after = await countsAtOnce(servers())
    const paths = endpoints.map(({ path }) => path)
    return {
      answered: paths.filter((path) => (after.get(path) ?? 0) > (before.get(path) ?? 0)),
      wanted: takesOneRoundTrip ? paths : [],
    }
  }
}

function servers(): [ServerProcess, ServerProcess] {
  const url = inject('ownerUrl')
  const pair = started.get(url) ?? [start(url), start(url)]
  started.set(url, pair)
  return pair
}

function start(url: string): ServerProcess {
  return startServer({ DATABASE_URL: url, LOG_LEVEL: 'silent', METRICS_PORT: '0' })
}
