import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Shop } from '../testing/factories/shop.ts'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, type Door, openDoor } from './doors.ts'
import { effectsOf, raceAt, raced } from './races.ts'

// A process that changes in one round trip shares the database with one that does not.

const rounds = atLevel({ short: 20, full: 300, long: 300 })

// A busy machine needs a second for a round.
const timeout = 60_000 + rounds * 2_000

const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }
const start = (ONE_ROUND_TRIP: string): ServerProcess =>
  startServer({ DATABASE_URL: inject('ownerUrl'), ...quiet, ONE_ROUND_TRIP })

let shop: Shop
let doors: [Door, Door]
const servers: ServerProcess[] = []
beforeAll(async () => {
  shop = await testSpendingShop()
  const [several, one] = [start('0'), start('1')]
  servers.push(several, one)
  doors = [await openDoor(several, shop), await openDoor(one, shop)]
})
afterAll(async () => {
  for (const { process } of servers) process.kill()
  await Promise.all(servers.map(({ ended }) => ended))
  await shop.close()
})

describe(`one process in one round trip, one in several, ${rounds} rounds`, () => {
  test('change once, and repeat each other’s answers byte for byte', { timeout }, async () => {
    expect(await raceAt(doors, shop, rounds)).toEqual([])
    const { left, wanted } = await effectsOf(shop, rounds)
    expect(left).toEqual(wanted)
    expect(await shop.violations()).toEqual([])
    for (const endpoint of raced) {
      expect(await answeredAtOnce(doors[0], endpoint)).toBe(0)
      expect(await answeredAtOnce(doors[1], endpoint)).toBeGreaterThan(0)
    }
  })
})
