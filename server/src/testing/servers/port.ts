import { createServer } from 'node:net'

/**
 * A free port below the range of ephemeral ports. The system does not give it to an outgoing
 * connection, so a server can stop and listen on it again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    const isFree = await new Promise<boolean>((done) => {
      const probe = createServer()
      probe.once('error', () => done(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
    })
    if (isFree) return port
  }
}
