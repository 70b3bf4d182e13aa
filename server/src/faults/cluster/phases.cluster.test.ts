import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Burst, type PendingStatement, unprepared } from '../../database/connection/burst.ts'
import {
  connectOwner,
  isSameNode,
  type Node,
  readShard,
  readWorkers,
} from '../../testing/cluster/nodes.ts'
import { forgetPhases } from '../../testing/cluster/phases.ts'

// What Citus misses (decision 138), and that the watch of all tests would find it.

let owner: pg.Client
beforeAll(async () => {
  owner = await connectOwner()
})
afterAll(() => owner.end())

const company = randomUUID()
const shards = new Set<number>()

/** A key at a node, each in another shard. */
async function keyAt(node: Node): Promise<string> {
  for (;;) {
    const key = randomUUID()
    const shard = await readShard(owner, 'operation', key)
    if (!isSameNode(shard, node) || shards.has(shard.id)) continue
    shards.add(shard.id)
    return key
  }
}

const of = (text: string, key: string) =>
  unprepared(`${text} from operation where company_id = '${company}' and key = '${key}'`)

function send(statements: readonly PendingStatement[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const commit = { ...unprepared('commit'), resolve, reject }
    const all = [unprepared('begin'), ...statements, commit]
    owner.query(new Burst(all, new pg.TypeOverrides(), false))
  })
}

test('a change misses two phases, and has them when it begins with the empty table', async () => {
  const [near, far] = await readWorkers(owner)
  if (near === undefined || far === undefined) throw new Error('the cluster needs two workers')
  const [read, first, second] = [await keyAt(far), await keyAt(near), await keyAt(far)]
  const change = [of('select', read), of('delete', first), of('delete', second)]
  forgetPhases()
  await send(change)
  const [one, other, ...more] = forgetPhases().inOnePhase
  expect([one, more]).toEqual([other, []])
  expect(one).toHaveLength(7)
  await send([unprepared('delete from two_phases'), ...change])
  expect(forgetPhases()).toEqual({ several: 1, inOnePhase: [] })
})
