import { exec } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { redeemCoupon } from '@tillside/contract/coupon'
import { failures } from '@tillside/contract/wire/failures'
import * as pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { Clerks } from '../faults/clerks.ts'
import { allWell, type FaultShop, faultShop, hookMs, seed, settle } from '../faults/counter.ts'
import { Watch } from '../faults/watch.ts'
import { statement } from '../database/database.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { post } from '../testing/servers/process.ts'
import { atLevel } from '../testing/repetition.ts'
import { seeded } from '../values/random.ts'

// On a real cluster, in `npm run test:cluster`: many callers of one coupon, and a worker that is
// killed under load.

let at: FaultShop
beforeAll(async () => {
  at = await faultShop(2)
}, hookMs)
afterAll(() => at?.close(), hookMs)

const callers = 100
const rounds = atLevel({ short: 3, full: 20, long: 200 }, 'CLUSTER_ROUNDS')
const countRedemptions = statement(
  `select count(*)::int as redemptions, count(distinct coupon_code)::int as coupons
   from coupon_redemption where company_id = $1 and member_id = $2`,
  z.object({ redemptions: z.int(), coupons: z.int() }),
)

test(
  `one coupon and ${callers} callers at two processes: one success, ${rounds} times`,
  async () => {
    const { shop, counter, fleet } = at
    const member = await memberWith(shop, 0)
    const { memberCode } = member
    const losers = Array.from({ length: callers - 1 }, () => failures.couponUsed.code)
    for (let round = 0; round < rounds; round++) {
      const couponCode = await testCoupon(shop, member)
      const answers = await Promise.all(
        Array.from({ length: callers }, (_, n) => {
          const address = fleet.addresses()[n % 2] ?? ''
          const headers = {
            authorization: `Bearer ${counter.token}`,
            'idempotency-key': randomUUID(),
          }
          return post(address, redeemCoupon, { couponCode, memberCode }, headers)
        }),
      )
      const codes = answers.map(({ code }) => code).toSorted((a, b) => a - b)
      expect(codes).toEqual([0, ...losers])
    }
    const counted = await shop.database.reading(shop.id, (tx) =>
      tx.one(countRedemptions, [shop.id, member.id]),
    )
    expect(counted).toEqual({ redemptions: rounds, coupons: rounds })
    expect(await shop.violations()).toEqual([])
  },
  rounds * 20_000 + 60_000,
)

// The shell command that kills a worker and starts it again.
const killWorker = process.env['CLUSTER_KILL_WORKER'] ?? ''
if (killWorker === '') console.info('skipped: CLUSTER_KILL_WORKER names no command')
const kills = atLevel({ short: 3, full: 10, long: 50 }, 'CLUSTER_KILLS')

const Prepared = z.array(z.object({ success: z.boolean(), result: z.string() }))

/** The number of prepared transactions of this database, on each node. */
async function readPrepared(owner: pg.Client): Promise<z.infer<typeof Prepared>> {
  const { rows } = await owner.query(
    `select success, result from run_command_on_all_nodes($$
       select count(*) from pg_prepared_xacts where database = current_database() $$)`,
  )
  return Prepared.parse(rows)
}

test.skipIf(killWorker === '')(
  `a worker killed ${kills} times under load loses nothing and does nothing twice (seed ${seed})`,
  async () => {
    // A company of its own: every change of it has to be a clerk's.
    const own = await faultShop(2, { members: 8 })
    onTestFinished(() => own.close(), hookMs)
    const { counter, fleet } = own
    const clerks = new Clerks(counter, () => fleet.addresses())
    const random = seeded(seed)
    void clerks.work(6, seed)
    const watch = new Watch(fleet.addresses()[0] ?? '', counter)
    const back: number[] = []
    for (let n = 0; n < kills; n++) {
      await watch.works()
      await sleep(500 + 1_500 * random())
      await clerks.nextSent()
      await sleep(25 * random())
      await promisify(exec)(killWorker)
      back.push(Math.round(await watch.works()))
    }
    await watch.stop()
    const { figures, findings } = await settle(own, clerks)
    console.info(
      `${kills} kills of a worker, back after ${Math.max(...back)} ms at most ` +
        `(seed ${seed}): ${figures}`,
    )
    expect(findings).toEqual(allWell)
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    // Once a minute Citus ends the prepared transactions that a killed node has left.
    const left = async () => JSON.stringify(await readPrepared(owner))
    await expect.poll(left, { timeout: 150_000, interval: 1_000 }).not.toMatch(/false|"[1-9]/)
    await owner.end()
  },
  kills * 40_000 + 300_000,
)
