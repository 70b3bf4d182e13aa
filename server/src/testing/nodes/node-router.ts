import { AsyncLocalStorage } from 'node:async_hooks'
import * as z from 'zod/mini'
import { codeKey } from '../../member/key.ts'
import { type Database, openDatabase, statement } from '../../database/database.ts'
import type { Transaction } from '../../database/database.ts'
import { bucketOf, holderOf } from './node-layout.ts'
import type { Nodes } from './nodes.ts'
import { observeStatements } from '../recorded-statements.ts'

/** A statement of a request, and the node that it ran on. */
export type Touch = {
  node: string
  /** `probe`: a query of the directory for the member's node. */
  by: 'probe' | 'verb'
  text: string
  values: readonly unknown[]
}

/** A key of the directory. */
export type Key = { kind: string; value: string }

/**
 * A database on several nodes. Each transaction runs on one node, that of its member, with the same
 * statements as on a single machine.
 */
export type RoutedDatabase = Database & {
  /** Runs a request for the member with this key; null for a request without a member. */
  about<T>(companyId: string, key: Key | null, work: () => Promise<T>): Promise<T>
  /** Runs a request on the named node. */
  on<T>(node: string, work: () => Promise<T>): Promise<T>
  /** Runs a request and returns its answer and the statements that it ran. */
  traced<T>(work: () => Promise<T>): Promise<{ answer: T; touches: readonly Touch[] }>
}

const readHome = statement(
  `select home from directory
   where company_id = $1 and kind = $2 and value = $3 and bucket = $4`,
  z.object({ home: z.string() }),
)

/** Thrown by a statement that belongs to another node, with the key of its member. */
class OtherNode extends Error {
  readonly key: Key
  constructor(key: Key) {
    super(`a statement about ${key.kind} ${key.value} reached the desk`)
    this.key = key
  }
}

export function openNodes(nodes: Nodes): RoutedDatabase {
  const databases = new Map(nodes.all.map((node) => [node.name, openDatabase(node.url, 5)]))
  const placed = new AsyncLocalStorage<string>()
  const traces = new AsyncLocalStorage<Touch[]>()
  const { desk, homes, all } = nodes

  function at(name: string): Database {
    const database = databases.get(name)
    if (database === undefined) throw new Error(`there is no node ${name}`)
    return database
  }

  /**
   * The node of the member with this key. For an unknown key, the node that its directory part
   * assigns.
   */
  async function homeOf(companyId: string, { kind, value }: Key): Promise<string> {
    const bucket = bucketOf(companyId, kind, value)
    const holder = all[holderOf(bucket, all.length)] ?? desk
    const values = [companyId, kind, value, bucket]
    traces.getStore()?.push({ node: holder.name, by: 'probe', text: readHome.text, values })
    const found = await at(holder.name).reading(companyId, (tx) => tx.maybe(readHome, values))
    return found?.home ?? (homes[holderOf(bucket, homes.length)] ?? desk).name
  }

  /** Runs work; if a statement on the desk names a member, starts again on that member's node. */
  async function run<T>(
    way: 'transaction' | 'reading',
    companyId: string,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const place = placed.getStore()
    const trace = traces.getStore()
    const name = place ?? desk.name
    try {
      return await at(name)[way](companyId, (tx) =>
        work(observed(tx, name, place === undefined, trace)),
      )
    } catch (error) {
      if (!(error instanceof OtherNode)) throw error
      const home = await homeOf(companyId, error.key)
      return placed.run(home, () => run(way, companyId, work))
    }
  }

  return {
    transaction: (companyId, work) => run('transaction', companyId, work),
    reading: (companyId, work) => run('reading', companyId, work),
    withoutCompany: (work) => at(desk.name).withoutCompany(work),
    placing: { current: () => placed.getStore() ?? desk.name, at: placed.run.bind(placed) },
    usage: () => at(desk.name).usage(),
    async close() {
      await Promise.all([...databases.values()].map((database) => database.close()))
    },
    async about(companyId, key, work) {
      return key === null ? work() : placed.run(await homeOf(companyId, key), work)
    },
    on: (node, work) => placed.run(node, work),
    async traced(work) {
      const touches: Touch[] = []
      return { answer: await traces.run(touches, work), touches }
    },
  }
}

/** @param looking whether the node is still to be determined from the statements */
function observed(
  tx: Transaction,
  node: string,
  looking: boolean,
  trace: Touch[] | undefined,
): Transaction {
  return observeStatements(tx, ({ text }, values) => {
    const key = looking ? keyIn(text, values) : null
    if (key !== null) throw new OtherNode(key)
    trace?.push({ node, by: 'verb', text, values })
  })
}

const NewMembers = z.tuple([z.object({ member_code: z.string() })], z.unknown())

/** The directory key in a statement's parameters, of a member or a sale. */
function keyIn(text: string, values: readonly unknown[]): Key | null {
  const byKind = /kind = '(\w+)' and (?:k\.)?value = \$(\d+)/.exec(text)
  if (byKind !== null) {
    const [, kind = '', at] = byKind
    return { kind, value: String(values[Number(at) - 1]) }
  }
  const anyKind = /k\.kind = \$(\d+) and k\.value = \$(\d+)/.exec(text)
  if (anyKind !== null && !text.includes('recordset')) {
    const [, kind, at] = anyKind
    return { kind: String(values[Number(kind) - 1]), value: String(values[Number(at) - 1]) }
  }
  // A return without a member belongs to the node of its original sale.
  if (/invoice_number = \$2 and source = \$3\s+and status/.test(text)) {
    return { kind: 'invoice', value: `${String(values[2])} ${String(values[1])}` }
  }
  if (!text.includes('insert into member (')) return null
  const [first] = NewMembers.parse(JSON.parse(String(values[1])))
  return { kind: 'code', value: codeKey(first.member_code) }
}
