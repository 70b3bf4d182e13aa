import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as pg from 'pg'
import { type Embedded, startEmbedded } from '../../embedded/embedded.ts'
import { migrate } from '../../database/migrate.ts'
import {
  directory,
  publication,
  type NodeAddress,
  shares,
  subscription,
  synchronous,
} from './node-layout.ts'

/** A PostgreSQL server; the first is the desk, the others hold the members. */
export type Node = NodeAddress & {
  /** The address for the program's own role. */
  url: string
  /** Runs a statement as the owner, to which row-level security does not apply. */
  ask: (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
}

export type Nodes = {
  desk: Node
  homes: readonly Node[]
  all: readonly Node[]
  /** Stops one node permanently. */
  halt: (name: string) => Promise<void>
  stop: () => Promise<void>
}

/** Starts the layout of `docs/growing.md`: a desk and the named nodes. */
export async function startNodes(names: readonly string[]): Promise<Nodes> {
  const folder = await mkdtemp(join(tmpdir(), 'tillside-nodes-'))
  const started = await Promise.all(
    ['desk', ...names].map(async (name) => {
      const server = await startEmbedded(join(folder, name), true, { wal_level: 'logical' })
      const { node, close } = await nodeAt(name, server)
      return { server, node, close }
    }),
  )
  const all = started.map(({ node }) => node)
  const [desk, ...homes] = all
  if (desk === undefined) throw new Error('there is no desk')
  await Promise.all(all.map((node, index) => node.ask(directory(all, index))))
  await desk.ask(publication)
  for (const [index, home] of homes.entries()) {
    await home.ask(shares(index, homes.length))
    await home.ask(subscription(home.name, desk.ownerUrl))
    await untilCopied(home)
  }
  for (const sql of synchronous(names)) await desk.ask(sql)
  return {
    desk,
    homes,
    all,
    async halt(name) {
      const found = started.find(({ node }) => node.name === name)
      await found?.close()
      await found?.server.destroy()
    },
    async stop() {
      await Promise.all(started.map(({ close }) => close().catch(() => {})))
      // The nodes stop first: the desk waits for its subscribers before it stops.
      for (const { server } of started.toReversed()) await server.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function nodeAt(name: string, { url: ownerUrl }: Embedded) {
  const url = await migrate(ownerUrl)
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 })
  owner.on('error', () => {})
  const node: Node = {
    name,
    ownerUrl,
    url,
    ask: async (sql, values) => (await owner.query<Record<string, unknown>>(sql, values)).rows,
  }
  return { node, close: () => owner.end() }
}

async function untilCopied(node: Node): Promise<void> {
  for (;;) {
    const left = await node.ask(`select from pg_subscription_rel where srsubstate <> 'r'`)
    if (left.length === 0) return
    await new Promise((wake) => setTimeout(wake, 20))
  }
}
