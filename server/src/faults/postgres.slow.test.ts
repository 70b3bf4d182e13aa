import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Embedded, startEmbedded } from '../kit/embedded.ts'
import { migrate } from '../kit/migrate.ts'
import { Clerks, seeded } from './clerks.ts'
import {
  allWell,
  balanceBooks,
  type FaultShop,
  faultShop,
  hookMs,
  isLong,
  seed,
} from './counter.ts'
import { Fleet } from './fleet.ts'
import { killPostgres } from './postgres.ts'
import { Watch } from './watch.ts'

// A shop's own machine: the program and its database in one folder. The database is killed under
// load; the program starts it again, and what was acknowledged is there.
const kills = isLong ? 20 : 4

let folder: string
let embedded: Embedded
let at: FaultShop
let fleet: Fleet
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillside-faults-'))
  // Where this is root, PostgreSQL is not, and has to reach it.
  await chmod(folder, 0o711)
  embedded = await startEmbedded(folder)
  at = await faultShop(await migrate(embedded.url))
  fleet = await Fleet.of(2, { DATA_DIR: folder })
}, hookMs)
afterAll(async () => {
  await fleet?.close()
  await at?.shop.close()
  await embedded?.destroy()
  await rm(folder, { recursive: true, force: true })
}, hookMs)

test(
  `PostgreSQL killed ${kills} times under load loses nothing that was acknowledged (seed ${seed})`,
  async () => {
    const clerks = new Clerks(at.counter, () => fleet.addresses())
    const random = seeded(seed)
    const working = clerks.work(6, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', at.counter)
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
    clerks.stop()
    await working
    await clerks.askAgain(fleet.addresses()[0] ?? '')
    const { figures, findings } = await balanceBooks(at, clerks)
    console.info(
      `${kills} kills of PostgreSQL, back after ${Math.max(...back)} ms at most ` +
        `(seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(fleet.fallen).toEqual([])
  },
  kills * 30_000 + 120_000,
)
