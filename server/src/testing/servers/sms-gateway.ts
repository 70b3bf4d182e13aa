import { createServer, type ServerResponse } from 'node:http'

/**
 * The behaviour of a gateway: an HTTP status, status 200 with this body, no answer, or an answer
 * without an end.
 */
export type GatewayBehaviour = number | { body: string } | 'silent' | 'endless'

export type TestGateway = {
  port: number
  url: string
  /** The bodies of accepted requests. */
  taken: string[]
  /** The number of requests received. */
  requestCount(): number
  behaviour: GatewayBehaviour
  close(): Promise<void>
}

/** A real HTTP server in place of an SMS provider. */
export async function startGateway(port = 0): Promise<TestGateway> {
  let requests = 0
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      requests += 1
      const { behaviour } = gateway
      if (behaviour === 'silent') return
      if (behaviour === 'endless') return writeEndlessly(response)
      const status = typeof behaviour === 'number' ? behaviour : 200
      if (status < 300) gateway.taken.push(body)
      response
        .writeHead(status)
        .end(typeof behaviour === 'object' ? behaviour.body : '{"sid":"SM1","code":0}')
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const gateway: TestGateway = {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/messages`,
    taken: [],
    requestCount: () => requests,
    behaviour: 200,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return gateway
}

/** Answers success, then continues to write for as long as the client reads. */
function writeEndlessly(response: ServerResponse): void {
  const words = ' '.repeat(16 * 1024)
  response.write('{"sid":"SM1","code":0}')
  const go = (): void => {
    while (!response.destroyed && response.write(words)) {}
  }
  response.on('drain', go)
  go()
}
