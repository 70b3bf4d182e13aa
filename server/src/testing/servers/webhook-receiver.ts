import { createServer } from 'node:http'
import * as z from 'zod/mini'

const Body = z.object({
  id: z.uuid(),
  event: z.string(),
  sequence: z.int(),
  at: z.string(),
  data: z.looseObject({ memberCode: z.string() }),
})

/** A message as it arrived. */
export type Received = z.infer<typeof Body> & {
  raw: string
  timestamp: string
  signature: string
}

/** How a receiver behaves: an HTTP status, no answer at all, or the connection cut. */
export type Mood = number | 'silent' | 'rude'

export type Receiver = {
  port: number
  url: string
  /** What was answered well, in the order of arrival. */
  taken: Received[]
  /** How many requests came, those that were not taken too. */
  asked(): number
  mood: (message: Received) => Mood
  close(): Promise<void>
}

/** A real HTTP server of somebody who wants to be told. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let asked = 0
  const server = createServer((request, response) => {
    let raw = ''
    request.setEncoding('utf8').on('data', (text: string) => (raw += text))
    request.on('end', () => {
      asked += 1
      const message = {
        ...Body.parse(JSON.parse(raw)),
        raw,
        timestamp: String(request.headers['tillside-timestamp']),
        signature: String(request.headers['tillside-signature']),
      }
      const mood = receiver.mood(message)
      if (mood === 'silent') return
      if (mood === 'rude') return void request.socket.destroy()
      if (mood < 300) receiver.taken.push(message)
      response.writeHead(mood, { location: '/elsewhere' }).end('thank you')
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
    asked: () => asked,
    mood: () => 200,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  return receiver
}
