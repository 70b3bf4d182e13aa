import { hash as digest } from 'node:crypto'
import * as pg from 'pg'
import * as z from 'zod/mini'
import { type Author, authorSettings } from '../process/author.ts'
import { compiled } from '../values/compiled.ts'
import { Outdated } from '../values/outdated.ts'
import { type Answer, type PendingStatement, Burst, encode, rowsAffected } from './burst.ts'
import {
  type ConnectionOptions,
  openConnections,
  type Placing,
  Unreachable,
} from './connections.ts'
import { allOf, maybeOf, oneOf } from './reads/rows.ts'
import { asColumns, isPooled, sessionSettings } from './session-settings.ts'

/**
 * One SQL text and the schema of its rows. Every row read from the database is parsed by the
 * schema, so its type is certain.
 */
export type Statement<Row> = { name: string; text: string; row: z.ZodMiniType<Row> }

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
  /** Set where a company has several servers, see docs/growing.md. */
  placing?: Placing
  /** The current use of its connections. */
  usage(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number) // points and counts stay within 2^53
types.setTypeParser(pg.types.builtins.DATE, String) // a calendar day has no time zone
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())
const retriable = new Set(['40001', '40P01']) // serialization failure, deadlock
const attempts = 4
// Of a change: the address leads to a standby, as it can for a moment after a failover.
const readOnlyServer = '25006'

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
  const { inCompany, readInCompany, readOutside } = openingStatements(options, author)

  async function attempt<T>(companyId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await connections.take()
    const send = batchedSend(client, pooled)
    let stage: 'working' | 'committing' | 'given up' = 'working'

    async function run(): Promise<T> {
      let broken: Error | undefined
      try {
        send(begin, [], ignore).catch(ignore)
        send(inCompany, [companyId], ignore).catch(ignore)
        const { tx, closing } = transactionOn(send)
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
        client.release(broken)
      }
    }

    return connections.unlessSilent(run(), () => {
      if (stage === 'committing') return new CommitUnknown('the database stopped answering')
      stage = 'given up'
      return new Unreachable('the database stopped answering')
    })
  }

  /** Read-only work needs no `begin` and `commit`: each of its bursts is a transaction. */
  async function readOnly<T>(before: Queued, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await connections.take()

    async function run(): Promise<T> {
      let broken: Error | undefined
      try {
        return await work(transactionOn(batchedSend(client, pooled, before)).tx)
      } catch (error) {
        if (error instanceof Error && isUnavailable(error)) broken = error
        throw error
      } finally {
        client.release(broken)
      }
    }

    return connections.unlessSilent(run(), () => new Unreachable('the database stopped answering'))
  }

  return {
    transaction: (companyId, work) => retrying(() => attempt(companyId, work)),
    reading: (companyId, work) =>
      retrying(() => readOnly({ s: readInCompany, values: [companyId] }, work)),
    withoutCompany: (work) => retrying(() => readOnly({ s: readOutside, values: [] }, work)),
    usage: () => connections.usage(),
    close: () => connections.close(),
  }
}

const begin = statement('begin', z.unknown())
const commit = statement('commit', z.unknown())
const rollback = statement('rollback', z.unknown())

function opening(...columns: string[]): Statement<unknown> {
  return statement(`select ${columns.filter((part) => part !== '').join(', ')}`, z.unknown())
}

/** The first statement of a transaction, with settings that end with it. */
function openingStatements({ url, forRequests }: ConnectionOptions, author: Author | null) {
  const settings = isPooled(url) ? sessionSettings(forRequests) : {}
  const [company, own] = [`set_config('app.company_id', $1, true)`, asColumns(settings)]
  const readOnly = `set_config('transaction_read_only', 'on', true)`
  return {
    inCompany: opening(company, own, asColumns(authorSettings(author))),
    readInCompany: opening(company, readOnly, own),
    readOutside: opening(readOnly, own),
  }
}

async function retrying<T>(run: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await run()
    } catch (error) {
      const mayRetry = error instanceof Outdated || retriable.has(sqlState(error) ?? '')
      if (n === attempts || !mayRetry) throw error
      await new Promise((wake) => setTimeout(wake, Math.random() * 25 * 2 ** n))
    }
  }
}

type Queued = { s: Statement<unknown>; values: readonly unknown[] }
/** Sends a statement, and reads the result from its answer. */
type Send = <Row, Result>(
  s: Statement<Row>,
  values: readonly unknown[],
  read: (answer: Answer, s: Statement<Row>) => Result,
) => Promise<Result>

/**
 * Sends all statements of one turn of the event loop as one burst.
 * @param before a statement to send first in each burst
 */
function batchedSend(client: pg.PoolClient, pooled: boolean, before?: Queued): Send {
  let waiting: PendingStatement[] = []
  function flush(): void {
    client.query(new Burst(waiting, types, !pooled))
    waiting = []
  }
  function wait(
    { s, values }: Queued,
    resolve: PendingStatement['resolve'],
    reject: PendingStatement['reject'],
  ): void {
    waiting.push({ name: s.name, text: s.text, values: values.map(encode), resolve, reject })
  }
  return async (s, values, read) => {
    try {
      return read(
        await new Promise<Answer>((resolve, reject) => {
          if (waiting.length === 0) {
            process.nextTick(flush)
            if (before !== undefined) wait(before, ignore, ignore)
          }
          wait({ s, values }, resolve, reject)
        }),
        s,
      )
    } catch (error) {
      // The stack was captured where the answer was read, which does not show the caller.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
}

/** For a failure that the statements sent after the failed one report too. */
function ignore(): void {}

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

/** The error of a transaction whose statement or commit failed with this one. */
function failureOf(error: unknown, isCommitting: boolean): unknown {
  if (sqlState(error) === readOnlyServer) return new Unreachable('the database is a standby')
  if (!isCommitting || !isUnavailable(error) || isRefusal(error)) return error
  return new CommitUnknown('the connection was lost during the commit', { cause: error })
}

/** Whether PostgreSQL rejected the statement and the connection still works. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

// Connection exceptions; failures that a retry may not meet; insufficient resources; shutdown;
// timeouts of a lock, a statement and an idle transaction.
const unavailableStates = /^(08|40|53|57P|55P03|57014|25P03)/
const unavailableCodes = /^(ECONN|EPIPE|ETIMEDOUT|ENOENT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/
// Messages of `pg`, without a code, when it has no connection or has lost the one in use.
const connectionLost =
  /^(Connection terminated|timeout exceeded when|Client (has encountered a connection|was closed))/

/**
 * True when the database is unavailable or has no connection left, so that a later retry can
 * succeed.
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown || error instanceof Unreachable) return true
  const state = sqlState(error)
  if (state !== null) return unavailableStates.test(state)
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unavailableCodes.test(code) || connectionLost.test(error.message)
}
