import { setTimeout as sleep } from 'node:timers/promises'
import type * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  connectOwner,
  type Node,
  readNodes,
  readPrepared,
  readWorkers,
} from '../../testing/cluster/nodes.ts'
import { atLevel } from '../../testing/repetition.ts'
import { seeded } from '../../values/random.ts'
import { Clerks } from '../clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from '../counter.ts'
import { Watch } from '../watch.ts'
import { howStruck, strike } from './strike.ts'

// A worker is killed under load and started again. A transaction on several nodes commits in two
// phases, so the worker can have a part that it has prepared but not committed.
const kills = atLevel({ short: 3, full: 10, long: 50 }, 'CLUSTER_KILLS')

let at: FaultShop
let owner: pg.Client
let workers: Node[]
let nodes: Node[]
beforeAll(async () => {
  owner = await connectOwner()
  workers = await readWorkers(owner)
  nodes = await readNodes(owner)
  // Members on every node.
  at = await faultShop(2, { members: 8 })
}, hookMs)
// The pool of all test files has connections to the coordinator whose own connections to the worker
// are dead. Each would fail once.
const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'
    and pid <> pg_backend_pid()`
afterAll(async () => {
  await at?.close()
  await owner.query(endOthers)
  await owner.end()
}, hookMs)

/**
 * Ends the transactions that are prepared when a worker was killed. Citus does the same every
 * minute (`citus.recover_2pc_interval`).
 * @returns how many there were
 */
async function recover(): Promise<number> {
  const prepared = new Set(await readPrepared(nodes))
  await expect
    .poll(
      async () => {
        await owner.query('select recover_prepared_transactions()')
        return (await readPrepared(nodes)).filter((gid) => prepared.has(gid))
      },
      { timeout: 60_000 },
    )
    .toEqual([])
  return prepared.size
}

test(
  `${kills} times under load, ${howStruck}: nothing is lost or done twice (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const clerks = new Clerks(counter, () => fleet.addresses())
    const random = seeded(seed)
    void clerks.work(6, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter)
    let slowestMs = 0
    for (let n = 0; n < kills; n++) {
      await watch.works()
      await sleep(300 + 700 * random())
      await clerks.nextSent()
      await sleep(25 * random())
      const worker = workers[Math.floor(random() * workers.length)]
      if (worker === undefined) throw new Error('the cluster has no worker')
      await strike(worker)
      slowestMs = Math.max(slowestMs, Math.round(await watch.works()))
    }
    await watch.stop()
    const recovered = await recover()
    const { figures, findings } = await settle(at, clerks)
    console.info(
      `${kills} times ${howStruck}, at work again after ${slowestMs} ms at most; ` +
        `${recovered} prepared transactions ended then (seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(await readPrepared(nodes)).toEqual([])
  },
  kills * 60_000 + 300_000,
)
