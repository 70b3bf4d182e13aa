import * as pg from 'pg'

const tickMs = 50
const ticks = (ms: number): number => ms / tickMs

const pingInterval = ticks(200)
// A ping touches no table and waits for no lock. When neither a ping nor any other statement is
// answered for this long, the database is unreachable.
const minTimeout = ticks(650)
const maxTimeout = ticks(5_000)
// After a network outage this long the connections are lost even when the network returns.
const lostAfter = ticks(8_000)
const connectTimeout = ticks(10_000)

/**
 * Watches whether the database answers. A database that refuses connections reports an error at
 * once, but one that is cut off sends nothing, and a request would wait until the network gives up.
 * So a separate connection pings several times a second, and silence on all connections counts as a
 * failure after less than one second.
 *
 * Time is counted in ticks of this process: when the process itself was held up, it does not blame
 * the database. After slow answers the timeout is longer.
 */
export class Heartbeat {
  /** Whether the database does not answer at the moment. */
  silent = false
  readonly #url: string
  readonly #onSilence: () => void
  readonly #onLoss: () => void
  readonly #timer: NodeJS.Timeout
  #client: pg.Client | null = null
  #connected = false
  #sinceAnswer = pingInterval
  /** Ticks since the unanswered ping was sent; null when none is open. */
  #sincePing: number | null = null
  /** Ticks since the last data from the database while a ping is open. */
  #sinceData = 0
  #timeout = minTimeout

  /**
   * @param onSilence called when callers should stop waiting
   * @param onLoss called when the silence has lasted so long that no connection is worth keeping
   */
  constructor(url: string, onSilence: () => void, onLoss: () => void) {
    this.#url = url
    this.#onSilence = onSilence
    this.#onLoss = onLoss
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  /** Data on any connection shows that the database answers. */
  dataReceived(): void {
    this.#sinceData = 0
    this.silent = false
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#drop()
  }

  #tick(): void {
    if (this.#sincePing === null) {
      if (++this.#sinceAnswer >= pingInterval) this.#sendPing()
      return
    }
    this.#sincePing++
    if (++this.#sinceData > this.#timeout && !this.silent) {
      this.silent = true
      this.#onSilence()
    }
    if (this.#sinceData === lostAfter) this.#onLoss()
    if (this.#sincePing > (this.#connected ? lostAfter : connectTimeout)) this.#drop()
  }

  #sendPing(): void {
    this.#sincePing = 0
    this.#sinceData = 0
    const client = this.#client ?? this.#newClient()
    this.#client = client
    this.#ping(client).catch(() => this.#onDisconnect(client))
  }

  #newClient(): pg.Client {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'tillside heartbeat',
    })
    client.on('error', () => this.#onDisconnect(client))
    return client
  }

  async #ping(client: pg.Client): Promise<void> {
    if (!this.#connected) await client.connect()
    if (this.#client !== client) return
    this.#connected = true
    await client.query('select')
    if (this.#client !== client) return
    // Twice the last duration: a slow network is still a network.
    this.#timeout = Math.min(Math.max(minTimeout, 2 * (this.#sincePing ?? 0)), maxTimeout)
    this.#pingAnswered()
  }

  /** A refused or closed connection is an answer; requests get the same error. */
  #onDisconnect(client: pg.Client): void {
    if (this.#client !== client) return
    this.#drop()
    this.dataReceived()
  }

  #drop(): void {
    this.#client?.connection.stream.destroy()
    this.#client = null
    this.#connected = false
    this.#sincePing = null
    this.#sinceAnswer = 0
  }

  #pingAnswered(): void {
    this.dataReceived()
    this.#sincePing = null
    this.#sinceAnswer = 0
  }
}
