import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../values/random.ts'
import { Clerks } from './clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from './counter.ts'
import { kinds } from './errands.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { atLevel } from '../testing/repetition.ts'

// Server processes are killed with `kill -9` during requests. Clients repeat them elsewhere.
const kills = atLevel({ short: 2, full: 25, long: 120 })
const processes = atLevel({ short: 2, full: 3, long: 3 })
// Requests for each kill. Without a limit, the clerks send ever more while a process starts slowly.
const requests = atLevel({ short: 300, full: 60, long: 200 })

let at: FaultShop
beforeAll(async () => {
  at = await faultShop(processes)
}, hookMs)
afterAll(() => at?.close(), hookMs)

test(
  `${kills} server processes killed at work lose nothing and do nothing twice (seed ${seed})`,
  async () => {
    const { counter, fleet } = at
    const clerks = new Clerks(counter, () => fleet.addresses())
    const random = seeded(seed)
    let [inFlight, struck] = [0, 0]
    for (let n = 0; n < kills; n++) {
      const working = clerks.work(6, seed + 6 * n, requests * (n + 1))
      const address = fleet.addresses()[Math.floor(random() * fleet.addresses().length)] ?? ''
      for (let sent = Math.floor(20 * random()); sent >= 0; sent--) await clerks.nextSent()
      // A random moment within the duration of the request that was just sent.
      await new Promise((wake) => setTimeout(wake, 25 * random()))
      const there = clerks.inFlightAt(address)
      inFlight += there
      if (there > 0) struck++
      await fleet.kill(address)
      await Promise.all([working, fleet.add()])
    }
    const { figures, findings, isAtOnce } = await settle(at, clerks)
    console.info(
      `${kills} kills, ${struck} with ${inFlight} requests under way (seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(isAtOnce).toBe(takesOneRoundTrip)
    expect(struck).toBeGreaterThan(0)
    expect(new Set(clerks.answered.map(({ errand }) => errand.kind))).toEqual(new Set(kinds))
  },
  kills * 20_000 + 180_000,
)
