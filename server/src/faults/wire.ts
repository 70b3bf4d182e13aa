import { connect, createServer, type Server, type Socket } from 'node:net'

/** `silent`: data waits in the wire, and neither side notices. */
type State = 'open' | 'silent' | 'refusing'

/** A TCP proxy between a server and its database that can drop, refuse or delay. */
export class Wire {
  /** Delay of each response of the database, in milliseconds. */
  delayMs = 0
  readonly #target: number
  readonly #pairs = new Set<{ near: Socket; far: Socket }>()
  readonly #forgotten: Socket[] = []
  #listener: Server
  #port = 0
  #state: State = 'open'

  constructor(target: number) {
    this.#target = target
    this.#listener = this.#newListener()
  }

  /** @returns the port to use instead of the database's */
  async open(): Promise<number> {
    await new Promise<void>((done) => this.#listener.listen(this.#port, '127.0.0.1', done))
    const address = this.#listener.address()
    if (address !== null && typeof address === 'object') this.#port = address.port
    return this.#port
  }

  /** Stops all data without closing a connection. */
  silence(): void {
    this.#state = 'silent'
    for (const { near, far } of this.#pairs) {
      near.pause()
      far.pause()
    }
  }

  /** Ends all connections, and takes no new ones. */
  async refuse(): Promise<void> {
    this.#state = 'refusing'
    this.#dropAll()
    await new Promise((done) => this.#listener.close(done))
  }

  /**
   * Lets through again, what waited in the wire as well.
   * @param forgetting whether the database never hears of the connections that were cut: they stay
   *   open on its side
   */
  async mend(forgetting = false): Promise<void> {
    if (this.#state === 'refusing') {
      this.#listener = this.#newListener()
      await this.open()
    }
    this.#state = 'open'
    if (forgetting) {
      for (const { near, far } of this.#pairs) {
        near.destroy()
        this.#forgotten.push(far)
      }
      this.#pairs.clear()
    }
    for (const { near, far } of this.#pairs) {
      near.resume()
      far.resume()
    }
  }

  async close(): Promise<void> {
    this.#dropAll()
    for (const far of this.#forgotten) far.destroy()
    await new Promise((done) => this.#listener.close(done))
  }

  #newListener(): Server {
    return createServer({ allowHalfOpen: true }, (near) => this.#join(near))
  }

  #join(near: Socket): void {
    const far = connect({ port: this.#target, host: '127.0.0.1', allowHalfOpen: true })
    const pair = { near, far }
    this.#pairs.add(pair)
    const cut = (): void => {
      if (!this.#pairs.has(pair) || this.#state === 'silent') return
      this.#pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    near.on('data', (chunk) => far.write(chunk))
    near.on('end', () => far.end())
    far.on('data', (chunk) => this.#deliver(() => near.write(chunk)))
    far.on('end', () => this.#deliver(() => near.end()))
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on('error', cut)
      socket.on('close', cut)
      if (this.#state === 'silent') socket.pause()
    }
  }

  #deliver(write: () => void): void {
    if (this.delayMs === 0) write()
    else setTimeout(write, this.delayMs)
  }

  #dropAll(): void {
    for (const { near, far } of this.#pairs) {
      near.destroy()
      far.destroy()
    }
    this.#pairs.clear()
  }
}
