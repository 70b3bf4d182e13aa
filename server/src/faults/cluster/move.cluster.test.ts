import type * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOwner, moveShard, readShard, readWorkers } from '../../testing/cluster/nodes.ts'
import { atLevel } from '../../testing/repetition.ts'
import { Clerks } from '../clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from '../counter.ts'
import { Watch } from '../watch.ts'

// A member moves to another node while clerks and tills serve her.
const moves = atLevel({ short: 2, full: 4, long: 20 }, 'CLUSTER_MOVES')

let at: FaultShop
let owner: pg.Client
beforeAll(async () => {
  owner = await connectOwner()
  at = await faultShop(2, { members: 1 })
}, hookMs)
afterAll(async () => {
  await at?.close()
  await owner.end()
}, hookMs)

test(
  `a member moves ${moves} times while she is served: no call fails (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const workers = await readWorkers(owner)
    const member = counter.people[0]?.id ?? ''
    const clerks = new Clerks(counter, () => fleet.addresses())
    void clerks.work(4, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter, 50)
    const begun = performance.now()
    const took: number[] = []
    const served: number[] = []
    for (let n = 0; n < moves; n++) {
      await watch.works()
      const from = await readShard(owner, 'member', member)
      const to = workers.find(({ port }) => port !== from.port)
      if (to === undefined) throw new Error('the cluster needs two workers')
      const [moving, answered] = [performance.now(), clerks.tally.acknowledged]
      await moveShard(owner, from, to)
      took.push(Math.round(performance.now() - moving))
      served.push(clerks.tally.acknowledged - answered)
      expect(await readShard(owner, 'member', member)).toMatchObject(to)
    }
    await watch.works()
    await watch.stop()
    const { statuses, slowestMs, count } = watch.between(begun, performance.now())
    const { figures, findings } = await settle(at, clerks)
    console.info(
      `${moves} moves took ${Math.max(...took)} ms at most, with ${served.join(', ')} changes ` +
        `meanwhile; ${count} look-ups, the slowest ${slowestMs} ms (seed ${seed}): ${figures}`,
    )
    const { away, unanswered } = clerks.tally
    expect({ statuses, away, unanswered }).toEqual({ statuses: [200], away: 0, unanswered: 0 })
    expect(Math.min(...served)).toBeGreaterThan(0)
    expect(findings).toEqual(allWell)
  },
  moves * 60_000 + 180_000,
)
