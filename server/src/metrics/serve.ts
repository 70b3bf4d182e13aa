import { createServer, type Server } from 'node:http'
import type { Metrics } from './registry.ts'

/** An HTTP server for metrics only. */
export type MetricsServer = {
  /** Its URL, as `http://…/metrics`. */
  address: string
  close(): Promise<void>
}

/** Serves `/metrics` on a port of its own. @throws Error when the port is taken */
export async function serveMetrics(
  metrics: Metrics,
  { port, host }: { port: number; host: string },
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end()
      return
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, host, done)
  })
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}/metrics`,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the metrics server has no port')
  return address.port
}
