import { countsAtOnce, type ServerProcess, startServer } from '../testing/servers/process.ts'

/** Several server processes on one database. */
export class Fleet {
  /** The error output of processes that ended by themselves. */
  readonly fallen: string[] = []
  readonly #environment: Record<string, string>
  readonly #ready = new Map<string, ServerProcess>()
  readonly #starting = new Set<ServerProcess>()
  #closed = false

  /** Starts this many processes. */
  static async of(count: number, environment: Record<string, string>): Promise<Fleet> {
    const fleet = new Fleet(environment)
    await Promise.all(Array.from({ length: count }, () => fleet.add()))
    return fleet
  }

  private constructor(environment: Record<string, string>) {
    this.#environment = { LOG_LEVEL: 'error', METRICS_PORT: '0', ...environment }
  }

  /** The addresses of the running processes. */
  addresses(): readonly string[] {
    return [...this.#ready.keys()]
  }

  /** How many calls the running processes have answered in one round trip. */
  async answeredAtOnce(): Promise<number> {
    const counts = await countsAtOnce([...this.#ready.values()])
    return [...counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Starts another process. @returns its address */
  async add(): Promise<string> {
    const server = startServer(this.#environment)
    this.#starting.add(server)
    const address = await server.ready
    this.#starting.delete(server)
    if (this.#closed) server.process.kill('SIGKILL')
    this.#ready.set(address, server)
    void this.#mourn(address, server)
    return address
  }

  async #mourn(address: string, { ended }: ServerProcess): Promise<void> {
    const { code, stderr } = await ended
    if (this.#ready.delete(address)) this.fallen.push(`exit ${code}: ${stderr}`)
  }

  /** Kills the process at an address with SIGKILL. */
  async kill(address: string): Promise<void> {
    const server = this.#ready.get(address)
    this.#ready.delete(address)
    server?.process.kill('SIGKILL')
    await server?.ended
  }

  /** Kills all processes. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { process } of this.#starting) process.kill('SIGKILL')
    await Promise.all(this.addresses().map((address) => this.kill(address)))
  }
}
