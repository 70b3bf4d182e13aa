import { randomUUID } from 'node:crypto'
import { logout } from '@tillside/contract/auth'
import { issueCoupon } from '@tillside/contract/coupon'
import * as pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { createApp } from '../app.ts'
import { openDatabase } from '../database/database.ts'
import { revokeKey } from '../staff/keys/key.ts'
import { waitUntil } from '../process/wait.ts'
import { waitersOf } from '../testing/cluster/lane.ts'
import { ok, takesOneRoundTrip } from '../testing/factories/company.ts'
import { todayOf } from '../testing/factories/coupon.ts'
import { givePoints } from '../testing/factories/points.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { type Call, ofClerk, tillCalls } from './changes/calls.ts'
import { changes, inputOf } from './changes/changes.ts'
import { type Answer, changeOf, Desk, listen } from './changes/desk.ts'

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
/** Prepares a shop whose clock can be moved. */
async function open(hasWebhook: boolean): Promise<void> {
  desk = await Desk.of(database, hasWebhook)
  const mine = `select set_config('app.company_id', $1, false)`
  await Promise.all([holder, other].map((client) => client.query(mine, [desk.shop.id])))
  // Only the clock of a practice company can be moved, and a trigger keeps one from becoming one.
  await other.query('begin')
  await other.query('set local session_replication_role = replica')
  await run(`update company set practice = true, identifier = identifier || '-practice'
    where company_id = $1`)
  await other.query('commit')
}
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
type Disturbance = {
  name: string
  hasWebhook: boolean
  disturb: () => Promise<unknown>
  /** Whether later changes are refused. */
  isRefused: boolean
  /** Whether a change in one round trip may find it: its last statements are the events. */
  isFound: boolean
}
const hear = (isHeard: boolean) =>
  isHeard ? listen(desk.shop) : run('update webhook set stopped = true where company_id = $1')
const ofBoth: Disturbance[] = [
  {
    name: 'the webhook stops',
    hasWebhook: true,
    disturb: () => hear(false),
    isRefused: false,
    isFound: true,
  },
  {
    name: 'a webhook begins',
    hasWebhook: false,
    disturb: () => hear(true),
    isRefused: false,
    isFound: false,
  },
]
const ofClerks: Disturbance[] = [
  {
    name: 'the clerk logs out',
    hasWebhook: true,
    disturb: () => ok({ app: elsewhere }, logout, {}, { token: desk.token }),
    isRefused: true,
    isFound: false,
  },
  {
    name: 'the store closes',
    hasWebhook: false,
    disturb: () => run(`update store set active = false where company_id = $1`),
    isRefused: true,
    isFound: false,
  },
  {
    name: 'the next day begins',
    hasWebhook: true,
    disturb: () => run(`update company set clock_ahead = '1 day' where company_id = $1`),
    isRefused: false,
    isFound: false,
  },
  ...ofBoth,
]
const ofTills: Disturbance[] = [
  {
    name: 'the key is revoked',
    hasWebhook: true,
    disturb: () =>
      database.transaction(desk.shop.id, (tx) => revokeKey(tx, desk.shop.id, desk.keyId)),
    isRefused: true,
    isFound: false,
  },
  ...ofBoth,
]

const { spend, refund, gift, returnGift, returnPaid, issuePaid } = changes
const ofPoints = [spend, refund, gift, returnGift, returnPaid, issuePaid].map(ofClerk)
const cases: [string, Call, Disturbance[]][] = [
  ...ofPoints.map((call): (typeof cases)[number] => [call.name, call, ofClerks]),
  ...tillCalls.map((call): (typeof cases)[number] => [call.name, call, ofTills]),
]

describe.each(cases)('while %s waits for the account', (_name, { prepare, success }, of) => {
  test.each(of)('$name', async ({ hasWebhook, disturb, isRefused, isFound }) => {
    await open(hasWebhook)
    // The first change reads the holder, and the second one remembers the definition.
    for (const _ of [1, 2]) await (await nextChange()).send()
    const [undisturbed, waiting, late] = [
      await nextChange(),
      await nextChange(),
      await nextChange(),
    ]
    const old = await undisturbed.outcomeOf(undisturbed.send)
    expect(old).toMatchObject({ status: 200, code: expect.stringMatching(success) })
    expect(desk.counted.pop() === true).toBe(takesOneRoundTrip)

    const outcome = await waiting.outcomeOf(async () => {
      const account = 'point_account where company_id = $1 and member_id = $2'
      const waiters = await waitersOf(holder, other)
      await holder.query('begin')
      await holder.query(`select from ${account} for update`, [desk.shop.id, waiting.member.id])
      desk.counted.length = 0
      const sending = waiting.send()
      expect(await waitUntil(async () => (await waiters()) === 1)).toBe(true)
      await disturb()
      await holder.query('commit')
      return sending
    })
    const isAtOnce = desk.counted[0] === true

    const next = await late.outcomeOf(late.send)
    expect(next).not.toEqual(old)
    expect(next.status).toBe(isRefused ? 401 : 200)
    if (isRefused) expect(next.change.rows).toEqual(next.change.before)
    if (takesOneRoundTrip) expect(outcome).toEqual(isAtOnce && !isFound ? old : next)
    else expect([old, next]).toContainEqual(outcome)
    expect((await late.send({ app: elsewhere })).statusCode).toBe(next.status)
  })

  async function nextChange() {
    const member = await memberWith(desk.shop, 5000)
    // The first points to be spent end today.
    await givePoints(desk.shop, member, 450, await todayOf(desk.shop))
    // The process then knows the member.
    await desk.send(issueCoupon, randomUUID(), await inputOf(changes.issue, desk, member))
    const [key, sendAs] = [randomUUID(), await prepare(desk, member)]
    const send = (at?: Pick<Desk['shop'], 'app'>) => sendAs(key, at)
    /** The answer to a change, and the rows afterwards. */
    async function outcomeOf(work: () => Promise<Answer>) {
      const before = await desk.stateOf(member, key)
      const { statusCode: status, body } = await work()
      const code = /"(code|created|unchanged)":(\d+|"\w+")/.exec(body)?.[0]
      return { status, code, change: changeOf(before, await desk.stateOf(member, key)) }
    }
    return { member, send, outcomeOf }
  }
})
