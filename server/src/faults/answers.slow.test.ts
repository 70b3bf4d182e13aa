import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../values/random.ts'
import { Clerks } from './clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from './counter.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { atLevel } from '../testing/repetition.ts'
import { Courier } from './courier.ts'

// Responses that are lost after the commit, clients that disconnect before the response, and
// requests that arrive twice, in turn or at once. Two server processes.
const requests = atLevel({ short: 60, full: 400, long: 4_000 })

let at: FaultShop
const couriers: Courier[] = []
beforeAll(async () => {
  at = await faultShop(2)
}, hookMs)
afterAll(async () => {
  await Promise.all(couriers.map((courier) => courier.close()))
  await at?.close()
}, hookMs)

test(
  `${requests} requests over a network that loses and doubles are each done once (seed ${seed})`,
  async () => {
    const random = seeded(seed)
    const addresses: string[] = []
    for (const address of at.fleet.addresses()) {
      const courier = new Courier(random)
      couriers.push(courier)
      addresses.push(await courier.open(address))
    }
    const clerks = new Clerks(at.counter, () => addresses)
    await clerks.work(8, seed, requests)
    const { figures, findings, isAtOnce } = await settle(at, clerks)
    console.info(
      `${count('lost')} answers lost after the commit, ${count('left')} clerks gone before the ` +
        `answer, ${count('twice')} requests delivered twice (seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    expect(isAtOnce).toBe(takesOneRoundTrip)
    expect(count('lost')).toBeGreaterThan(requests / 10)
    expect(count('twice')).toBeGreaterThan(requests / 10)
  },
  requests * 1_000 + 120_000,
)

function count(of: keyof Courier['counts']): number {
  return couriers.reduce((sum, { counts }) => sum + counts[of], 0)
}
