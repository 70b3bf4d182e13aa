import { randomUUID } from 'node:crypto'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { addDays } from '@tillside/contract/rules/day'
import { testClock } from '../testing/servers/database-clock.ts'
import { tillside } from '../testing/command.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'

// Every command names its company, because other tests use the same database at the same time.

let s: Shop
let member: { id: string; memberCode: string }
let of: string[]
beforeAll(async () => {
  s = await testShop()
  member = await testMember(s)
  of = ['--company', s.identifier]
})
afterAll(() => s.close())

async function json(...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await tillside(...words, ...of, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

describe('tillside jobs run', () => {
  test('does what is due, and with --now everything', async () => {
    await givePoints(s, member, 10, addDays(await todayOf(s), -1))
    const { identifier: company } = s
    expect(await json('jobs', 'run', 'expiry')).toEqual([{ company, done: 1, outcome: 'finished' }])
    expect(await json('jobs', 'run', 'expiry')).toEqual([{ company, done: 0, outcome: 'notDue' }])
    expect(await json('jobs', 'run', 'expiry', '--now')).toMatchObject([{ outcome: 'finished' }])
    for (const job of ['tiers', 'retention', 'invariants']) {
      expect(await json('jobs', 'run', job, '--now')).toMatchObject([{ company, done: 0 }])
    }
    const { stdout } = await tillside('jobs', 'run', 'tiers', '--now', ...of)
    expect(stdout).toMatch(/^COMPANY\s+DONE\s+OUTCOME\n\S+\s+0\s+finished\n$/)
  })

  test('refuses unknown jobs and companies', async () => {
    expect(await tillside('jobs', 'run', 'nothing')).toMatchObject({ code: 1 })
    const { code, stderr } = await tillside('jobs', 'run', 'expiry', '--company', 'nobody')
    expect([code, stderr]).toEqual([1, 'there is no company "nobody"\n'])
  })
})

function adjust(points: string, type: string, reason = 'a wrong till', code = member.memberCode) {
  const report = { member: code, points, type, reason }
  const options = Object.entries(report).flatMap(([name, value]) => [`--${name}`, value])
  return tillside('points', 'adjust', ...of, ...options)
}

describe('tillside points adjust', () => {
  test('adds an entry with its reason, and an audit row', async () => {
    expect(await adjust('120', 'adjustmentUp')).toMatchObject({
      code: 0,
      stdout: `${member.memberCode}: 120 points, the balance is 120\n`,
    })
    await adjust('20', 'specialDeduct')
    await adjust('30', 'transferOut')
    await adjust('7', 'transferIn')
    expect((await s.entries(member.id)).slice(-4)).toEqual([
      [2, 120],
      [7, -20],
      [14, -30],
      [13, 7],
    ])
    const read = statement(
      `select e.description, a.action, a.staff_id from point_entry e
       join audit a on a.company_id = e.company_id and a.place = e.member_id
         and a.details ->> 'entryId' = e.entry_id::text
       where e.company_id = $1 and e.member_id = $2`,
      z.object({ description: z.string(), action: z.string(), staff_id: z.null() }),
    )
    const rows = await s.database.transaction(s.id, (tx) => tx.all(read, [s.id, member.id]))
    expect(rows).toHaveLength(4)
    expect(rows).toContainEqual({
      description: 'a wrong till',
      action: 'points.adjust',
      staff_id: null,
    })
    expect(await s.violations()).toEqual([])
  })

  test.each([
    [
      'more than the balance',
      '78',
      'adjustmentDown',
      'why',
      undefined,
      /has fewer than 78 spendable points/,
    ],
    ['no points', '0', 'adjustmentUp', 'why', undefined, /--points must be a whole number from 1/],
    ['a fraction', '1.5', 'adjustmentUp', 'why', undefined, /--points must be a whole number/],
    [
      'a negative number',
      '-5',
      'adjustmentUp',
      'why',
      undefined,
      /--points must be a whole number/,
    ],
    ['no reason', '5', 'adjustmentUp', ' ', undefined, /--reason must be a text/],
    ['another type', '5', 'earned', 'why', undefined, /--type/],
    ['an unknown member', '5', 'adjustmentUp', 'why', 'NOBODY', /there is no member "NOBODY"/],
  ])('refuses %s, and changes nothing', async (_what, points, type, reason, code, error) => {
    const before = await s.entries(member.id)
    const answer = await adjust(points, type, reason, code)
    expect(answer.code).toBe(1)
    expect(answer.stderr).toMatch(error)
    expect(await s.entries(member.id)).toEqual(before)
  })
})

describe('tillside doctor', () => {
  test('reports success or each violation', async () => {
    await testCoupon(s, member)
    const healthy = await tillside('doctor', ...of)
    expect(healthy.stdout).toMatch(/^1 company, \d+ invariants: all hold\n$/)
    expect(healthy.code).toBe(0)

    // Only the owner of the database has the privileges for this.
    const owner = new pg.Client({ connectionString: inject('ownerUrl') })
    await owner.connect()
    const corrupt = (sql: string, ...values: unknown[]) => owner.query(sql, [s.id, ...values])
    await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
    await corrupt(
      'update point_account set balance = balance + 1, earned = earned + 1 where company_id = $1',
    )
    await corrupt('update coupon set used = true where company_id = $1')
    await corrupt(`update coupon c set points_paid = 5, entry_id = e.entry_id from point_entry e
      where c.company_id = $1 and e.company_id = $1 and e.member_id = c.member_id and e.seq = 1`)
    const nobody = 'update point_entry set staff_id = $2 where company_id = $1 and seq = 1'
    await corrupt(nobody, randomUUID())
    await corrupt(`update point_entry set balance_after = -1 where company_id = $1 and seq = 2`)
    const { rows } = await corrupt('select staff_id from staff where company_id = $1 limit 1')
    await corrupt(
      `insert into operation (company_id, staff_id, key, endpoint, body_hash, answer)
       values ($1, $2, $3, '/connector/points/cancel', '', $4)`,
      rows[0]?.staff_id,
      randomUUID(),
      { code: 0, data: { entries: [{ id: randomUUID() }], coupons: [{ code: 'LOST' }] } },
    )
    await corrupt(
      `update company set settings = jsonb_set(settings, '{points,refundPolicy}', '"clamp"')
       where company_id = $1`,
    )
    await corrupt('update point_account set balance = -1, used = earned + 1 where company_id = $1')
    await owner.end()

    const { code, stdout, stderr } = await tillside('doctor', ...of)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\d+ violations? in 1 of 1 company\n$/)
    for (const rule of ['I1', 'I2', 'I3', 'I4', 'I5', 'I7', 'I8', 'I9', 'I10']) {
      expect(stdout).toMatch(new RegExp(`^${s.identifier}\\s+${rule}\\s`, 'm'))
    }
    const told = z
      .object({
        companies: z.array(z.object({ findings: z.array(z.object({ rule: z.string() })) })),
      })
      .parse(JSON.parse((await tillside('doctor', ...of, '--json')).stdout))
    expect(told.companies[0]?.findings.length).toBeGreaterThan(5)
    const nightly = await tillside('jobs', 'run', 'invariants', '--now', ...of)
    expect(nightly.code).toBe(1)
    expect(nightly.stderr).toMatch(/violations; run tillside doctor for details/)
  })

  test('finds privileges to change append-only tables', async () => {
    const own = await testClock()
    const shop = await testShop({}, own.url)
    expect(await shop.violations()).toEqual([])
    const owner = new pg.Client({ connectionString: own.ownerUrl })
    await owner.connect()
    await owner.query('grant update (description) on point_entry to tillside_app')
    await owner.query('grant delete on audit to tillside_app')
    await owner.end()
    expect((await shop.violations()).sort()).toEqual([
      'appendOnly: the program may delete audit',
      'appendOnly: the program may update point_entry',
    ])
    await shop.close()
    await own.close()
  })
})
