import pino from 'pino'
import type { Config } from './config.ts'

export type Log = pino.Logger

/** How much of the log waits in memory while it cannot be written. */
const pendingBytes = 4 * 1024 * 1024

/**
 * JSON lines on stdout. Callers log names, counts, codes and request ids, never personal data or
 * secrets. Lines are written in batches, at the latest after a second: a write for each line would
 * cost a request more than its look-up.
 */
export function createLog(config: Pick<Config, 'logLevel'>): Log {
  const out = pino.destination({
    fd: 1,
    sync: false,
    minLength: 4096,
    maxLength: pendingBytes,
    periodicFlush: 1000,
  })
  surviveFullDisk(out)
  return pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out)
}

/**
 * When the disk of the log is full, the program continues; lines are kept and written later, up to
 * a limit. The library would end the process, and in its end wait for the disk forever.
 */
function surviveFullDisk(out: ReturnType<typeof pino.destination>): void {
  let isFailing = false
  out.once('error', () => {
    process.prependListener('exit', () => isFailing && out.destroy())
  })
  out.on('error', () => (isFailing = true))
  out.on('write', () => (isFailing = false))
}
