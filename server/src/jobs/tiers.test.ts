import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { lockAccount } from '../points/ledger.ts'
import { applyCompany } from '../setup/apply.ts'
import { tillside } from '../testing/command.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testDefinition } from '../testing/factories/definition.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { author, testMergeShop } from '../testing/merge-shop.ts'
import { decideReview } from '../tier/review.ts'
import { runJob } from './job.ts'
import { reviewSome, tiersJob } from './tiers.ts'

const readTier = statement(
  `select tier_code, start_date, expiry_date from member_tier where member_id = $1`,
  z.object({ tier_code: z.string(), start_date: z.string(), expiry_date: z.nullable(z.string()) }),
)
const readAudit = statement(
  `select action, details ->> 'from' as "from", details ->> 'to' as "to" from audit
   where member_id = $1 and action like 'tier.%' order by audit_id`,
  z.object({ action: z.string(), from: z.string(), to: z.string() }),
)
const open: Shop[] = []
afterAll(() => Promise.all(open.map((shop) => shop.close())))

/**
 * A shop with the tiers associate, green from 1000 (800 to renew) and gold from 3250 (3000 to
 * renew).
 */
async function tierShop(changes: Parameters<typeof testShop>[0] = {}) {
  const s = await testShop(changes)
  open.push(s)
  return {
    s,
    /** Creates a member with sales on these days. */
    member: async (...sales: readonly (readonly [day: string, price: string])[]) => {
      const { id } = await testMember(s, { registrationDate: '2024-01-01' })
      for (const [day, price] of sales) {
        await s.send(id, receipt([['A', price, 1]], { occurredAt: `${day}T04:00:00Z` }))
      }
      return id
    },
    review: async (id: string, day: string) => {
      await s.database.transaction(s.id, (tx) => reviewSome(tx, { id: s.id, revision: 1 }, day))
      return s.database.transaction(s.id, async (tx) => {
        const row = await tx.one(readTier, [id])
        return [row.tier_code, row.start_date, row.expiry_date]
      })
    },
    audit: (id: string) => s.database.transaction(s.id, (tx) => tx.all(readAudit, [id])),
  }
}

describe('the review of a tier', () => {
  it('starts after the last day, and renews without a gap', async () => {
    const { member, review, audit } = await tierShop()
    const id = await member(['2024-02-10', '1000.00'], ['2025-01-15', '800.00'])
    expect(await review(id, '2025-02-28')).toEqual(['green', '2024-02-10', '2025-02-28'])
    expect(await review(id, '2025-03-01')).toEqual(['green', '2025-03-01', '2026-02-28'])
    expect(await audit(id)).toEqual([{ action: 'tier.renew', from: 'green', to: 'green' }])
    expect(await review(id, '2025-03-01')).toEqual(['green', '2025-03-01', '2026-02-28'])
    expect(await audit(id)).toHaveLength(1)
  })

  it('steps down by one tier if a cent is missing, until the lowest', async () => {
    const { member, review, audit } = await tierShop()
    const id = await member(['2024-02-10', '3250.00'], ['2025-01-15', '2999.99'])
    expect(await review(id, '2025-03-01')).toEqual(['green', '2025-03-01', '2026-02-28'])
    expect(await review(id, '2026-03-01')).toEqual(['associate', '2026-03-01', null])
    expect(await review(id, '2036-03-01')).toEqual(['associate', '2026-03-01', null])
    expect((await audit(id)).map((row) => row.to)).toEqual(['green', 'associate'])
  })

  it('reviews all ended periods if it runs late', async () => {
    const { member, review, audit } = await tierShop()
    const id = await member(['2020-02-10', '3250.00'])
    expect(await review(id, '2026-01-01')).toEqual(['associate', '2022-03-01', null])
    expect((await audit(id)).map((row) => row.to)).toEqual(['green', 'associate'])
  })

  it('counts spend between the period’s end and the review', async () => {
    const { member, review, audit } = await tierShop()
    const id = await member(['2024-02-10', '3250.00'], ['2025-03-01', '3250.00'])
    expect(await review(id, '2025-03-02')).toEqual(['gold', '2025-03-01', '2026-03-31'])
    const actions = (await audit(id)).map((row) => row.action)
    // The sale brings the review of the ended period with it, and then moves the member up itself.
    expect(actions).toEqual(['tier.stepDown'])
  })

  it('falls to the tier that the spend reaches, if the company has that rule', async () => {
    const tierRules = {
      window: 'rolling12Months',
      validityMonths: 12,
      atEnd: 'recompute',
    } as const
    const { member, review } = await tierShop({ tierRules })
    const id = await member(['2024-02-10', '3250.00'], ['2025-02-01', '100.00'])
    expect(await review(id, '2025-03-01')).toEqual(['associate', '2025-03-01', null])
  })

  it('leaves out a member who was merged', async () => {
    const t = await testMergeShop()
    const s = t.shop
    open.push(s)
    const [survivor, merged] = await t.two()
    for (const { id } of [survivor, merged]) {
      await s.send(id, receipt([['A', '1000.00', 1]], { occurredAt: '2024-02-10T04:00:00Z' }))
    }
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    const company = { id: s.id, revision: 1 }
    const review = s.database.transaction(s.id, (tx) => reviewSome(tx, company, '2026-03-01'))
    expect(await review).toMatchObject({ done: 1 })
    const read = s.database.transaction(s.id, (tx) => tx.all(readAudit, [merged.id]))
    expect(await read).toEqual([])
  })

  it('runs as a job, in the company’s time zone', async () => {
    const { s, member } = await tierShop()
    const id = await member(['2024-02-10', '3250.00'])
    const ran = await runJob(s.database, s.id, tiersJob, pino({ level: 'silent' }), { now: true })
    expect(ran).toEqual({ done: 1, outcome: 'finished' })
    expect((await s.standing(id, '2026-11-01')).code).toBe('associate')
    expect(await s.violations()).toEqual([])
  })
})

const tiers = (green: string) => [
  { code: 'associate', names: { 'en-US': 'Associate' }, threshold: '0', renewThreshold: '0' },
  { code: 'green', names: { 'en-US': 'Green' }, threshold: green, renewThreshold: '800' },
  { code: 'gold', names: { 'en-US': 'Gold' }, threshold: '3250', renewThreshold: '3000' },
]
const applied = (s: Shop, green: string) =>
  applyCompany(s.database, {
    definition: testDefinition(s.identifier, { tiers: tiers(green) }),
    logo: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>',
    checksum: `green from ${green}`,
  })
const run = (s: Shop) =>
  runJob(s.database, s.id, tiersJob, pino({ level: 'silent' }), { now: true })

describe('a lowered threshold', () => {
  it('promotes at the next review everybody who reaches it now, from today', async () => {
    const { s, member, audit } = await tierShop()
    const today = await todayOf(s)
    const [recent, old] = [addDays(today, -10), addDays(today, -400)]
    const reaches = await member([recent, '600.00'])
    const short = await member([recent, '599.99'])
    const before = await member([old, '600.00'])
    const green = await member([recent, '1000.00'])
    await applied(s, '600')
    expect((await s.standing(reaches, today)).code).toBe('associate')
    expect(await run(s)).toEqual({ done: 1, outcome: 'finished' })
    expect(await s.standing(reaches, today)).toMatchObject({ code: 'green', startDate: today })
    expect(await audit(reaches)).toEqual([
      { action: 'tier.upgrade', from: 'associate', to: 'green' },
    ])
    for (const id of [short, before]) {
      expect((await s.standing(id, today)).code).toBe('associate')
    }
    expect(await s.standing(green, today)).toMatchObject({ code: 'green', startDate: recent })
    expect(await run(s)).toEqual({ done: 0, outcome: 'finished' })
    expect(await s.violations()).toEqual([])
  })

  it('promotes nobody when the threshold is raised or stays', async () => {
    const { s, member } = await tierShop()
    const today = await todayOf(s)
    const id = await member([addDays(today, -10), '600.00'])
    await applied(s, '1200')
    await applied(s, '1200')
    expect(await run(s)).toEqual({ done: 0, outcome: 'finished' })
    expect((await s.standing(id, today)).code).toBe('associate')
  })

  it('promotes no member who was merged', async () => {
    const { s, audit } = await tierShop()
    const [survivor, merged] = [await testMember(s), await testMember(s)]
    const codes = [survivor.memberCode, merged.memberCode]
    const words = ['merge', s.identifier, ...codes, '--confirm', ...author]
    expect(await tillside('member', ...words)).toMatchObject({ code: 0 })
    await applied(s, '0')
    expect(await run(s)).toEqual({ done: 1, outcome: 'finished' })
    expect((await audit(survivor.id)).map(({ to }) => to)).toEqual(['green'])
    expect(await audit(merged.id)).toEqual([])
    expect(await s.violations()).toEqual([])
  })

  it('waits for a member whose account is in use', async () => {
    const { s, member } = await tierShop()
    const today = await todayOf(s)
    const ids = [
      await member([addDays(today, -10), '600.00']),
      await member([addDays(today, -10), '700.00']),
    ]
    await applied(s, '600')
    let running: ReturnType<typeof run> | undefined
    await s.database.transaction(s.id, async (tx) => {
      await lockAccount(tx, s.id, ids[0] ?? '')
      running = run(s)
      await new Promise((wake) => setTimeout(wake, 200))
    })
    expect(await running).toEqual({ done: 2, outcome: 'finished' })
    for (const id of ids) expect((await s.standing(id, today)).code).toBe('green')
  })
})

it('renews a stopped tier as the next lower active one', () => {
  const held = { code: 'old', level: 3, renewThreshold: '10' }
  const ladder = [tier('low', 1), tier('middle', 2)]
  expect(decideReview(held, ladder, '10', 'stepDown')).toMatchObject({
    action: 'tier.recompute',
    rung: { code: 'middle' },
  })
  expect(decideReview(held, ladder, '9.99', 'stepDown').rung.code).toBe('middle')
})

function tier(code: string, level: number) {
  return { code, level, names: {}, threshold: '0', renewThreshold: '0', multiplier: '1' }
}
