import { connect, type Socket } from 'node:net'

/** A connection that can send any bytes, well-formed or not. */
export type RawSocket = {
  socket: Socket
  /** All data received so far. */
  received(): string
  /** Resolves with the status of the first answer, or null if the connection closed without one. */
  status: Promise<number | null>
  /** Resolves when the connection is closed or broken. */
  closed: Promise<void>
}

/** Connects to a server on this machine and sends the text. */
export function openRawSocket(port: number, words: string): RawSocket {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  // A connection that the server resets emits an error; `closed` already reports it.
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

/** The request line and headers of a POST, without a body. */
export function requestHead(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    ...headers,
  })
  return `POST ${path} HTTP/1.1\r\n${lines.map(([k, v]) => `${k}: ${v}\r\n`).join('')}\r\n`
}
