import * as pg from 'pg'
import { Heartbeat } from './heartbeat.ts'
import { asOptions, isPooled, sessionSettings } from './session-settings.ts'
import { openSocket } from './socket.ts'

const waitMs = 3_000
// Longer than a request waits: a connection that opens late serves the next request.
const connectMs = 10_000

export type ConnectionOptions = {
  url: string
  /** The maximum number of connections. */
  max: number
  /**
   * Whether they serve requests. Other work reads large parts of a company and has no time limit
   * for idle transactions.
   */
  forRequests: boolean
  /** Whether to detect within a second that the database no longer answers. */
  watched: boolean
  types: pg.TypeOverrides
}

export type Connections = {
  /**
   * Returns a free connection. @throws Unreachable when none is free in time or the database does
   * not answer
   */
  take(): Promise<pg.PoolClient>
  /**
   * Waits for work that holds a connection, but no longer than the database answers. After that the
   * work continues without a caller.
   * @param lost makes the error to throw when the database stops answering
   */
  unlessSilent<T>(work: Promise<T>, lost: () => Error): Promise<T>
  usage(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** No connection to the database was available. */
export class Unreachable extends Error {}

/** Opens a connection pool; connections are made on demand. */
export function openConnections(options: ConnectionOptions): Connections {
  const waiting = new Set<() => void>()
  let live = new Set<pg.PoolClient>()
  let pool = open()
  const heartbeat = options.watched ? new Heartbeat(options.url, rejectWaiting, replacePool) : null

  function open(): pg.Pool {
    const fresh = newPool(options)
    const clients = new Set<pg.PoolClient>()
    fresh.on('connect', (client) => {
      clients.add(client)
      if (heartbeat !== null) client.connection.stream.on('data', () => heartbeat.dataReceived())
    })
    fresh.on('remove', (client) => clients.delete(client))
    live = clients
    return fresh
  }

  /** Rejects everything that waits for the silent database. */
  function rejectWaiting(): void {
    for (const giveUp of waiting) giveUp()
  }

  /** After a long silence the old connections are useless, so a new pool replaces them. */
  function replacePool(): void {
    const [old, clients] = [pool, live]
    pool = open()
    for (const client of clients) client.connection.stream.destroy()
    void old.end()
  }

  function unlessSilent<T>(work: Promise<T>, lost: () => Error): Promise<T> {
    if (heartbeat === null) return work
    return raced(work, waiting, lost)
  }

  function take(): Promise<pg.PoolClient> {
    if (heartbeat?.silent === true) return Promise.reject(silent())
    // A free connection is handed over at once, so nothing has to be watched.
    if (pool.idleCount > pool.waitingCount) return pool.connect()
    return takeWhenFree()
  }

  async function takeWhenFree(): Promise<pg.PoolClient> {
    const connecting = pool.connect()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Unreachable('no free connection')), waitMs)
    try {
      return await unlessSilent(Promise.race([connecting, late.promise]), silent)
    } catch (error) {
      // A connection that is ready too late serves the next request.
      void connecting.then((client) => client.release(), ignore)
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    take,
    unlessSilent,
    usage: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      heartbeat?.stop()
      await pool.end()
    },
  }
}

/** Waits for work, until a function that it puts into `givingUp` is called. */
async function raced<T>(
  work: Promise<T>,
  givingUp: Set<() => void>,
  lost: () => Error,
): Promise<T> {
  // One promise instead of `Promise.race`, which makes five: each request comes here.
  let giveUp = ignore
  try {
    return await new Promise<T>((resolve, reject) => {
      giveUp = () => reject(lost())
      givingUp.add(giveUp)
      work.then(resolve, reject)
    })
  } finally {
    givingUp.delete(giveUp)
  }
}

function silent(): Error {
  return new Unreachable('the database does not answer')
}

function ignore(): void {}

function newPool({ url, max, forRequests, watched, types }: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    stream: openSocket,
    connectionTimeoutMillis: watched ? connectMs : waitMs,
    idleTimeoutMillis: 60_000,
    options: isPooled(url) ? undefined : asOptions(sessionSettings(forRequests)),
    application_name: 'tillside',
  })
  // The pool replaces an idle connection that the server closed; the next request opens another.
  pool.on('error', () => {})
  // A connection lost while in use fails its statements, which report the error. Without a listener
  // the event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
