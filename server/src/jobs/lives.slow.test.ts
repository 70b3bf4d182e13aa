import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { findViolations } from './invariants.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { Life, type LifeStep, lifeStep } from '../testing/property/whole-lives.ts'
import { atLevel, seedAtLevel } from '../testing/repetition.ts'
import { type ClockDatabase, testClock } from '../testing/servers/database-clock.ts'
import { withRollback } from '../testing/with-rollback.ts'

// Random lives of a member. At the end everything that was bought is returned, in parts and in any
// order, with spending, undo, pay with points, expiry and jobs in between.

const seed = seedAtLevel('SEED', 230_914)
const reversed = atLevel({ short: 10, full: 100, long: 1_000 }, 'LIVES')
const valued = atLevel({ short: 10, full: 100, long: 2_000 }, 'LIVES')
const steps = fc.array(lifeStep, { minLength: 5, maxLength: 30 })

const readForgiven = statement(
  `select coalesce(sum(points), 0)::bigint as points from point_forgiven
   where company_id = $1 and member_id = $2`,
  z.object({ points: z.int() }),
)

let clock: ClockDatabase
const shops = new Map<string, { shop: Shop; member: { id: string } }>()
beforeAll(async () => {
  clock = await testClock()
  const { points } = testDefinition('a')
  for (const refundPolicy of ['debt', 'clamp'] as const) {
    for (const months of [0, 1, 2]) {
      const expiry =
        months === 0 ? ({ kind: 'none' } as const) : ({ kind: 'months', months } as const)
      const rules = { ...points, refundPolicy, expiry, returnGraceDays: 0, pendingDays: months }
      const shop = await testShop({ points: rules }, clock.url)
      shops.set(`${refundPolicy} ${months}`, { shop, member: await testMember(shop) })
    }
  }
})
afterAll(async () => {
  await Promise.all([...shops.values()].map(({ shop }) => shop.close()))
  await clock.close()
})

/** Plays random lives, each on a company whose rows are rolled back afterwards. */
async function lives(
  runs: number,
  rules: string,
  check: (life: Life, list: readonly LifeStep[]) => Promise<void>,
): Promise<void> {
  const world = shops.get(rules)
  if (world === undefined) throw new Error('no such company')
  const { shop, member } = world
  const property = fc.asyncProperty(steps, (list) =>
    withRollback(shop.database, [shop.id], async (stage) => {
      await check(await Life.begin(stage, shop, member.id), list)
      const found = await stage.reading(shop.id, (tx) => findViolations(tx, shop.id))
      expect(found).toEqual([])
    }),
  )
  await fc.assert(property, { numRuns: runs, seed, examples: [[lessOwed]] })
}

// A return of the first sale makes the member owe less, and changes no lot.
const lessOwed: LifeStep[] = [
  { wait: 0, act: { kind: 'buy', units: 4, pay: 0 } },
  { wait: 1, act: { kind: 'spend', share: 100 } },
  { wait: 32, act: { kind: 'buy', units: 2, pay: 0 } },
  { wait: 1, act: { kind: 'buy', units: 1, pay: 100 } },
  { wait: 0, act: { kind: 'buy', units: 1, pay: 0 } },
  { wait: 32, act: { kind: 'undo', of: 0 } },
  { wait: 0, act: { kind: 'jobs' } },
  { wait: 0, act: { kind: 'spend', share: 100 } },
]

const again = `SEED=${seed} LIVES=… npx vitest run --project slow lives`

describe(`random lives (${again})`, () => {
  it.each(['debt 0', 'debt 1', 'debt 2'])(
    `equal those of a member who never bought: ${reversed} under %s`,
    async (rules) => {
      await lives(reversed, rules, async (life, list) => {
        const before = await life.standing()
        for (const step of list) await life.play(step)
        await life.returnAll()
        await life.runJobs()
        expect(await life.balance()).toBe(life.expected().balance)
        expect(new Map(await life.lots())).toEqual(new Map(life.expectedLots()))
        expect(await life.standing()).toEqual(before)
      })
    },
    reversed * 4_000 + 60_000,
  )

  it.each(['debt 1', 'clamp 2'])(
    `end equal under two schedules of the jobs: ${reversed} under %s`,
    async (rules) => {
      const ends = new Map<string, unknown[]>()
      for (const schedule of ['daily', 'never'] as const) {
        await lives(reversed, rules, async (life, list) => {
          for (const step of list.filter(({ act }) => act.kind !== 'jobs')) {
            await life.play(step)
            if (schedule === 'daily') await life.runJobs()
          }
          if (list.length % 2 === 0) await life.returnAll()
          await life.runJobs()
          const key = JSON.stringify(list)
          const lots = (await life.lots()).map(([, points]) => points)
          const end = [await life.balance(), lots, await life.standing()]
          ends.set(key, [...(ends.get(key) ?? []), end])
        })
      }
      expect(ends.size).toBeGreaterThan(0)
      for (const [list, [daily, never]] of ends) expect([list, never]).toEqual([list, daily])
    },
    reversed * 8_000 + 60_000,
  )

  it.each(['debt 0', 'debt 2', 'clamp 0'])(
    `leave no value, or exactly what was forgiven: ${valued} under %s`,
    async (rules) => {
      await lives(valued, rules, async (life, list) => {
        for (const step of list.filter(({ act }) => act.kind !== 'grant')) await life.play(step)
        await life.returnAll()
        await life.runJobs()
        const value = (await life.balance()) + life.spent()
        if (rules.startsWith('debt')) return expect(value).toBeLessThanOrEqual(0)
        const { stage, shop, memberId } = life
        const forgiven = await stage.reading(shop.id, (tx) =>
          tx.one(readForgiven, [shop.id, memberId]),
        )
        expect(value).toBe(forgiven.points)
      })
    },
    valued * 4_000 + 60_000,
  )
})
