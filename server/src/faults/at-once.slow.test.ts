import { randomUUID } from 'node:crypto'
import { redeemCoupon } from '@tillside/contract/coupon'
import { basePath } from '@tillside/contract/wire/endpoint'
import { operationStatus } from '@tillside/contract/wire/operation'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../database/database.ts'
import { takesOneRoundTrip } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { testShop } from '../testing/factories/shop.ts'
import { memberWith } from '../testing/factories/spending.ts'
import { atLevel } from '../testing/repetition.ts'
import { callAt, startServer } from '../testing/servers/process.ts'
import { calls } from './changes/calls.ts'
import { changeOf, Desk } from './changes/desk.ts'
import { answeredAtOnce, openDoor } from './doors.ts'
import { type Direction, Knife } from './knife.ts'

// The connection or a process ends at each moment of a change that is one burst of statements. A
// repeat with the same key then finds either everything or nothing.

const places = atLevel({ short: 6, full: 40, long: 400 }, 'CUTS')
// A busy machine needs a quarter of a second for a position.
const timeout = 60_000 + places * 1_000

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
})
afterAll(() => owner.end())

const count = async (sql: string, ...values: unknown[]): Promise<number> => {
  const { rows } = await owner.query(`select count(*)::int as n from ${sql}`, values)
  return z.object({ n: z.int() }).parse(rows[0]).n
}

/** Ends the connections of the program, whose role may do so, that a query of the owner finds. */
async function terminate(sql: string): Promise<void> {
  const { rows } = await owner.query(sql)
  const program = new pg.Client({ connectionString: inject('databaseUrl') })
  await program.connect()
  for (const row of rows) {
    const { pid } = z.object({ pid: z.int() }).parse(row)
    await program.query('select pg_terminate_backend($1)', [pid])
  }
  await program.end()
}

const desks = [
  { place: 'in a company without a webhook', hasWebhook: false, positions: places },
  { place: 'in a company with a webhook', hasWebhook: true, positions: Math.ceil(places / 2) },
]

describe.each(desks)('a burst $place, cut at $positions places', ({ hasWebhook, positions }) => {
  let knife: Knife
  let desk: Desk
  beforeAll(async () => {
    const url = new URL(inject('databaseUrl'))
    knife = new Knife(Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(await knife.open())
    // One connection, so that the next request is the one that is cut.
    desk = await Desk.of(openDatabase(url.href, 1), hasWebhook)
  })
  afterAll(async () => {
    expect(await desk.shop.violations()).toEqual([])
    await desk.shop.close()
    await knife.close()
  })

  describe.each(calls)('of $name', ({ prepare, success, repeated }) => {
    let whole: Awaited<ReturnType<typeof wholeChange>>
    beforeAll(async () => {
      whole = await wholeChange()
    })

    test.each<Direction>(['request', 'answer'])(
      'in the %s changes all or nothing',
      { timeout },
      async (way) => {
        let isCut = 0
        const { [way]: length, expected } = whole
        for (let n = 0; n <= positions; n++) {
          const { send, state } = await nextChange()
          const before = await state()
          knife.cutAfter(Math.floor((n * (length - 1)) / positions), way)
          const first = await send()
          knife.spare()
          if (first.statusCode !== 200) isCut++
          const isUnchanged = first.body.includes('"unchanged":true')
          if (isUnchanged) expect(await state()).toEqual(before)
          const again = await send()
          expect(again.statusCode).toBe(200)
          expect(again.body).toMatch(success)
          if (first.statusCode === 200) expect(again).toMatchObject(repeated(first))
          expect(await send()).toMatchObject(repeated(again))
          expect(changeOf(before, await state())).toEqual(expected)
        }
        expect(isCut).toBeGreaterThan(positions / 2)
      },
    )

    /** A change of a member whom the process knows; the connection has prepared its statements. */
    async function nextChange() {
      const member = await memberWith(desk.shop, 5000)
      await (
        await prepare(desk, member)
      )(randomUUID())
      const [send, key] = [await prepare(desk, member), randomUUID()]
      return { send: () => send(key), state: () => desk.stateOf(member, key) }
    }

    /** The bytes of a change in one round trip, and the rows afterwards. */
    async function wholeChange() {
      // The first change reads the session, and the second one remembers the definition.
      for (const _ of [1, 2]) await nextChange()
      const { send, state } = await nextChange()
      const before = await state()
      desk.counted.length = 0
      const bytes = await knife.measure(send)
      expect(desk.counted.includes(true)).toBe(takesOneRoundTrip)
      const expected = changeOf(before, await state())
      expect(expected.rows).not.toEqual(before.rows)
      const events = [before.rows, expected.rows].map((rows) => rows['event']?.length ?? 0)
      expect((events[1] ?? 0) > (events[0] ?? 0)).toBe(hasWebhook)
      return { ...bytes, expected }
    }
  })
})

describe('between the function and its commit', () => {
  test.each(['the server', 'the connection of PostgreSQL'])(
    'a kill of %s changes all or nothing',
    async (victim) => {
      const shop = await testShop()
      await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
      const environment = { DATABASE_URL: inject('ownerUrl'), LOG_LEVEL: 'silent' }
      const servers = [1, 2].map(() => startServer({ ...environment, METRICS_PORT: '0' }))
      const [one, two] = await Promise.all(servers.map((server) => openDoor(server, shop)))
      if (one === undefined || two === undefined) throw new Error('no servers')
      const { id, memberCode } = await testMember(shop)
      const send = async (door: typeof one, key: string, couponCode: string) => {
        const response = await fetch(door.address + basePath + redeemCoupon.path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${door.token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ couponCode, memberCode }),
        })
        return response.text()
      }
      try {
        for (const _ of [1, 2]) await send(one, randomUUID(), await testCoupon(shop, { id }))
        expect(await answeredAtOnce(one, redeemCoupon)).toBe(takesOneRoundTrip ? 1 : 0)
        const [key, couponCode] = [randomUUID(), await testCoupon(shop, { id })]
        // The function waits for the coupon: it has claimed its key, and its commit is sent.
        await owner.query('begin')
        await owner.query('select from coupon where coupon_code = $1 for update', [couponCode])
        const lost = send(one, key, couponCode).catch(() => '')
        const waiting = 'pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))'
        await expect.poll(() => count(waiting)).toBe(1)
        const status = await callAt(two.address, operationStatus, { key }, two.token)
        expect(status.data).toMatchObject({ state: 'running' })
        if (victim === 'the server') one.server.process.kill('SIGKILL')
        else await terminate(`select pid from ${waiting}`)
        await (victim === 'the server' ? one.server.ended : lost)
        await owner.query('commit')

        const again = await send(two, key, couponCode)
        expect(again).toContain('"code":0')
        expect(await send(two, key, couponCode)).toBe(again)
        expect(await count('coupon_redemption where coupon_code = $1', couponCode)).toBe(1)
        const audit = `audit where action = 'coupon.redeem' and details ->> 'couponCode' = $1`
        expect(await count(audit, couponCode)).toBe(1)
      } finally {
        await owner.query('rollback')
        for (const { process } of servers) process.kill()
        await Promise.all(servers.map(({ ended }) => ended))
        await shop.close()
      }
    },
  )
})
