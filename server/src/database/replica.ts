import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type Database, statement } from './database.ts'

/** A standby that replicates the database, for queries that may see data up to a second old. */
export type Replica = {
  database: Database
  /** Whether it has all transactions that were committed up to a second ago. */
  fresh(): boolean
  close(): Promise<void>
}

// The end of the write-ahead log, and whether the standby has replayed it so far.
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
/**
 * Short delays of a standby are normal. It is reported only after it has been stale for this long.
 */
const reportAfterMs = 5_000

/**
 * Follows a standby. It counts as fresh when it has replayed everything that the primary had
 * written at some time within the last second, by this process's clock. So a standby that is cut
 * off is not trusted about its own state, and the check writes nothing.
 * @param report called when the standby is used, and when it is no longer used or was never fresh
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
      const startedAt = performance.now()
      const has = await hasAll(copy, database).catch(() => false)
      if (has) seenAt = startedAt
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
