import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A command that the coordinator has sent to a node. */
export type Command = { text: string; node: string }

/**
 * A relay in front of the coordinator. It reads the notices of `citus.log_remote_commands`: the
 * commands that Citus sends to the nodes.
 * @param told is called with each command
 */
export async function openRelay(host: string, port: number, told: (command: Command) => void) {
  const sockets = new Set<Socket>()
  const listener = createServer((near) => {
    const far = connect({ host, port })
    const hear = noticeReader(told)
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk: Buffer) => {
      hear(chunk)
      near.write(chunk)
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  }
  return { port: address.port, close }
}

/** Each message of PostgreSQL begins with a letter and its length, which counts itself. */
function noticeReader(told: (command: Command) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.toString('latin1', 0, 1) === 'N') tell(rest.toString('utf8', 5, end), told)
      rest = rest.subarray(end)
    }
  }
}

/** The fields of a notice end with a zero; M is its message and D its detail. */
function tell(notice: string, told: (command: Command) => void): void {
  const fields = new Map(notice.split('\0').map((field) => [field.slice(0, 1), field.slice(1)]))
  const [, text] = /^issuing (.*)$/s.exec(fields.get('M') ?? '') ?? []
  const [, node] = /^on server \S+@(\S+)/.exec(fields.get('D') ?? '') ?? []
  if (text !== undefined && node !== undefined) told({ text, node })
}
