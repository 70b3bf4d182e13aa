import pino from 'pino'
import type { Config } from './config.ts'

export type Log = pino.Logger

/**
 * JSON lines on stdout. Callers log names, counts, codes and request ids, never personal data or
 * secrets. Lines are written in batches, at the latest after a second: a write for each line would
 * cost a request more than its look-up.
 */
export function createLog(config: Pick<Config, 'logLevel'>): Log {
  const out = pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 1000 })
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out)
}
