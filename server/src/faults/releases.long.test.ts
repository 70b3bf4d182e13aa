import { describe, expect, inject, test } from 'vitest'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, openDoor } from './doors.ts'
import { effectsOf, raceAt, raced } from './races.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the program of the release before works together with this one, on a database
// with the migrations of this one. When a migration drops what that release needs, or adds what it
// does not know, name the first such migration here.

const rounds = atLevel({ short: 20, full: 300, long: 2_000 })
const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }

const commit = commitBefore('server/migrations/0120_contract_receipts.sql')

describe('the release before this one', () => {
  test.skipIf(commit === null)(
    `and this one change once in ${rounds} races, and repeat each other’s answers byte for byte` +
      unlessWithout(commit),
    async () => {
      const shop = await testSpendingShop()
      const earlier = await checkOut(commit ?? '')
      const environment = { DATABASE_URL: inject('ownerUrl'), ...quiet }
      const servers = [startServer(environment, earlier.folder), startServer(environment)] as const
      try {
        const [before, now] = servers
        const doors = [await openDoor(before, shop), await openDoor(now, shop)] as const
        expect(await raceAt(doors, shop, rounds)).toEqual([])
        const { left, wanted } = await effectsOf(shop, rounds)
        expect(left).toEqual(wanted)
        expect(await shop.violations()).toEqual([])
        // Both answered in one round trip.
        const paths = async (door: (typeof doors)[number]) => {
          const counts = await Promise.all(raced.map((one) => answeredAtOnce(door, one)))
          return raced.filter((_, n) => (counts[n] ?? 0) > 0).map(({ path }) => path)
        }
        for (const door of doors) expect(await paths(door)).toEqual(raced.map(({ path }) => path))
      } finally {
        for (const { process } of servers) process.kill()
        await Promise.all(servers.map(({ ended }) => ended))
        await earlier.remove()
        await shop.close()
      }
    },
    rounds * 2_000 + 120_000,
  )
})
