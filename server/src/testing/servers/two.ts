import { inject } from 'vitest'
import { startServer } from './process.ts'

const started = new Map<string, Promise<[string, string]>>()

/**
 * The addresses of two server processes on the database of the test run. All test files of a worker
 * share them, because their start takes more processor time than the tests of most files. They end
 * with the worker. A test that stops its servers, sets their environment or reads their log starts
 * its own.
 */
export function twoServers(): Promise<[string, string]> {
  const url = inject('ownerUrl')
  const addresses = started.get(url) ?? Promise.all([start(url), start(url)])
  started.set(url, addresses)
  return addresses
}

function start(url: string): Promise<string> {
  return startServer({ DATABASE_URL: url, LOG_LEVEL: 'silent' }).ready
}
