import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import * as pg from 'pg'
import { Clerks, send } from './clerks.ts'
import { drawGift } from './errands.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from './counter.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { fullTest } from '../testing/full-test.ts'
import { atLevel } from '../testing/repetition.ts'
import { Watch } from './watch.ts'
import { Wire } from './wire.ts'

// The database is unreachable or slow while clerks work.
const awaySeconds = atLevel({ short: 4, full: 6, long: 30 })
const slowSeconds = atLevel({ short: 0, full: 15, long: 60 })

let at: FaultShop
let wire: Wire
let address: string
beforeEach(async () => {
  const url = new URL(inject('ownerUrl'))
  wire = new Wire(Number(url.port))
  url.port = String(await wire.open())
  at = await faultShop(1, { environment: { DATABASE_URL: url.href } })
  address = at.fleet.addresses()[0] ?? ''
}, hookMs)
afterEach(async () => {
  await at?.close()
  await wire?.close()
}, hookMs)

const ways = [
  ['says nothing', async () => wire.silence()],
  ['refuses', async () => wire.refuse()],
] as const
const waysTried = atLevel({ short: 1, full: 2, long: 2 })

describe.each(ways.slice(0, waysTried))('a database that %s', (how, cut) => {
  test(
    `for ${awaySeconds} seconds gives 503 at once, and works again at once (seed ${seed})`,
    async () => {
      const clerks = new Clerks(at.counter, () => [address])
      void clerks.work(4, seed)
      const watch = new Watch(address, at.counter)
      await watch.works()
      await sleep(1_000)

      await cut()
      const from = performance.now()
      await sleep(awaySeconds * 1000)
      const until = performance.now()
      await wire.mend()
      const backMs = await watch.works()

      await watch.stop()
      // Requests of the last moments may be answered after the database is back.
      const away = watch.between(from, until - 3_000)
      const { figures, findings, isAtOnce } = await settle(at, clerks)
      console.info(
        `a database that ${how} for ${awaySeconds} s: ${away.count} look-ups, ` +
          `each answered within ${away.slowestMs} ms; back after ${Math.round(backMs)} ms; ` +
          figures,
      )
      expect(findings).toEqual(allWell)
      expect(isAtOnce).toBe(takesOneRoundTrip)
      expect(away.statuses).toEqual([503])
      // On an idle machine it is less than a second.
      expect(away.slowestMs).toBeLessThan(4_000)
      expect(backMs).toBeLessThan(20_000)
    },
    awaySeconds * 1000 + 120_000,
  )
})

fullTest(
  `a database slow by 2 seconds, for ${slowSeconds} seconds, only slows requests (seed ${seed})`,
  async () => {
    const clerks = new Clerks(at.counter, () => [address])
    void clerks.work(4, seed)
    const watch = new Watch(address, at.counter, 1_000)
    await watch.works()
    await sleep(1_000)

    const from = performance.now()
    const before = clerks.tally.acknowledged
    wire.delayMs = 2_000
    await sleep(slowSeconds * 1000)
    const until = performance.now()
    const meanwhile = clerks.tally.acknowledged - before
    wire.delayMs = 0
    const backMs = await watch.works()

    await watch.stop()
    const { statuses, slowestMs } = watch.between(from, until - 3_000)
    const { figures, findings, isAtOnce } = await settle(at, clerks)
    console.info(
      `a database slow by 2 s for ${slowSeconds} s: ${meanwhile} acknowledged meanwhile, ` +
        `look-ups answered ${statuses.join(' and ')} within ${slowestMs} ms; ` +
        `quick again after ${Math.round(backMs)} ms; ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(isAtOnce).toBe(takesOneRoundTrip)
    // A slow database still works: requests succeed again after at most a short pause.
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
  },
  slowSeconds * 1000 + 120_000,
)

test('a connection that was cut in mid-request holds no key for long', async () => {
  const [person] = at.counter.people
  if (person === undefined) throw new Error('no member')
  const errand = drawGift(at.counter, person)
  const [owner, watcher] = [await connected(), await connected()]
  await owner.query('begin')
  await owner.query('select from point_account where member_id = $1 for update', [person.id])
  const waiters = await waitersOf(owner, watcher)
  const first = send(address, errand)
  while ((await waiters()) === 0) await sleep(5)

  // The request has its key and waits for the lock. From here on nothing reaches it.
  wire.silence()
  await owner.query('rollback')
  await Promise.all([owner.end(), watcher.end()])
  expect(await first).toEqual({ away: true, unchanged: true })

  await wire.mend(true)
  const from = performance.now()
  let told = await send(address, errand)
  while (!('answer' in told)) {
    expect(told).toEqual({ away: true, unchanged: true })
    await sleep(100)
    told = await send(address, errand)
  }
  console.info(`its key is free after ${Math.round(performance.now() - from)} ms`)
  expect(told.answer.code).toBe(0)
  const clerks = new Clerks(at.counter, () => [address])
  clerks.answered.push({ errand, answer: told.answer })
  expect((await settle(at, clerks)).findings).toEqual(allWell)
}, 120_000)

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: inject('ownerUrl') })
  await client.connect()
  return client
}
