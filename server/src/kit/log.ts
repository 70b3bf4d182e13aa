import pino from 'pino'
import type { Config } from './config.ts'

export type Log = pino.Logger

/**
 * JSON lines on stdout. Callers log names, counts, codes and request ids, never a person's data or
 * a secret.
 */
export function createLog(config: Pick<Config, 'logLevel'>): Log {
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
