import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { findPrograms } from '../testing/patroni/programs.ts'
import { type PatroniCluster, startPatroni } from '../testing/patroni/cluster.ts'
import { repetitionLevel } from '../testing/repetition.ts'
import { Clerks } from './clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from './counter.ts'
import { Watch } from './watch.ts'

// The drill of docs/high-availability.md: the leader of a Patroni cluster fails while clerks work.

const found = findPrograms()
const without = 'missing' in found ? found.missing : null
if (without !== null) console.info(`The failover drill is skipped. Debian's packages: ${without}`)

type Way = 'machine' | 'switchover' | 'Patroni alone'
const ways: readonly Way[] =
  repetitionLevel === 'short' ? ['machine'] : ['machine', 'switchover', 'Patroni alone']
/** Issue 18: the clerks are answered again within 30 seconds. */
const limitMs = 30_000

let cluster: PatroniCluster
let at: FaultShop
beforeAll(async () => {
  if (!('programs' in found)) return
  cluster = await startPatroni(found.programs)
  const url = await migrate(cluster.url)
  const replica = url.replace(new URL(url).host, new URL(cluster.standbyUrl).host)
  const environment = { DATABASE_URL: cluster.url, DATABASE_REPLICA_URL: replica }
  at = await faultShop(2, { url, environment })
}, hookMs)
afterAll(async () => {
  await at?.close()
  await cluster?.close()
}, hookMs)

test.skipIf(without !== null)(
  `a leader that fails (${ways.join(', ')}) loses nothing that was acknowledged (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const clerks = new Clerks(counter, () => fleet.addresses())
    const watch = new Watch(fleet.addresses()[0] ?? '', counter)
    void clerks.work(6, seed)
    const back: string[] = []
    for (const way of ways) {
      const leader = await cluster.ready()
      await watch.works()
      await sleep(1_000)
      await clerks.nextSent()
      const from = performance.now()
      if (way === 'switchover') await cluster.switchOver(leader)
      else await cluster.kill(leader, way === 'Patroni alone')
      await nextLeader(leader)
      const before = clerks.tally.acknowledged
      await watch.works()
      while (clerks.tally.acknowledged === before) await sleep(20)
      const ms = Math.round(performance.now() - from)
      back.push(`${way}: ${ms} ms`)
      const { statuses } = watch.between(from, performance.now())
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      expect(ms).toBeLessThan(limitMs)
      if (way !== 'switchover') cluster.start(leader)
    }
    await cluster.ready()
    await watch.stop()
    const { figures, findings } = await settle(at, clerks)
    console.info(`answered again after ${back.join(', ')} (seed ${seed}): ${figures}`)
    expect(findings).toEqual(allWell)
  },
  ways.length * 90_000 + 120_000,
)

async function nextLeader(before: string): Promise<void> {
  for (;;) {
    const leader = await cluster.leader()
    if (leader !== null && leader !== before) return
    await sleep(100)
  }
}
