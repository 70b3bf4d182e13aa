import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'

/** Several server processes on one database. */
export class Fleet {
  /** The error output of processes that ended by themselves. */
  readonly fallen: string[] = []
  readonly #environment: Record<string, string>
  readonly #cache: string
  readonly #ready = new Map<string, ServerProcess>()
  readonly #starting = new Set<ServerProcess>()
  #closed = false

  /** Starts this many processes. */
  static async of(count: number, environment: Record<string, string>): Promise<Fleet> {
    // A shared compile cache. A killed process writes none, so the first one fills it and exits.
    const cache = await mkdtemp(join(tmpdir(), 'tillside-compiled-'))
    const fleet = new Fleet(environment, cache)
    const first = startServer({ ...fleet.#environment, DATABASE_URL: nowhere })
    await first.ended
    await Promise.all(Array.from({ length: count }, () => fleet.add()))
    return fleet
  }

  private constructor(environment: Record<string, string>, cache: string) {
    this.#cache = cache
    this.#environment = { LOG_LEVEL: 'error', NODE_COMPILE_CACHE: cache, ...environment }
  }

  /** The addresses of the running processes. */
  addresses(): readonly string[] {
    return [...this.#ready.keys()]
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
    await rm(this.#cache, { recursive: true, force: true })
  }
}

const nowhere = 'postgres://nobody:none@127.0.0.1:1/none'
