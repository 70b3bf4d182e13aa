import type { Connection } from 'pg'
import { Burst } from '../../database/connection/burst.ts'

/** A command that the coordinator has sent to a node, over one of its connections to the node. */
export type Command = { text: string; node: string; connection: string }
type Hear = (command: Command, from: Connection) => void

const hearing = new Set<Hear>()

/**
 * Hears each command that the coordinator sends to a node for a database that this process has
 * opened: the notices of `citus.log_remote_commands`, which `setup.ts` switches on.
 */
export function hearCommands(hear: Hear): void {
  hearing.add(hear)
}

type Notice = { message?: string; detail?: string }

function read({ message = '', detail = '' }: Notice, from: Connection): void {
  const [, text] = /^issuing (.*)$/s.exec(message) ?? []
  const [, node, link] = /^on server \S+@(\S+) connectionId: (\d+)/.exec(detail) ?? []
  if (text === undefined || node === undefined || link === undefined) return
  for (const hear of hearing) hear({ text, node, connection: `${node} ${link}` }, from)
}

// Once for all test files of a process.
const known = new WeakSet<Connection>()
const sending: { submit: (this: Burst, connection: Connection) => void } = Burst.prototype
const { submit } = sending
sending.submit = function listen(connection) {
  if (!known.has(connection)) {
    known.add(connection)
    connection.on('notice', (notice: Notice) => read(notice, connection))
  }
  submit.call(this, connection)
}
