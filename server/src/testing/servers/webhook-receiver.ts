import { createServer } from 'node:http'
import { Event, eventData, SentEvent } from '@tillside/contract/integration/events'

/** A received message. */
export type Received = SentEvent & {
  raw: string
  timestamp: string
  signature: string
}

/** The behaviour of a receiver: an HTTP status, no answer, or a closed connection. */
export type ReceiverBehaviour = number | 'silent' | 'disconnect'

export type Receiver = {
  port: number
  url: string
  /** Messages answered with a status below 300, in the order of arrival. */
  taken: Received[]
  /** The number of requests received, including refused ones. */
  requestCount(): number
  behaviour: (message: Received) => ReceiverBehaviour
  /** The body of each answer. */
  answer: string
  close(): Promise<void>
}

/** A real HTTP server that receives webhooks. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let requests = 0
  const server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8').on('data', (text: string) => (raw += text))
    request.on('end', () => {
      requests += 1
      const event = SentEvent.parse(JSON.parse(raw))
      // All tests: an event has the data that the OpenAPI document names. `webhook.test` has none.
      if (Object.hasOwn(eventData, event.event)) Event.parse(event)
      const message = {
        ...event,
        raw,
        timestamp: String(request.headers['tillside-timestamp']),
        signature: String(request.headers['tillside-signature']),
      }
      const behaviour = receiver.behaviour(message)
      if (behaviour === 'silent') return
      if (behaviour === 'disconnect') return void request.socket.destroy()
      if (behaviour < 300) receiver.taken.push(message)
      response.writeHead(behaviour, { location: '/elsewhere' }).end(receiver.answer)
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const at = address.port
  const receiver: Receiver = {
    port: at,
    url: `http://127.0.0.1:${at}/tillside`,
    taken: [],
    requestCount: () => requests,
    behaviour: () => 200,
    answer: 'thank you',
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}
