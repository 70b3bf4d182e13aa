import type * as pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  cleanUp,
  connectOwner,
  isSameNode,
  moveShard,
  readShard,
  readWorkers,
  type Shard,
} from '../../testing/cluster/nodes.ts'
import { atLevel } from '../../testing/repetition.ts'
import { Clerks } from '../clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from '../counter.ts'
import type { Person } from '../errands.ts'
import { Watch } from '../watch.ts'

// Members move to another node, one after another, while clerks and tills serve them.
const moves = atLevel({ short: 2, full: 5, long: 15 }, 'CLUSTER_MOVES')

let at: FaultShop
let owner: pg.Client
/** Members of different shards: a shard can move back only when the clerks rest. */
const movers = new Map<number, { person: Person; from: Shard }>()
beforeAll(async () => {
  owner = await connectOwner()
  at = await faultShop(2, { members: 2 * moves })
  for (const person of at.counter.people) {
    const from = await readShard(owner, 'member', person.id)
    if (movers.size < moves) movers.set(from.id, { person, from })
  }
}, hookMs)
afterAll(async () => {
  await at?.close()
  await owner.end()
}, hookMs)

test(
  `${moves} members move while they are served (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    await cleanUp(owner)
    const workers = await readWorkers(owner)
    const people = counter.people.slice(0, 1)
    const clerks = new Clerks({ ...counter, people }, () => fleet.addresses())
    const took: number[] = []
    const served: number[] = []
    let ended = 0
    const looks = { count: 0, slowestMs: 0, statuses: new Set<number>() }
    for (const { person, from } of movers.values()) {
      people[0] = person
      const watch = new Watch(fleet.addresses()[0] ?? '', { ...counter, people }, 50)
      if (took.length === 0) void clerks.work(4, seed)
      await watch.works()
      const to = workers.find((worker) => !isSameNode(worker, from))
      if (to === undefined) throw new Error('the cluster needs two workers')
      const [begun, answered] = [performance.now(), clerks.tally.acknowledged]
      ended += await moveShard(owner, from, to)
      took.push(Math.round(performance.now() - begun))
      served.push(clerks.tally.acknowledged - answered)
      expect(isSameNode(await readShard(owner, 'member', person.id), to)).toBe(true)
      await watch.works()
      await watch.stop()
      const { statuses, slowestMs, count } = watch.between(begun, performance.now())
      for (const status of statuses) looks.statuses.add(status)
      looks.slowestMs = Math.max(looks.slowestMs, slowestMs)
      looks.count += count
    }
    const { figures, findings } = await settle(at, clerks)
    console.info(
      `${took.length} moves of ${Math.min(...took)} to ${Math.max(...took)} ms with ` +
        `${served.join(', ')} changes of the member, ${ended} ended by a deadlock; ` +
        `${looks.count} look-ups, the slowest ${looks.slowestMs} ms (seed ${seed}): ${figures}`,
    )
    const { away, unanswered, requests } = clerks.tally
    expect({ unanswered, statuses: [...looks.statuses] }).toEqual({
      unanswered: 0,
      statuses: [200],
    })
    // A change that waits for the move longer than a lock may take is answered 503.
    expect(away).toBeLessThanOrEqual(requests / 100)
    expect(Math.min(...served)).toBeGreaterThan(0)
    expect(findings).toEqual(allWell)
  },
  moves * 60_000 + 180_000,
)
