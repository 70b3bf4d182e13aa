import { cancelCouponRedeem, issueCoupon, redeemCoupon } from '@tillside/contract/coupon'
import { describe, expect, inject, test } from 'vitest'
import { testShop } from '../testing/factories/shop.ts'
import { atLevel } from '../testing/repetition.ts'
import { startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, effectsOf, openDoor, raceAt } from './doors.ts'
import { checkOut, commitBefore, unlessWithout } from './release.ts'

// During an upgrade the program of an earlier release works beside this one, on a database with the
// migrations of this one.

const rounds = atLevel({ short: 20, full: 300, long: 2_000 })
const quiet = { LOG_LEVEL: 'silent', METRICS_PORT: '0' }

// The last programs before these migrations: without a function, and with the first of them.
const releases = [
  { migration: '0067_redeem_at_once.sql', hasFunction: false },
  { migration: '0069_at_once.sql', hasFunction: true },
].map((release) =>
  Object.assign(release, { commit: commitBefore(`server/migrations/${release.migration}`) }),
)

describe.each(releases)('the release before $migration', ({ commit, hasFunction }) => {
  test.skipIf(commit === null)(
    `and this one change once in ${rounds} races, and repeat each other’s answers byte for byte` +
      unlessWithout(commit),
    async () => {
      const shop = await testShop()
      const earlier = await checkOut(commit ?? '')
      const environment = { DATABASE_URL: inject('ownerUrl'), ...quiet }
      const servers = [startServer(environment, earlier.folder), startServer(environment)] as const
      try {
        const [before, now] = servers
        const doors = [await openDoor(before, shop), await openDoor(now, shop)] as const
        expect(await raceAt(doors, shop, rounds)).toEqual([])
        const { left, wanted } = await effectsOf(shop, rounds)
        expect(left).toEqual(wanted)
        // The earlier program is really another one.
        expect((await answeredAtOnce(doors[0], redeemCoupon)) > 0).toBe(hasFunction)
        expect(await answeredAtOnce(doors[0], issueCoupon)).toBe(0)
        for (const endpoint of [redeemCoupon, cancelCouponRedeem, issueCoupon]) {
          expect(await answeredAtOnce(doors[1], endpoint)).toBeGreaterThan(0)
        }
      } finally {
        for (const { process } of servers) process.kill()
        await Promise.all(servers.map(({ ended }) => ended))
        await earlier.remove()
        await shop.close()
      }
    },
    rounds * 1_000 + 120_000,
  )
})
