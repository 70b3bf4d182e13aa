import { setTimeout as sleep } from 'node:timers/promises'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Clerks } from './clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from './counter.ts'
import { atLevel } from '../testing/repetition.ts'
import { Watch } from './watch.ts'

// A lock that all requests need is held for longer than the time limit. All connections wait for
// it, and many more requests wait for a connection.
const heldSeconds = atLevel({ short: 6, full: 6, long: 20 })
const crowd = 60

let at: FaultShop
beforeAll(async () => {
  at = await faultShop(1, { members: 1 })
}, hookMs)
afterAll(() => at?.close(), hookMs)

test(
  `${crowd} clerks behind a lock of ${heldSeconds} s get 503, and succeed later (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const [person] = counter.people
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    await owner.query('begin')
    await owner.query('select from point_account where member_id = $1 for update', [person?.id])

    const clerks = new Clerks(counter, () => fleet.addresses())
    void clerks.work(crowd, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter)
    const from = performance.now()
    await sleep(heldSeconds * 1000)
    const until = performance.now()
    const sentAway = clerks.tally.away
    await owner.query('rollback')
    await owner.end()
    const backMs = Math.round(await watch.works())
    await watch.stop()
    const { statuses, slowestMs } = watch.between(from, until)
    const { figures, findings } = await settle(at, clerks)
    console.info(
      `${crowd} clerks and 10 connections behind a lock of ${heldSeconds} s: look-ups answered ` +
        `${statuses.join(' and ')} within ${slowestMs} ms, and well ${backMs} ms after it; ` +
        figures,
    )
    expect(findings).toEqual(allWell)
    expect(sentAway).toBeGreaterThan(10)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  },
  heldSeconds * 1000 + 180_000,
)
