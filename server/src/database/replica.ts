import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type Database, statement } from './database.ts'

/** A standby that follows the database, for looks that may be a moment old. */
export type Replica = {
  database: Database
  /** Whether it has all that was committed up to a second ago. */
  fresh(): boolean
  close(): Promise<void>
}

// Where the log ends that the next change is written to, and how much of it the standby has read.
const written = statement(
  'select pg_current_wal_insert_lsn()::text as lsn',
  z.object({ lsn: z.string() }),
)
const read = statement(
  `select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has`,
  z.object({ has: z.boolean() }),
)
const pauseMs = 200
const oldestMs = 1_000
/** A standby that is late now and then is no news; one that serves nobody for so long is. */
const reportAfterMs = 5_000

/**
 * Follows a standby. It is fresh when it was seen to have what the database had written at a moment
 * not more than a second ago, by this process's own clock: so nobody has to trust what a standby
 * that is cut off says about itself, and nothing is written to find out.
 * @param report is told when it is used, and when it is not any more or never was
 */
export function followReplica(
  copy: Database,
  database: Database,
  report: (event: 'used' | 'not used') => void,
): Replica {
  const stopping = new AbortController()
  const began = performance.now()
  let seenAt = -Infinity
  let lastReported: string | null = null
  function reportOnce(event: 'used' | 'not used'): void {
    if (event !== lastReported) report(event)
    lastReported = event
  }
  const ended = (async () => {
    while (!stopping.signal.aborted) {
      const asked = performance.now()
      const has = await hasAll(copy, database).catch(() => false)
      if (has) seenAt = asked
      const silentMs = performance.now() - Math.max(seenAt, began)
      if (has) reportOnce('used')
      else if (silentMs > reportAfterMs) reportOnce('not used')
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return {
    database: copy,
    fresh: () => performance.now() - seenAt < oldestMs,
    async close() {
      stopping.abort()
      await ended
      await copy.close()
    },
  }
}

async function hasAll(copy: Database, database: Database): Promise<boolean> {
  const { lsn } = await database.withoutCompany((tx) => tx.one(written, []))
  return (await copy.withoutCompany((tx) => tx.one(read, [lsn]))).has
}
