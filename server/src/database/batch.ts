import type * as pg from 'pg'
import { type Answer, Burst, encode, type PendingStatement } from './connection/burst.ts'
import { types } from './connection/type-parsers.ts'

// Sends the statements of a transaction.

/** A prepared statement: its name and its text. */
export type Prepared = {
  name: string
  text: string
  /** On a cluster, sent before it with as many of its values (`lock.ts`). */
  hold?: Prepared & { keys: number }
}

export const commit: Prepared = { name: 'commit', text: 'commit' }
export const rollback: Prepared = { name: 'rollback', text: 'rollback' }

export type Queued = { s: Prepared; values: readonly unknown[] }
/** Sends a statement, and reads the result from its answer. */
export type Send = <S extends Prepared, Result>(
  s: S,
  values: readonly unknown[],
  read: (answer: Answer, s: S) => Result,
) => Promise<Result>

/**
 * Sends all statements of one turn of the event loop as one burst.
 * @param before the first statements of a transaction; each burst is then one. `hasFailed` returns
 *   whether the last one must be rolled back.
 */
export function batchedSend(
  client: pg.PoolClient,
  pooled: boolean,
  before?: readonly PendingStatement[],
): {
  send: Send
  /** Puts the first statements of a transaction before all others. */
  sendFirst: (statements: readonly PendingStatement[]) => void
  hasFailed: () => boolean
  /** Gives the connection back. A later statement would be sent within another transaction. */
  release: (broken: Error | undefined) => void
} {
  let waiting: PendingStatement[] = []
  let [hasFailed, isReleased] = [false, false]
  type Settle = Pick<PendingStatement, 'resolve' | 'reject'>
  function wait({ s, values }: Queued, settle: Settle): void {
    waiting.push({ name: s.name, text: s.text, values: values.map(encode), ...settle })
  }
  function open(first: readonly PendingStatement[]): void {
    process.nextTick(flush)
    if (hasFailed) wait({ s: rollback, values: [] }, ignored)
    hasFailed = false
    waiting.push(...first)
  }
  function flush(): void {
    if (isReleased) return waiting.forEach(({ reject }) => reject(ended()))
    const settle = { resolve: ignore, reject: () => void (hasFailed = true) }
    if (before !== undefined) wait({ s: commit, values: [] }, settle)
    client.query(new Burst(waiting, types, !pooled))
    waiting = []
  }
  const send: Send = async (s, values, read) => {
    try {
      if (isReleased) throw ended()
      const answer = await new Promise<Answer>((resolve, reject) => {
        if (waiting.length === 0) open(before ?? [])
        wait({ s, values }, { resolve, reject })
      })
      return read(answer, s)
    } catch (error) {
      // The stack was captured where the answer was read, which does not show the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
  function release(broken: Error | undefined): void {
    isReleased = true
    client.release(broken)
  }
  return { send, sendFirst: open, hasFailed: () => hasFailed, release }
}

/**
 * How a cluster is sent statements. The write of a lock goes before the lock (`lock.ts`); if it
 * fails, the lock fails with it.
 */
export function forNodes(send: Send): Send {
  return async (s, values, read) => {
    if (s.hold !== undefined) send(s.hold, values.slice(0, s.hold.keys), ignore).catch(ignore)
    return send(s, values, read)
  }
}

const ended = (): Error => new Error('the transaction has ended')
export const ignore = (): void => {}
const ignored = { resolve: ignore, reject: ignore } // the statements sent after it fail too
