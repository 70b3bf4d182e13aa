import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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

// Server processes die by `kill -9` in the middle of whatever they do; whoever asked asks another.
const kills = isLong ? 120 : 25

let at: FaultShop
let fleet: Fleet
beforeAll(async () => {
  at = await faultShop()
  fleet = await Fleet.of(3, { DATABASE_URL: inject('ownerUrl') })
}, hookMs)
afterAll(async () => {
  await fleet?.close()
  await at?.shop.close()
}, hookMs)

test(
  `${kills} server processes killed at work lose nothing and do nothing twice (seed ${seed})`,
  async () => {
    const clerks = new Clerks(at.counter, () => fleet.addresses())
    const random = seeded(seed)
    const working = clerks.work(6, seed)
    let [inFlight, struck] = [0, 0]
    let starting: Promise<unknown> = Promise.resolve()
    for (let n = 0; n < kills; n++) {
      await starting
      const address = fleet.addresses()[Math.floor(random() * fleet.addresses().length)] ?? ''
      // Within the time that a request takes, counted from one that leaves.
      await clerks.nextSent()
      await new Promise((wake) => setTimeout(wake, 25 * random()))
      const there = clerks.inFlightAt(address)
      inFlight += there
      if (there > 0) struck++
      await fleet.kill(address)
      starting = fleet.add()
    }
    await starting
    clerks.stop()
    await working
    await clerks.askAgain(fleet.addresses()[0] ?? '')
    const { figures, findings } = await balanceBooks(at, clerks)
    console.info(
      `${kills} kills, ${struck} with ${inFlight} requests under way (seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(fleet.fallen).toEqual([])
    expect(struck).toBeGreaterThan(0)
  },
  kills * 20_000 + 180_000,
)
