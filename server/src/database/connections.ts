import * as pg from 'pg'
import { Heartbeat } from './heartbeat.ts'
import { asOptions, isPooled, sessionSettings } from './session-settings.ts'

const waitMs = 3_000
// Who waits gives up earlier; the connection is there for the next.
const connectMs = 10_000

export type ConnectionOptions = {
  url: string
  /** How many at max. */
  max: number
  /** Whether they serve requests; other work reads much of a company, and takes its time. */
  forRequests: boolean
  /** Whether to notice at once that the database does not answer any more. */
  watched: boolean
  types: pg.TypeOverrides
}

export type Connections = {
  /** A free one. @throws Unreachable when none is free in time or the database says nothing */
  take(): Promise<pg.PoolClient>
  /**
   * Waits for work that has a connection, as long as the database says something; after that the
   * work goes on, and nobody waits for it.
   * @param lost what to say then
   */
  unlessSilent<T>(work: Promise<T>, lost: () => Error): Promise<T>
  usage(): { open: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** No connection was to be had. */
export class Unreachable extends Error {}

/** Opens a pool; connections are made when they are needed. */
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

  /** Nobody waits for a database that says nothing. */
  function rejectWaiting(): void {
    for (const giveUp of waiting) giveUp()
  }

  /** What comes back after long begins with new connections. */
  function replacePool(): void {
    const [old, clients] = [pool, live]
    pool = open()
    for (const client of clients) client.connection.stream.destroy()
    void old.end()
  }

  async function unlessSilent<T>(work: Promise<T>, lost: () => Error): Promise<T> {
    const silence = Promise.withResolvers<never>()
    const giveUp = (): void => silence.reject(lost())
    waiting.add(giveUp)
    try {
      return await Promise.race([work, silence.promise])
    } finally {
      waiting.delete(giveUp)
    }
  }

  async function take(): Promise<pg.PoolClient> {
    if (heartbeat?.silent === true) throw silent()
    const connecting = pool.connect()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Unreachable('no connection in time')), waitMs)
    try {
      return await unlessSilent(Promise.race([connecting, late.promise]), silent)
    } catch (error) {
      // One that comes when nobody waits for it any more is there for the next.
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

function silent(): Error {
  return new Unreachable('the database says nothing')
}

function ignore(): void {}

function newPool({ url, max, forRequests, watched, types }: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: watched ? connectMs : waitMs,
    idleTimeoutMillis: 60_000,
    options: isPooled(url) ? undefined : asOptions(sessionSettings(forRequests)),
    application_name: 'tillside',
  })
  // An idle connection that the server closed is replaced by the pool; the next request opens
  // another.
  pool.on('error', () => {})
  // One that is lost while it is in use fails its statements, and they tell; the event must not end
  // us.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
