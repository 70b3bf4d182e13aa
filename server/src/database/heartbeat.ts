import * as pg from 'pg'

const tickMs = 50
const ticks = (ms: number): number => ms / tickMs

const pingInterval = ticks(200)
// A ping touches no table and waits for no lock. Where it and everything else that was asked stay
// without a word for so long, nobody is there.
const minTimeout = ticks(650)
const maxTimeout = ticks(5_000)
// A road that was cut for so long is another one when it is mended: what was on it is lost.
const lostAfter = ticks(8_000)
const connectTimeout = ticks(10_000)

/**
 * Listens whether the database lives. One that refuses says so by itself; one that is cut off says
 * nothing, and who asks it would wait for as long as the network likes. So a connection of its own
 * asks several times a second, and silence on all connections is an answer after less than one.
 *
 * Time is counted in ticks that this process lived through: when it is itself held up, it does not
 * blame the database. A database that answers late is waited for as much longer.
 */
export class Heartbeat {
  /** Whether the database says nothing; who asks it now would wait in vain. */
  silent = false
  readonly #url: string
  readonly #onSilence: () => void
  readonly #onLoss: () => void
  readonly #timer: NodeJS.Timeout
  #client: pg.Client | null = null
  #connected = false
  #sinceAnswer = pingInterval
  /** Ticks since the ping left that has no answer; null: there is none. */
  #sincePing: number | null = null
  /** Ticks since anything was heard while a ping had no answer. */
  #sinceData = 0
  #timeout = minTimeout

  /**
   * @param onSilence nobody should wait any longer
   * @param onLoss it has lasted so long that no connection is worth keeping
   */
  constructor(url: string, onSilence: () => void, onLoss: () => void) {
    this.#url = url
    this.#onSilence = onSilence
    this.#onLoss = onLoss
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  /** Whatever the database says, on any connection, shows that it lives. */
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
    // Twice what it took: a slow road is a road.
    this.#timeout = Math.min(Math.max(minTimeout, 2 * (this.#sincePing ?? 0)), maxTimeout)
    this.#pingAnswered()
  }

  /** A connection that is refused, or closed, is an answer; requests get the same. */
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
