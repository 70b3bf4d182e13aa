import { connect, createServer, type Server, type Socket } from 'node:net'

/** The direction of bytes: to the database, or back. */
export type Direction = 'request' | 'answer'

/** A TCP proxy before a database, which can cut a connection after an exact number of bytes. */
export class Knife {
  readonly #target: number
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #cut: { direction: Direction; left: number } | null = null
  /** The bytes since `measure`. */
  #passed: Record<Direction, number> = { request: 0, answer: 0 }

  constructor(target: number) {
    this.#target = target
    this.#server = createServer((near) => this.#join(near))
  }

  /** @returns the port to use instead of the database's */
  async open(): Promise<number> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return address.port
  }

  /** Counts the bytes of both directions while `work` runs. */
  async measure(work: () => Promise<unknown>): Promise<Record<Direction, number>> {
    this.#passed = { request: 0, answer: 0 }
    await work()
    return { ...this.#passed }
  }

  /** Lets so many bytes pass in a direction, and then ends that connection. Works once. */
  cutAfter(bytes: number, direction: Direction): void {
    this.#cut = { direction, left: bytes }
  }

  /** Cuts nothing more. */
  spare(): void {
    this.#cut = null
  }

  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy()
    await new Promise((done) => this.#server.close(done))
  }

  #join(near: Socket): void {
    const far = connect({ port: this.#target, host: '127.0.0.1' })
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      this.#open.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        this.#open.delete(socket)
        end()
      })
    }
    near.on('data', (bytes) => this.#pass(bytes, 'request', far, end))
    far.on('data', (bytes) => this.#pass(bytes, 'answer', near, end))
  }

  #pass(bytes: Buffer, direction: Direction, to: Socket, end: () => void): void {
    this.#passed[direction] += bytes.length
    const cut = this.#cut
    if (cut?.direction !== direction || bytes.length <= cut.left) {
      if (cut?.direction === direction) cut.left -= bytes.length
      to.write(bytes)
      return
    }
    this.#cut = null
    // The other side gets the first bytes, and then the end of the connection.
    to.write(bytes.subarray(0, cut.left), end)
  }
}
