import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { type Database, openDatabase, statement } from '../database/database.ts'
import { hashBody, insertOperation as recordOperation } from '../database/operation.ts'
import { addDays } from '@tillside/contract/rules/day'
import { lockAccount } from '../points/ledger.ts'
import { logIn } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { expiryJob } from './expiry.ts'
import { type Job, runJob } from './job.ts'
import { retentionJob } from './retention.ts'
import { startJobs } from './runner.ts'

const log = pino({ level: 'silent' })
const count = (text: string) => statement(text, z.object({ n: z.int() }))
const now = { now: true }

let s: Shop
let today: string
/** The connection pools of two other processes. */
let others: Database[]
beforeAll(async () => {
  s = await testShop()
  today = await todayOf(s)
  others = [openDatabase(inject('databaseUrl'), 3), openDatabase(inject('databaseUrl'), 3)]
})
afterAll(async () => {
  await Promise.all(others.map((database) => database.close()))
  await s.close()
})

async function counted(text: string): Promise<number> {
  return s.database.transaction(s.id, async (tx) => (await tx.one(count(text), [])).n)
}
const expiredEntries = () =>
  counted('select count(*)::int as n from point_entry where type = 100000012')
const expiryAudits = () =>
  counted(`select count(*)::int as n from audit where action = 'points.expire'`)

describe('expiry', () => {
  test('keeps points on their last day and writes them off once on the next', async () => {
    const member = await testMember(s)
    await givePoints(s, member, 10, addDays(today, -1))
    await givePoints(s, member, 20, addDays(today, -2))
    await givePoints(s, member, 40, today)
    await givePoints(s, member, 80)
    expect(await runJob(s.database, s.id, expiryJob, log, now)).toEqual({
      done: 1,
      outcome: 'finished',
    })
    expect(await s.entries(member.id)).toEqual([
      ...[10, 20, 40, 80].map((points) => [2, points]),
      [12, -20],
      [12, -10],
    ])
    expect(await expiryAudits()).toBe(1)
    expect(await runJob(s.database, s.id, expiryJob, log, now)).toMatchObject({ done: 0 })
    // Without `now`, a job that has just run is not due.
    expect(await runJob(s.database, s.id, expiryJob, log)).toMatchObject({ outcome: 'notDue' })
    expect(await s.violations()).toEqual([])
  })

  test('runs once in many processes, also if some are killed during it', async () => {
    const before = await expiredEntries()
    for (let n = 0; n < 120; n++) await givePoints(s, await testMember(s), 7, addDays(today, -3))
    let batches = 0
    const dying: Job = {
      ...expiryJob,
      async batch(...of) {
        const result = await expiryJob.batch(...of)
        batches += 1
        if (batches === 1) throw new Error('killed before its commit')
        return result
      },
    }
    const runs = await Promise.allSettled(
      [s.database, ...others, ...others].map(async (database) =>
        runJob(database, s.id, dying, log, now),
      ),
    )
    expect(runs.filter((run) => run.status === 'rejected').length).toBeLessThanOrEqual(1)
    expect(await runJob(s.database, s.id, expiryJob, log, now)).toMatchObject({
      outcome: 'finished',
    })
    expect(await expiredEntries()).toBe(before + 120)
    expect(await s.violations()).toEqual([])
  })

  test('skips a member whose account is locked', async () => {
    const [busy, free] = [await testMember(s), await testMember(s)]
    for (const member of [busy, free]) await givePoints(s, member, 5, addDays(today, -1))
    const served = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const serving = s.database.transaction(s.id, async (tx) => {
      await lockAccount(tx, s.id, busy.id)
      locked.resolve()
      await served.promise
    })
    await locked.promise
    const batches = await others[0]?.transaction(s.id, (tx) =>
      expiryJob.batch(tx, { ...company(), today }, log),
    )
    expect(batches).toEqual({ done: 1, left: true })
    expect(await s.entries(free.id)).toContainEqual([12, -5])
    served.resolve()
    await serving
    await runJob(s.database, s.id, expiryJob, log, now)
    expect(await s.entries(busy.id)).toContainEqual([12, -5])
  })

  test('leaves a running job to its process', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow: Job = {
      ...expiryJob,
      async batch() {
        begun.resolve()
        await held.promise
        return { done: 0, left: false }
      },
    }
    const first = runJob(s.database, s.id, slow, log, now)
    await begun.promise
    const second = await runJob(s.database, s.id, expiryJob, log, now)
    expect(second).toEqual({ done: 0, outcome: 'busy' })
    held.resolve()
    expect(await first).toMatchObject({ outcome: 'finished' })
  })
})

test('retention deletes old answers, ended sessions and expired login attempts', async () => {
  await logIn(s)
  const staff = statement(
    `select staff_id from staff where account = 'amy'`,
    z.object({ staff_id: z.string() }),
  )
  await s.database.transaction(s.id, async (tx) => {
    const { staff_id: staffId } = await tx.one(staff, [])
    const old = statement(
      `update operation set created_at = now() - interval '49 hours' where key = $1`,
      z.unknown(),
    )
    const keys = [randomUUID(), randomUUID()]
    for (const key of keys) {
      const of = { companyId: s.id, staffId, endpoint: 'none', bodyHash: hashBody({}) }
      await recordOperation(tx, { ...of, key }, null)
    }
    await tx.run(old, [keys[0]])
    const session = statement(
      `insert into session (company_id, token_hash, staff_id, permission_version, expires_at,
         ended_at)
       values ($1, sha256($2::text::bytea), $3, 1, now() - $4::interval, now() - $5::interval)`,
      z.unknown(),
    )
    const times = [
      ['3 days', null],
      ['3 days', null],
      [null, '3 days'],
      [null, '0 days'],
      [null, null],
    ]
    for (const [n, of] of times.entries()) await tx.run(session, [s.id, String(n), staffId, ...of])
    const tries = statement(
      `insert into login_throttle (company_id, kind, key, tries) values
         ($1, 'account', 'old', array[now() - interval '16 minutes']),
         ($1, 'account', 'new', array[now() - interval '16 minutes', now()])`,
      z.unknown(),
    )
    await tx.run(tries, [s.id])
  })
  await runJob(s.database, s.id, retentionJob, log, now)
  expect(await counted('select count(*)::int as n from operation')).toBe(1)
  expect(await counted('select count(*)::int as n from session')).toBe(3)
  const throttled = `select count(*)::int as n from login_throttle where kind = 'account'`
  expect(await counted(`${throttled} and key = 'new'`)).toBe(1)
  expect(await counted(`${throttled} and key = 'old'`)).toBe(0)
})

test('a runner waits before its first round, and stops at once', async () => {
  const runner = startJobs(s.database, log, () => 3_600_000)
  await runner.stop()
})

function company() {
  const { id, identifier } = s
  return { id, identifier, revision: 1, timeZone: 'Asia/Hong_Kong', finishedAt: null }
}
