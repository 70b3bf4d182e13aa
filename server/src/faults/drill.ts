import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { PatroniCluster } from '../testing/patroni/cluster.ts'
import { Clerks } from './clerks.ts'
import { allWell, type FaultShop, seed, settle } from './counter.ts'
import { Watch } from './watch.ts'

/** How a leader fails, and in which group of Citus. */
export type Failure = { way: 'machine' | 'switchover' | 'Patroni alone'; group?: number }

/** Issue 18: the clerks are answered again within 30 seconds. */
const limitMs = 30_000

/** Lets leaders fail one after another while clerks work. Nothing acknowledged may be lost. */
export async function drill(
  cluster: PatroniCluster,
  at: FaultShop,
  failures: readonly Failure[],
): Promise<void> {
  const { counter, fleet } = at
  const clerks = new Clerks(counter, () => fleet.addresses())
  const watch = new Watch(fleet.addresses()[0] ?? '', counter)
  void clerks.work(6, seed)
  const back: string[] = []
  for (const { way, group = 0 } of failures) {
    const leader = await cluster.ready(group)
    await watch.works()
    await sleep(1_000)
    await clerks.nextSent()
    const from = performance.now()
    if (way === 'switchover') await cluster.switchOver(leader)
    else await cluster.kill(leader, way === 'Patroni alone')
    await nextLeader(cluster, group, leader)
    const before = clerks.tally.acknowledged
    await watch.works()
    while (clerks.tally.acknowledged === before) await sleep(20)
    const ms = Math.round(performance.now() - from)
    back.push(`${way} of group ${group}: ${ms} ms`)
    const { statuses } = watch.between(from, performance.now())
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(ms).toBeLessThan(limitMs)
    if (way !== 'switchover') cluster.start(leader)
    await cluster.ready(group)
  }
  await watch.stop()
  const { figures, findings } = await settle(at, clerks)
  console.info(`answered again after ${back.join(', ')} (seed ${seed}): ${figures}`)
  expect(findings).toEqual(allWell)
}

async function nextLeader(cluster: PatroniCluster, group: number, before: string): Promise<void> {
  for (;;) {
    const leader = await cluster.leader(group)
    if (leader !== null && leader !== before) return
    await sleep(100)
  }
}
