import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../values/random.ts'
import { Clerks } from './clerks.ts'
import { allWell, embeddedShop, type FaultShop, hookMs, seed, settle } from './counter.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { atLevel } from '../testing/repetition.ts'
import { killPostgres } from './postgres.ts'
import { Watch } from './watch.ts'

// The embedded PostgreSQL is killed under load. The program starts it again, and all acknowledged
// changes are stored.
const kills = atLevel({ short: 1, full: 4, long: 20 })
const processes = atLevel({ short: 1, full: 2, long: 2 })

let folder: string
let at: FaultShop
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-faults-'))
  at = await embeddedShop(folder, processes)
}, hookMs)
afterAll(async () => {
  await at?.close()
  await rm(folder, { recursive: true, force: true })
}, hookMs)

test(
  `PostgreSQL killed ${kills} times under load loses nothing that was acknowledged (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const clerks = new Clerks(counter, () => fleet.addresses())
    const random = seeded(seed)
    void clerks.work(6, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter)
    const back: number[] = []
    for (let n = 0; n < kills; n++) {
      await watch.works()
      await sleep(300 + 700 * random())
      await clerks.nextSent()
      await sleep(25 * random())
      killPostgres(folder, n % 2 === 1)
      back.push(Math.round(await watch.works()))
    }
    await watch.stop()
    const { figures, findings, isAtOnce } = await settle(at, clerks)
    console.info(
      `${kills} kills of PostgreSQL, back after ${Math.max(...back)} ms at most ` +
        `(seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(isAtOnce).toBe(takesOneRoundTrip)
  },
  kills * 30_000 + 120_000,
)
