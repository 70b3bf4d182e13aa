import { connect, type Socket } from 'node:net'

/** A connection on which anything can be said, well-formed or not. */
export type RawSocket = {
  socket: Socket
  /** Everything that was answered so far. */
  received(): string
  /** Resolves with the status of the first answer; null when the connection ended without one. */
  status: Promise<number | null>
  /** Resolves when the other side has ended the connection, or broken it. */
  closed: Promise<void>
}

/** Connects to a server on this machine, says something, and listens. */
export function openRawSocket(port: number, words: string): RawSocket {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  // Who is cut off while they speak hears of it as an error.
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  const status = new Promise<number | null>((done) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text
      const first = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1]
      if (first !== undefined) done(Number(first))
    })
    socket.once('close', () => done(null))
  })
  socket.write(words)
  return { socket, received: () => received, status, closed }
}

/** The beginning of a POST, up to its body. */
export function requestHead(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    ...headers,
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`
}
