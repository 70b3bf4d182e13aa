import { redeemCoupon } from '@tillside/contract/coupon'
import { describe, expect, inject, test } from 'vitest'
import { testSpendingShop } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, openDoor } from './doors.ts'
import { effectsOf, raceAt, raced } from './races.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the program of an earlier release works beside this one, on a database with the
// migrations of this one.

const rounds = atLevel({ short: 20, full: 300, long: 2_000 })
const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }

// The last programs before these migrations, and the calls that each answers in one round trip:
// none, with the first function, and with all of them.
const releases = [
  { migration: '0067_redeem_at_once.sql', atOnce: [] },
  { migration: '0069_at_once.sql', atOnce: [redeemCoupon] },
  { migration: '0079_one_table_a_statement.sql', atOnce: raced },
  { migration: '0083_place_of_receipts.sql', atOnce: raced },
].map((release) =>
  Object.assign(release, { commit: commitBefore(`server/migrations/${release.migration}`) }),
)

describe.each(releases)('the release before $migration', ({ commit, atOnce }) => {
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
        // The earlier program is really another one.
        const paths = async (door: (typeof doors)[number]) => {
          const counts = await Promise.all(raced.map((one) => answeredAtOnce(door, one)))
          return raced.filter((_, n) => (counts[n] ?? 0) > 0).map(({ path }) => path)
        }
        expect(await paths(doors[0])).toEqual(atOnce.map(({ path }) => path))
        expect(await paths(doors[1])).toEqual(raced.map(({ path }) => path))
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
