import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { type ServerProcess, startServer } from '../testing/servers/process.ts'
import { listen } from './changes/desk.ts'
import { answeredAtOnce, type Door, openDoor } from './doors.ts'
import { alone } from './races/alone.ts'
import { effectsOf, eventsOf } from './races/effects.ts'
import { raceAt, raced } from './races/races.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the program of the release before works together with this one, on a database
// with the migrations of this one. When a migration drops what that release needs, or adds what it
// does not know, name the first such migration here.

const rounds = atLevel({ short: 20, full: 300, long: 2_000 })
const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }

const commit = commitBefore('server/migrations/0120_contract_receipts.sql')

// A repeat of a refusal at the same time may have its fields in another order there.
const isSameRefusal = (first: string, repeated: string): boolean => {
  const [one, other]: unknown[] = [JSON.parse(first), JSON.parse(repeated)]
  return !first.startsWith('{"code":0,') && isDeepStrictEqual(one, other)
}

const shops = [
  { place: 'in a company without a webhook', hasWebhook: false, rounds },
  { place: 'in a company with a webhook', hasWebhook: true, rounds: rounds / 2 },
]

describe.skipIf(commit === null)(`the release before this one${unlessWithout(commit)}`, () => {
  let earlier: Awaited<ReturnType<typeof checkOut>>
  let servers: ServerProcess[] = []
  beforeAll(async () => {
    earlier = await checkOut(commit ?? '')
    const environment = { DATABASE_URL: inject('ownerUrl'), ...quiet }
    servers = [startServer(environment, earlier.folder), startServer(environment)]
  })
  afterAll(async () => {
    for (const { process } of servers) process.kill()
    await Promise.all(servers.map(({ ended }) => ended))
    await earlier.remove()
  })

  test.each(shops)(
    'and this one change once $place in $rounds races, and repeat each other’s answers byte for ' +
      'byte',
    async ({ hasWebhook, rounds: times }) => {
      const [before, now] = servers
      if (before === undefined || now === undefined) throw new Error('no servers')
      const shop = await testSpendingShop()
      if (hasWebhook) await listen(shop)
      const doors: [Door, Door] = [await openDoor(before, shop), await openDoor(now, shop)]
      expect(await raceAt(doors, shop, times, isSameRefusal)).toEqual([])
      const { left, wanted } = await effectsOf(shop, times)
      expect(left).toEqual(wanted)
      if (hasWebhook) {
        const events = await eventsOf(shop, times)
        expect(events.left).toEqual(events.wanted)
      }
      expect(await shop.violations()).toEqual([])
      // This one answers everything in one round trip, the earlier one what it could answer.
      expect(await alone(doors[1], shop)).toHaveLength(12)
      for (const door of hasWebhook ? [] : doors) {
        const counts = await Promise.all(raced.map((one) => answeredAtOnce(door, one)))
        expect(raced.filter((_, n) => counts[n] === 0).map(({ path }) => path)).toEqual([])
      }
      await shop.close()
    },
    rounds * 3_000 + 120_000,
  )
})
