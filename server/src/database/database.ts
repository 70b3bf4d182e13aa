import { hash as digest } from 'node:crypto'
import * as pg from 'pg'
import * as z from 'zod/mini'
import type { Author } from '../process/author.ts'
import { compiled } from '../values/compiled.ts'
import { Outdated } from '../values/outdated.ts'
import { type PendingStatement, rowsAffected } from './connection/burst.ts'
import {
  type Prepared,
  batchedSend,
  commit,
  forNodes,
  ignore,
  type Queued,
  rollback,
  type Send,
} from './batch.ts'
import {
  type ConnectionOptions,
  type Connections,
  openConnections,
  Unreachable,
} from './connection/connections.ts'
import { allOf, maybeOf, oneOf } from './reads/rows.ts'
import { isConnectionLost, isNodeLost, isRefusal, states } from './connection/lost.ts'
import { retrying } from './connection/retry.ts'
import { isPooled, openingStatements } from './connection/session-settings.ts'
import { types } from './connection/type-parsers.ts'

/**
 * One SQL text and the schema of its rows. Every row read from the database is parsed by the
 * schema, so its type is certain.
 */
export type Statement<Row> = Prepared & { row: z.ZodMiniType<Row> }

/**
 * Declares a statement. Its name is a hash of its text and lets PostgreSQL reuse the plan: on the
 * reference machine a named look-up is five times as fast as an unnamed one.
 */
export function statement<Row>(text: string, row: z.ZodMiniType<Row>): Statement<Row> {
  return { name: digest('sha1', text, 'base64url'), text, row: compiled(row) }
}

/**
 * The operations of a verb's transaction. Calls that are not awaited one by one are sent together.
 */
export type Transaction = {
  /** Returns all rows. */
  all<Row>(s: Statement<Row>, values: readonly unknown[]): Promise<Row[]>
  /** Returns the only row, or null. @throws Error when there are several */
  maybe<Row>(s: Statement<Row>, values: readonly unknown[]): Promise<Row | null>
  /** Returns the only row. @throws Error when there is none or there are several */
  one<Row>(s: Statement<Row>, values: readonly unknown[]): Promise<Row>
  /** Returns the number of rows affected. */
  run(s: Statement<unknown>, values: readonly unknown[]): Promise<number>
  /**
   * Sends a statement together with the commit, without waiting for its answer. If it fails, the
   * commit fails.
   */
  atCommit(s: Statement<unknown>, values: readonly unknown[]): void
}

export type Database = {
  /** Runs `work` in one transaction of one company; rolls back when it throws. */
  transaction<T>(companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * Runs read-only work; PostgreSQL refuses every write. Statements that are not sent together may
   * see what was committed in between, as in a transaction at the level `read committed`.
   */
  reading<T>(companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Reads data that belongs to no company: the directory of companies, readiness. */
  withoutCompany<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** The current use of its connections. */
  usage(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/**
 * The connection was lost during the commit, so it is unknown whether the transaction was
 * committed. After any other availability error, nothing has changed.
 */
export class CommitUnknown extends Error {}

/**
 * Opens a connection pool for the program's own database role.
 * @param max the maximum number of connections
 * @param forRequests whether it serves requests; for other work, which reads large parts of a
 *   company, PostgreSQL chooses its plans freely
 * @param watched whether to detect within a second that the database no longer answers
 */
export function openDatabase(url: string, max = 10, forRequests = true, watched = false): Database {
  return openPool({ url, max, forRequests, watched, types }, null)
}

/**
 * Opens a connection pool for a command.
 * @param author the person who runs it; each audit row of its transactions names them
 */
export function openForCommand(url: string, author: Author | null): Database {
  return openPool({ url, max: 10, forRequests: false, watched: false, types }, author)
}

function openPool(options: ConnectionOptions, author: Author | null): Database {
  const connections = openConnections(options)
  const pooled = isPooled(options.url)
  const opening = openingStatements(options, author)
  // The tables that belong to no company are copied to all nodes.
  const withoutCompany: Database['withoutCompany'] = (work) =>
    retrying(() => readOnly(connections, pooled, opening.readOutside, work), mayRetry)
  const onCluster = new WeakMap<pg.PoolClient, boolean>()
  // Each connection asks once. With the extension but before `distribute`, each change asks.
  async function askPlacement(client: pg.PoolClient): Promise<boolean> {
    const { send } = batchedSend(client, pooled, opening.readOutside)
    const { hasCitus, isDistributed } = await send(readPlacement, [], oneOf)
    if (hasCitus === isDistributed) onCluster.set(client, isDistributed)
    return isDistributed
  }

  async function attempt<T>(companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await connections.take()
    const { send, sendFirst, release } = batchedSend(client, pooled)
    let stage: 'working' | 'committing' | 'given up' = 'working'

    async function run(): Promise<T> {
      let broken: Error | undefined
      try {
        const isOnCluster = onCluster.get(client) ?? (await askPlacement(client))
        sendFirst(opening.inCompany(companyId, isOnCluster))
        const { tx, closing } = transactionOn(isOnCluster ? forNodes(send) : send)
        const result = await work(tx)
        if (stage === 'given up') throw new Unreachable('the caller has stopped waiting')
        stage = 'committing'
        // The deferred statements and the commit are sent in one round trip.
        const sent = closing.map(({ s, values }) => send(s, values, ignore))
        const [committed] = await Promise.all([send(commit, [], (answer) => answer), ...sent])
        if (committed.command !== 'COMMIT')
          throw new Error('the transaction failed before its commit')
        return result
      } catch (error) {
        await send(rollback, [], ignore).catch((e: Error) => (broken = e))
        const failure = failureOf(error, stage === 'committing')
        if (failure instanceof Unreachable) broken = failure
        throw failure
      } finally {
        release(broken)
      }
    }

    return connections.unlessSilent(run(), () => {
      if (stage === 'committing') return new CommitUnknown('the database stopped answering')
      stage = 'given up'
      return new Unreachable('the database stopped answering')
    })
  }

  return {
    transaction: (companyId, work) => retrying(() => attempt(companyId, work), mayRetry),
    reading: (companyId, work) => {
      const before = opening.readInCompany(companyId)
      return retrying(() => readOnly(connections, pooled, before, work), mayRetry)
    },
    withoutCompany,
    usage: () => connections.usage(),
    close: () => connections.close(),
  }
}

/** Each burst of read-only work is a transaction. */
async function readOnly<T>(
  connections: Connections,
  pooled: boolean,
  before: readonly PendingStatement[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await connections.take()
  const { send, hasFailed, release } = batchedSend(client, pooled, before)

  async function run(): Promise<T> {
    let broken: Error | undefined
    try {
      return await work(transactionOn(send).tx)
    } catch (error) {
      if (error instanceof Error && isUnavailable(error)) broken = error
      throw error
    } finally {
      if (broken === undefined && hasFailed()) {
        const { send: sendAlone } = batchedSend(client, pooled)
        await sendAlone(rollback, [], ignore).catch((error: Error) => (broken = error))
      }
      release(broken)
    }
  }

  return connections.unlessSilent(run(), () => new Unreachable('the database stopped answering'))
}

// `tillside database distribute` has made the table. A copy of it elsewhere means nothing.
const readPlacement = statement(
  `select has as "hasCitus", has and to_regclass('two_phases') is not null as "isDistributed"
   from (select to_regclass('pg_dist_partition') is not null as has) citus`,
  z.object({ hasCitus: z.boolean(), isDistributed: z.boolean() }),
)

function mayRetry(error: unknown): boolean {
  return error instanceof Outdated || states.retriable.has(sqlState(error) ?? '')
}

function transactionOn(send: Send): { tx: Transaction; closing: Queued[] } {
  const closing: Queued[] = []
  const tx: Transaction = {
    all: (s, values) => send(s, values, allOf),
    maybe: (s, values) => send(s, values, maybeOf),
    one: (s, values) => send(s, values, oneOf),
    run: (s, values) => send(s, values, rowsAffected),
    atCommit: (s, values) => void closing.push({ s, values }),
  }
  return { tx, closing }
}

/** Returns PostgreSQL's five-character error code, or null for any other error. */
export function sqlState(error: unknown): string | null {
  return error instanceof pg.DatabaseError ? (error.code ?? null) : null
}

/** Whether a statement waited longer for a lock than its connection allows (`lockTimeoutMs`). */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === '55P03'
}

/** The error of a transaction whose statement or commit failed with this one. */
function failureOf(error: unknown, isCommitting: boolean): unknown {
  if (sqlState(error) === states.readOnlyServer) return new Unreachable('the database is a standby')
  if (!isCommitting || !isUnavailable(error) || isRefusal(error)) return error
  return new CommitUnknown('the connection was lost during the commit', { cause: error })
}

/** True when a later retry can succeed: the database is unavailable or no connection is free. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown || error instanceof Unreachable) return true
  const state = sqlState(error)
  if (state === null) return isConnectionLost(error)
  return states.unavailable.test(state) || isNodeLost(error)
}
