import type * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { checkCluster } from '../../cluster/distribute.ts'
import { cleanUp, connectOwner, readNodes, readRows } from '../../testing/cluster/nodes.ts'
import { atLevel } from '../../testing/repetition.ts'
import { Clerks } from '../clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from '../counter.ts'
import { Watch } from '../watch.ts'

/**
 * A node that does not belong to the cluster yet, as `host:port`. It has the database of
 * CLUSTER_URL, empty but for the extension.
 */
const spare = process.env['CLUSTER_SPARE'] ?? ''
const [name = '', port = ''] = spare.split(':')
if (spare === '') process.stdout.write('Skipped: CLUSTER_SPARE names no node to add\n')

/** How many shards of each group move to the new node. */
const movesEach = atLevel({ short: 1, full: 2, long: 100 }, 'CLUSTER_MOVES_EACH')

let at: FaultShop
let owner: pg.Client
const isMember = async () =>
  (await readNodes(owner)).some((node) => `${node.name}:${node.port}` === spare)

async function removeSpare(): Promise<void> {
  await owner.query(`select citus_drain_node($1, $2, shard_transfer_mode => 'force_logical')`, [
    name,
    port,
  ])
  // Citus forgets the old tables of a node that it does not know any more.
  await cleanUp(owner)
  await owner.query('select citus_remove_node($1, $2)', [name, port])
}

beforeAll(async () => {
  owner = await connectOwner()
  if (spare !== '') at = await faultShop(2)
}, hookMs)
afterAll(async () => {
  await at?.close()
  if (await isMember()) await removeSpare()
  await owner.end()
}, 600_000)

const Count = z.object({ n: z.coerce.number() })
const countShards = () =>
  readRows(
    owner,
    Count,
    `select count(*) as n from pg_dist_placement join pg_dist_node using (groupid)
       join pg_dist_shard using (shardid) join pg_dist_partition using (logicalrelid)
     where partmethod = 'h' and nodename = $1 and nodeport = $2`,
    [name, port],
  )

test.skipIf(spare === '')(
  `a node is added, filled under load, and removed again (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const clerks = new Clerks(counter, () => fleet.addresses())
    void clerks.work(4, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter, 50)
    const begun = performance.now()
    const took: string[] = []
    const step = async (done: string, work: () => Promise<unknown>) => {
      const from = performance.now()
      const [answered, away] = [clerks.tally.acknowledged, clerks.tally.away]
      await work()
      const seconds = ((performance.now() - from) / 1000).toFixed(1)
      const changes = clerks.tally.acknowledged - answered
      took.push(`${done} in ${seconds} s (${changes} changes, ${clerks.tally.away - away} busy)`)
    }
    await watch.works()
    await step('added', () => owner.query('select citus_add_node($1, $2)', [name, port]))
    await step('filled', () =>
      owner.query(
        `select rebalance_table_shards(max_shard_moves => $1,
           shard_transfer_mode => 'force_logical')`,
        [movesEach],
      ),
    )
    const [filled] = await countShards()
    expect(filled?.n).toBeGreaterThan(0)
    await checkCluster(inject('ownerUrl'))
    await step('removed', removeSpare)
    expect(await isMember()).toBe(false)
    await checkCluster(inject('ownerUrl'))
    await watch.works()
    await watch.stop()
    const { statuses, slowestMs, count } = watch.between(begun, performance.now())
    const { figures, findings } = await settle(at, clerks)
    console.info(
      `${took.join(', ')}, ${filled?.n} shards; ${count} look-ups, the slowest ${slowestMs} ms, ` +
        `statuses ${statuses.join(', ')} (seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    const { away, unanswered } = clerks.tally
    expect({ statuses, away, unanswered }).toEqual({ statuses: [200], away: 0, unanswered: 0 })
  },
  1_200_000,
)
