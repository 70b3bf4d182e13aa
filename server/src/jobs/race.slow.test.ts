import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@tillside/contract/auth'
import { cancelPoints, redeemPoints } from '@tillside/contract/points'
import pino from 'pino'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { type Answer, password } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'
import { atLevel } from '../testing/repetition.ts'
import { nameOf, receipt } from '../testing/factories/receipt.ts'
import type { Shop } from '../testing/factories/shop.ts'
import { money, mug, pointRules, testSpendingShop } from '../testing/factories/spending.ts'
import { expiryJob } from './expiry.ts'
import { runJob } from './job.ts'

// Moves points of one member in many ways at once: in two server processes and in two that act as
// tills and run the expiry job. All invariants must hold at every moment.
const seconds = atLevel({ short: 2, full: 5, long: 20 }, 'RACE_SECONDS')
const maxLaterSeconds = 30

let s: Shop
let today: string
let tills: Database[]
let addresses: [string, string]
beforeAll(async () => {
  const exchange = { minimum: 50, maximum: 50, increment: 50, pointValue: '0.01', maxShare: null }
  s = await testSpendingShop({ points: { ...pointRules, exchange } })
  today = await todayOf(s)
  tills = [openDatabase(inject('databaseUrl'), 3), openDatabase(inject('databaseUrl'), 3)]
  addresses = await twoServers()
})
afterAll(async () => {
  await Promise.all(tills.map((till) => till.close()))
  await s.close()
})

const readTypes = statement(
  `select type - 100000000 as type, count(*)::int as number, sum(points)::bigint as points
   from point_entry where company_id = $1 group by type`,
  z.object({ type: z.int(), number: z.int(), points: z.int() }),
)

test(
  `spend, undo, expiry, earning and return of one member at once, for ${seconds} seconds`,
  async () => {
    const member = await testMember(s)
    await givePoints(s, member, 500)
    const tokens = await Promise.all(addresses.map(async (address) => logInAt(address)))
    const atOnce = await watchAtOnce()
    const gifts: Answer[] = []
    const payments: Answer[] = []
    const undone: Answer[] = []
    const end = new AbortController()
    const again = async (work: (n: number) => Promise<unknown>) => {
      for (let n = 0; !end.signal.aborted; n++) await work(n)
    }
    const isProven = async () => {
      const { answered, wanted } = await atOnce([redeemPoints, cancelPoints])
      return answered.length >= wanted.length
    }
    const watchTime = async () => {
      await sleep(seconds * 1000)
      // A call that meets another one may take several round trips. On a busy machine the first few
      // all do, so the race then needs longer.
      for (let n = 0; n < maxLaterSeconds && !(await isProven()); n++) await sleep(1000)
      end.abort()
    }
    const clerk = async (index: number) => {
      const address = addresses[index % 2] ?? ''
      const ask = (endpoint: Parameters<typeof post>[1], input: unknown) =>
        post(address, endpoint, input, {
          authorization: `Bearer ${tokens[index % 2]}`,
          'idempotency-key': randomUUID(),
        })
      await again(async (n) => {
        // Each second gift and payment is undone.
        const [input, ofKind] =
          n % 2 === 0
            ? [mug(member.memberCode), gifts]
            : [money(member.memberCode, { points: 50 }), payments]
        const spent = await ask(redeemPoints, input)
        ofKind.push(spent)
        if (spent.code !== 0 || n % 4 > 1) return
        const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(spent.data)
        const { memberCode } = member
        undone.push(await ask(cancelPoints, { memberCode, entryId: entry.id, reason: 'a race' }))
      })
    }
    const violations: string[] = []
    await Promise.all([
      watchTime(),
      ...[0, 1, 2, 3].map(clerk),
      ...tills.map(async () =>
        again(async (n) => {
          const sale = receipt([['A', '40.00', 2]], { occurredAt: new Date().toISOString() })
          await s.send(member.id, sale)
          if (n % 2 > 0) return
          const back = { original: nameOf(sale), occurredAt: new Date().toISOString() }
          await s.send(member.id, receipt([['A', '40.00', -1]], back))
        }),
      ),
      ...tills.map(async (till) =>
        again(async () => {
          await givePoints({ database: till, id: s.id }, member, 3, addDays(today, -1))
          await runJob(till, s.id, expiryJob, pino({ level: 'silent' }), { now: true })
        }),
      ),
      again(async () => void violations.push(...(await s.violations()))),
    ])
    await runJob(s.database, s.id, expiryJob, pino({ level: 'silent' }), { now: true })
    violations.push(...(await s.violations()))
    expect(violations).toEqual([])
    expect([...gifts, ...payments, ...undone].filter(({ status }) => status >= 500)).toEqual([])
    // The ledger has exactly the entries of the answered requests.
    const rows = await s.database.transaction(s.id, (tx) => tx.all(readTypes, [s.id]))
    const of = (type: number) => rows.find((row) => row.type === type)?.number ?? 0
    const sum = (type: number) => rows.find((row) => row.type === type)?.points ?? 0
    expect(of(4)).toBe(done(gifts))
    expect(of(15)).toBe(done(payments))
    expect(of(9) + of(10)).toBe(done(undone))
    expect(done(undone)).toBe(undone.length)
    const { answered, wanted } = await atOnce([redeemPoints, cancelPoints])
    expect(answered).toEqual(wanted)
    expect(sum(2) - 500).toBe(-sum(12))
    const moved = rows.map(({ type, number }) => `type ${type}: ${number}`).join(', ')
    console.info(`${gifts.length + payments.length} redemptions asked for; entries of ${moved}`)
  },
  (seconds + maxLaterSeconds) * 1000 + 60_000,
)

function done(answers: readonly Answer[]): number {
  return answers.filter(({ code }) => code === 0).length
}

async function logInAt(address: string): Promise<string> {
  const input = { identifier: s.identifier, account: 'amy', password }
  const { data } = await post(address, login, input)
  return z.object({ token: z.string() }).parse(data).token
}
