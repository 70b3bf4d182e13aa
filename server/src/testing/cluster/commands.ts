import type { Connection } from 'pg'
import { Burst } from '../../database/connection/burst.ts'

/** A command that the coordinator has sent to a node, over one of its connections to the node. */
export type Command = { text: string; node: string; connection: string }

/**
 * Hears each command that the coordinator sends to a node for a database that this process has
 * opened: the notices of `citus.log_remote_commands`, which `setup.ts` switches on.
 */
export function hearCommands(hear: (command: Command, from: Connection) => void): void {
  const sending: { submit: (this: Burst, connection: Connection) => void } = Burst.prototype
  const { submit } = sending
  const known = new WeakSet<Connection>()
  sending.submit = function listen(connection) {
    if (!known.has(connection)) {
      known.add(connection)
      connection.on('notice', ({ message = '', detail = '' }: Notice) => {
        const [, text] = /^issuing (.*)$/s.exec(message) ?? []
        const [, node, link] = /^on server \S+@(\S+) connectionId: (\d+)/.exec(detail) ?? []
        if (text === undefined || node === undefined || link === undefined) return
        hear({ text, node, connection: `${node} ${link}` }, connection)
      })
    }
    submit.call(this, connection)
  }
}

type Notice = { message?: string; detail?: string }
