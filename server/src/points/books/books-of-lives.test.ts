import type { PointReport } from '@tillside/contract/report'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expiryJob } from '../../jobs/expiry.ts'
import { runJob } from '../../jobs/job.ts'
import { bookWorlds } from '../../testing/property/book-worlds.ts'
import { liveMonths } from '../../testing/property/book-lives.ts'
import {
  endOf,
  figuresOf,
  heldAt,
  outstandingOf,
  readSums,
  sumsOf,
} from '../../testing/property/book-sums.ts'
import { type ClockDatabase, testClock } from '../../testing/servers/database-clock.ts'
import { testShop } from '../../testing/factories/shop.ts'
import { atLevel } from '../../testing/repetition.ts'
import { closeMonth } from './months.ts'

// `npm run test:all` lives the whole 24 months, see atLevel; a short run shows the same rules.
const count = atLevel({ short: 4, full: 24, long: 24 }, 'BOOK_MONTHS')
const steps = atLevel({ short: 12, full: 40, long: 40 })
const sound = { accounts: 0, lots: 0 }

const worlds = await bookWorlds()
let clock: ClockDatabase
beforeAll(async () => {
  clock = await testClock()
})
afterAll(() => clock.close())

describe(`the books of ${count} months`, () => {
  it.each(worlds.map((world, n) => ({ world, n, zone: world.timeZone ?? '' })))(
    'tie to the ledger in $zone',
    async ({ world, n, zone }) => {
      const s = await testShop(world, clock.url)
      const gifts = (world.gifts ?? []).map(({ id }) => id)
      const terms = { seed: `books ${n}`, count, steps, gifts: gifts.length ? gifts : ['MUG'] }
      const lives = await liveMonths(s, (at) => clock.set(at), terms)
      const sums = await readSums(s, zone)
      expect(sums.entries.length).toBeGreaterThan(count * 3)
      for (const month of lives.months) {
        const { last } = endOf(month)
        const report = await lives.report(month, last)
        expect(report.difference).toEqual(sound)
        expect(figuresOf(report.total)).toEqual(sumsOf(sums, month, last))
        expect(outstandingOf(report)).toEqual(heldAt(sums, last))
        const held = [...heldAt(sums, last).values()].reduce((a, b) => a + b, 0)
        expect(held - report.inDebt.points).toBe(report.total.closing.points)
      }
      const [first = ''] = lives.months
      const { last } = endOf(lives.months.at(-1) ?? '')
      const byMonth = await lives.report(first, last, 'month')
      expect(byMonth.rows.map(({ key }) => `${key}-01`)).toEqual(lives.months)
      for (const row of byMonth.rows) {
        const month = `${row.key}-01`
        expect(figuresOf(row)).toEqual(sumsOf(sums, month, endOf(month).last))
      }
      const byStore = await lives.report(first, last, 'store')
      expect(byStore.rows.map(({ key }) => key)).toEqual(['S1', 'S2', null])
      for (const row of byStore.rows) {
        expect(figuresOf(row)).toEqual(sumsOf(sums, first, last, row.key))
      }
      expect(await s.violations()).toEqual([])
      await s.close()
    },
    count * 20_000,
  )

  it.each(worlds.map((world, n) => ({ world, n, zone: world.timeZone ?? '' })))(
    'stay as they were closed at the end of each month in $zone',
    async ({ world, n }) => {
      const s = await testShop(world, clock.url)
      const gifts = (world.gifts ?? []).map(({ id }) => id)
      const terms = { seed: `closed ${n}`, count, steps, gifts: gifts.length ? gifts : ['MUG'] }
      const reports = new Map<string, PointReport>()
      const lives = await liveMonths(
        s,
        (at) => clock.set(at),
        terms,
        async (month, { report }) => {
          await runJob(s.database, s.id, expiryJob, pino({ level: 'silent' }), { now: true })
          const closed = await closeMonth(s.database, s, month.slice(0, 7))
          const made = await report(month, endOf(month).last)
          expect(closed).toMatchObject({
            opening: made.total.opening.points,
            closing: made.total.closing.points,
          })
          reports.set(month, made)
        },
      )
      for (const [month, then] of reports) {
        const now = await lives.report(month, endOf(month).last)
        expect(now.total).toEqual(then.total)
        expect(now.difference).toEqual(sound)
      }
      expect(reports.size).toBe(count)
      expect(await s.violations()).toEqual([])
      await s.close()
    },
    count * 20_000,
  )
})
