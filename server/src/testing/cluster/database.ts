import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { connectOwner, isSameNode, type Node, readNodes, readWorkers } from './nodes.ts'

/** Lets the owner's and the program's sessions hear the commands to the nodes (`commands.ts`). */
export async function logCommands(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(`do $$ begin
    execute format('alter database %I set citus.log_remote_commands = on', current_database());
  end $$`)
  await owner.end()
}

/**
 * Makes another database on all nodes of the cluster, which is not distributed. It is dropped at
 * the end of the test.
 * @returns the owner's URL of the coordinator
 */
export async function makeDatabase(): Promise<string> {
  const owner = await connectOwner()
  const nodes = await readNodes(owner)
  const workers = await readWorkers(owner)
  await owner.end()
  const name = `tillside_${randomUUID().replaceAll('-', '')}`
  onTestFinished(async () => {
    // The coordinator refuses to drop the database while its background worker is connected.
    for (const node of nodes) await onNode(node, `drop database if exists ${name} with (force)`)
  })
  for (const node of nodes) {
    await onNode(node, `create database ${name}`)
    await onNode(node, 'create extension citus', name)
  }
  const coordinator = nodes.find((node) => !workers.some((worker) => isSameNode(node, worker)))
  if (coordinator === undefined) throw new Error('the cluster has no coordinator without rows')
  const { name: host, port } = coordinator
  await onNode(coordinator, `select citus_set_coordinator_host('${host}', ${port})`, name)
  for (const worker of workers) {
    await onNode(coordinator, `select citus_add_node('${worker.name}', ${worker.port})`, name)
  }
  const url = urlOf(coordinator, name)
  await logCommands(url)
  return url
}

function urlOf(node: Node, database?: string): string {
  const url = new URL(inject('ownerUrl'))
  url.hostname = node.name
  url.port = String(node.port)
  if (database !== undefined) url.pathname = database
  return url.href
}

async function onNode(node: Node, text: string, database?: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(node, database) })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
