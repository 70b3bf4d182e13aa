import { randomUUID } from 'node:crypto'
import { logout } from '@tillside/contract/auth'
import { issueCoupon } from '@tillside/contract/coupon'
import { basePath } from '@tillside/contract/wire/endpoint'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { waitUntil } from '../process/wait.ts'
import { ok } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { givePoints } from '../testing/factories/points.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { changeOf, changes, Desk, inputOf } from './changes/changes.ts'

// A change of two statements waits for the account between finding the clerk and choosing the lots.
// Meanwhile the session ends, the store closes, or the company's day changes. The change then has
// either its old outcome or its new one, and no part of the other.

const database = openDatabase(inject('databaseUrl'))
/** It holds the account. */
const holder = new pg.Client({ connectionString: inject('ownerUrl') })
const other = new pg.Client({ connectionString: inject('ownerUrl') })
let desk: Desk
/** Another process. */
let elsewhere: Desk['shop']['app']
beforeAll(async () => {
  await Promise.all([holder.connect(), other.connect()])
  elsewhere = await createApp(database, pino({ level: 'silent' }), { oneRoundTrip: true })
})
beforeEach(async () => {
  desk = await Desk.of(database)
  const mine = `select set_config('app.company_id', $1, false)`
  await Promise.all([holder, other].map((client) => client.query(mine, [desk.shop.id])))
  // Only the clock of a practice company can be moved, and a trigger keeps one from becoming one.
  await other.query('begin')
  await other.query('set local session_replication_role = replica')
  await run(`update company set practice = true, identifier = identifier || '-practice'
    where company_id = $1`)
  await other.query('commit')
})
afterEach(async () => {
  await holder.query('rollback')
  expect(await desk.shop.violations()).toEqual([])
  await desk.shop.app.close()
})
afterAll(async () => {
  await elsewhere.close()
  await Promise.all([holder.end(), other.end()])
  await database.close()
})

const run = (sql: string) => other.query(sql, [desk.shop.id])
const disturbances = [
  {
    name: 'the clerk logs out',
    disturb: () => ok({ app: elsewhere }, logout, {}, { token: desk.token }),
    isRefused: true,
  },
  {
    name: 'the store closes',
    disturb: () => run(`update store set active = false where company_id = $1`),
    isRefused: true,
  },
  {
    name: 'the next day begins',
    disturb: () => run(`update company set clock_ahead = '1 day' where company_id = $1`),
    isRefused: false,
  },
] as const

const { spend, refund, gift, returnGift, returnPaid, issuePaid } = changes
const ofPoints = [spend, refund, gift, returnGift, returnPaid, issuePaid]

describe.each(ofPoints)('while $name waits for the account', (change) => {
  test.each(disturbances)('$name', async ({ disturb, isRefused }) => {
    // The first change reads the session, and the second one remembers the definition.
    for (const _ of [1, 2]) await send(await nextChange())
    const [undisturbed, waiting, late] = [
      await nextChange(),
      await nextChange(),
      await nextChange(),
    ]
    const old = await outcomeOf(undisturbed, () => send(undisturbed))
    expect(old).toMatchObject({ status: 200, code: '"code":0' })

    const outcome = await outcomeOf(waiting, async () => {
      const account = 'point_account where company_id = $1 and member_id = $2'
      await holder.query('begin')
      await holder.query(`select from ${account} for update`, [desk.shop.id, waiting.member.id])
      desk.counted.length = 0
      const sending = send(waiting)
      expect(await waitUntil(isHeld)).toBe(true)
      await disturb()
      await holder.query('commit')
      return sending
    })
    const isAtOnce = desk.counted[0] === true

    const next = await outcomeOf(late, () => send(late))
    expect(next).not.toEqual(old)
    expect(next.status).toBe(isRefused ? 401 : 200)
    if (isRefused) expect(next.change.rows).toEqual(next.change.before)
    expect(outcome).toEqual(isAtOnce ? old : next)
    const { path } = change.endpoint
    const headers = { authorization: `Bearer ${desk.token}`, 'idempotency-key': late.key }
    const again = { method: 'POST', url: basePath + path, headers, payload: late.input } as const
    expect((await elsewhere.inject(again)).statusCode).toBe(next.status)
  })

  async function nextChange() {
    const member = await memberWith(desk.shop, 5000)
    // The first points to be spent end today.
    await givePoints(desk.shop, member, 450, await todayOf(desk.shop))
    // The process then knows the member.
    await desk.send(issueCoupon, randomUUID(), await inputOf(changes.issue, desk, member))
    return { member, key: randomUUID(), input: await inputOf(change, desk, member) }
  }
  type Prepared = Awaited<ReturnType<typeof nextChange>>
  const send = ({ key, input }: Prepared) => desk.send(change.endpoint, key, input)

  /** The answer to a change, and the rows afterwards. */
  async function outcomeOf(
    { member, key }: Prepared,
    work: () => Promise<{ statusCode: number; body: string }>,
  ) {
    const before = await desk.stateOf(member, key)
    const { statusCode: status, body } = await work()
    const code = /"code":\d+/.exec(body)?.[0]
    return { status, code, change: changeOf(before, await desk.stateOf(member, key)) }
  }
})

/** Whether a transaction waits for the one that holds the account. */
async function isHeld(): Promise<boolean> {
  const pid = await holder.query('select pg_backend_pid() as pid')
  const waits = 'select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))'
  return (await other.query(waits, [pid.rows[0]?.['pid']])).rowCount === 1
}
