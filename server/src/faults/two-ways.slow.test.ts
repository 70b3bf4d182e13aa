import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Shop } from '../testing/factories/shop.ts'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, type Door, openDoor } from './doors.ts'
import { listen } from './changes/desk.ts'
import { alone } from './races/alone.ts'
import { effectsOf, eventsOf } from './races/effects.ts'
import { raceAt, raced } from './races/races.ts'

// A process that changes in one round trip shares the database with one that does not.

const rounds = atLevel({ short: 20, full: 300, long: 300 })

// A busy machine needs a second for a round.
const timeout = 60_000 + rounds * 2_000

const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }
const start = (ONE_ROUND_TRIP: string): ServerProcess =>
  startServer({ DATABASE_URL: inject('ownerUrl'), ...quiet, ONE_ROUND_TRIP })

let servers: ServerProcess[] = []
beforeAll(() => {
  servers = [start('0'), start('1')]
})
afterAll(async () => {
  for (const { process } of servers) process.kill()
  await Promise.all(servers.map(({ ended }) => ended))
})

const shops = [
  { place: 'in a company without a webhook', hasWebhook: false, rounds },
  { place: 'in a company with a webhook', hasWebhook: true, rounds: rounds / 2 },
]

describe.each(shops)('$place, $rounds rounds', ({ hasWebhook, rounds: times }) => {
  let shop: Shop
  let doors: [Door, Door]
  beforeAll(async () => {
    const [several, one] = servers
    if (several === undefined || one === undefined) throw new Error('no servers')
    shop = await testSpendingShop()
    if (hasWebhook) await listen(shop)
    doors = [await openDoor(several, shop), await openDoor(one, shop)]
  })
  afterAll(() => shop.close())

  test(
    'one process in one round trip and one in several change once, and repeat each other’s ' +
      'answers byte for byte',
    { timeout },
    async () => {
      const before = await Promise.all(raced.map((endpoint) => answeredAtOnce(doors[1], endpoint)))
      expect(await raceAt(doors, shop, times)).toEqual([])
      const { left, wanted } = await effectsOf(shop, times)
      expect(left).toEqual(wanted)
      if (hasWebhook) {
        const events = await eventsOf(shop, times)
        expect(events.left).toEqual(events.wanted)
      }
      expect(await shop.violations()).toEqual([])
      for (const [n, endpoint] of raced.entries()) {
        expect(await answeredAtOnce(doors[0], endpoint)).toBe(0)
        expect(await answeredAtOnce(doors[1], endpoint)).toBeGreaterThan(before[n] ?? 0)
      }
      expect(await alone(doors[0], shop)).toEqual([])
      expect(await alone(doors[1], shop)).toHaveLength(12)
    },
  )
})
