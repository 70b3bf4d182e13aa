import type { Connection } from 'pg'
import { hearCommands } from './commands.ts'

// Whether the changes of this process commit in two phases. Otherwise a node that is lost between
// the commits of two nodes keeps only a part of a change.

/** What a transaction has sent; `wrote` are connections to nodes, and `prepared` are nodes. */
type Sent = {
  id: string
  commands: string[]
  wrote: Set<string>
  prepared: Set<string>
  isAtWorker: boolean
}

const begins = /^BEGIN\b.*assign_distributed_transaction_id\(\d+, (\d+),/s
// Citus copies the result of a part of a statement to a file of the nodes that need it.
const writes =
  /^(INSERT|UPDATE|DELETE|MERGE|COPY public\.|TRUNCATE)|^WITH\b.*\b(INSERT|UPDATE|DELETE)\b/s
const called = /\bpublic\.(\w+)\(/g

/** The commits of changes. */
export type Phases = {
  /** How many changes committed on several nodes, all in two phases. */
  several: number
  /** The commands of each change that a node with a part of it committed in one phase. */
  inOnePhase: string[][]
}

/** The functions of the database that write: a node may run one of a statement. */
export const writers = new Set<string>()
const empty = (): Phases => ({ several: 0, inOnePhase: [] })
let seen = empty()
let all = empty()
const open = new WeakMap<Connection, Sent>()

const isWrite = (text: string) =>
  writes.test(text) || [...text.matchAll(called)].some(([, name = '']) => writers.has(name))

hearCommands(({ text, node, connection }, from) => {
  const [, begun] = begins.exec(text) ?? []
  let sent = open.get(from)
  if (begun !== undefined && sent?.id !== begun) {
    sent = { id: begun, commands: [], wrote: new Set(), prepared: new Set(), isAtWorker: false }
    open.set(from, sent)
  }
  if (sent === undefined) return
  sent.commands.push(`${connection} ${text.replaceAll(/\s+/g, ' ').slice(0, 90)}`)
  if (isWrite(text)) sent.wrote.add(connection)
  // Only a process at the address of a worker asks another node for the table. It has no such
  // guarantee (docs/growing.md), and one test has one.
  if (text.includes(' public.two_phases_')) sent.isAtWorker = true
  if (sent.isAtWorker) return
  if (text === 'COMMIT' && sent.wrote.has(connection)) seen.inOnePhase.push(sent.commands)
  if (!text.startsWith('COMMIT PREPARED')) return
  sent.prepared.add(node)
  if (sent.prepared.size === 2) seen.several += 1
})

/** As `takePhases`, of changes that may commit in one phase. */
export function forgetPhases(): Phases {
  const taken = seen
  seen = empty()
  return taken
}

/** The phases of all changes since the last call. */
export function takePhases(): Phases {
  const taken = forgetPhases()
  all.several += taken.several
  all.inOnePhase.push(...taken.inOnePhase)
  return taken
}

/** The phases of all changes of a test file. */
export function endPhases(): Phases {
  takePhases()
  const ended = all
  all = empty()
  return ended
}
