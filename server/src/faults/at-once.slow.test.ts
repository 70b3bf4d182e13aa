import { randomUUID } from 'node:crypto'
import { cancelCouponRedeem, issueCoupon, redeemCoupon } from '@tillside/contract/coupon'
import { basePath, type Endpoint } from '@tillside/contract/wire/endpoint'
import { operationStatus } from '@tillside/contract/wire/operation'
import * as pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openDatabase } from '../database/database.ts'
import { logIn } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Shop, testShop } from '../testing/factories/shop.ts'
import { atLevel } from '../testing/repetition.ts'
import { callAt, startServer } from '../testing/servers/process.ts'
import { answeredAtOnce, openDoor } from './doors.ts'
import { type Direction, Knife } from './knife.ts'

// The connection or a process ends at each moment of a change that is one burst of statements. A
// repeat with the same key then finds either everything or nothing.

const positions = atLevel({ short: 6, full: 40, long: 400 })

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

describe(`a burst that is cut at ${positions} places`, () => {
  let knife: Knife
  let shop: Shop
  let token: string
  let member: { id: string; memberCode: string }
  const counted: boolean[] = []
  beforeAll(async () => {
    const url = new URL(inject('databaseUrl'))
    knife = new Knife(Number(url.port))
    url.hostname = '127.0.0.1'
    url.port = String(await knife.open())
    // One connection, so that the next request is the one that is cut.
    shop = await testShop({}, openDatabase(url.href, 1), (_, isAnswered) =>
      counted.push(isAnswered),
    )
    await owner.query(`select set_config('app.company_id', $1, false)`, [shop.id])
    token = await logIn(shop)
    member = await testMember(shop)
  })
  afterAll(async () => {
    await shop.close()
    await knife.close()
  })

  async function send({ path }: Endpoint, key: string, payload: object) {
    const { body, statusCode } = await shop.app.inject({
      method: 'POST',
      url: basePath + path,
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
      payload,
    })
    return { body, statusCode }
  }
  const used = async (): Promise<string> => {
    const couponCode = await testCoupon(shop, member)
    await send(redeemCoupon, randomUUID(), { couponCode, memberCode: member.memberCode })
    return couponCode
  }

  const cases = [
    {
      name: 'a redemption',
      endpoint: redeemCoupon,
      prepare: async () => ({ couponCode: await testCoupon(shop, member) }),
      done: (of: object) => countOf(of, 'coupon_redemption r where r.cancelled_at is null'),
    },
    {
      name: 'an undo',
      endpoint: cancelCouponRedeem,
      prepare: async () => ({ couponCode: await used(), reason: 'cut' }),
      done: (of: object) => countOf(of, 'coupon_redemption r where r.cancelled_at is not null'),
    },
    {
      name: 'an issue',
      endpoint: issueCoupon,
      prepare: async () => ({ couponId: 'TREAT', quantity: 1 }),
      done: null,
    },
  ] as const

  async function countOf(of: object, sql: string): Promise<number> {
    const code = z.object({ couponCode: z.string() }).parse(of).couponCode
    return count(`${sql} and company_id = $1 and coupon_code = $2`, shop.id, code)
  }
  const audits = (): Promise<number> =>
    count(`audit where company_id = $1 and action like 'coupon.%'`, shop.id)
  const coupons = (): Promise<number> => count('coupon where company_id = $1', shop.id)

  describe.each(cases)('of $name', ({ endpoint, prepare, done }) => {
    test.each(['request', 'answer'] as const)('in the %s changes all or nothing', async (way) => {
      let isCut = 0
      const length = await lengthOf(way)
      for (let n = 0; n <= positions; n++) {
        // The connection is open, and its statements are prepared.
        await send(endpoint, randomUUID(), await inputOf())
        const [key, input] = [randomUUID(), await inputOf()]
        const [before, there] = [await audits(), await coupons()]
        counted.length = 0
        knife.cutAfter(Math.floor((n * (length - 1)) / positions), way)
        const first = await send(endpoint, key, input)
        knife.spare()
        if (first.statusCode !== 200) isCut++
        if (first.body.includes('"unchanged":true')) {
          expect(await audits()).toBe(before)
          expect(await coupons()).toBe(there)
        }
        const again = await send(endpoint, key, input)
        expect(again).toMatchObject({ statusCode: 200 })
        expect(again.body).toContain('"code":0')
        if (first.statusCode === 200) expect(again.body).toBe(first.body)
        expect(await send(endpoint, key, input)).toEqual(again)
        expect(await audits()).toBe(before + 1)
        expect(await coupons()).toBe(there + (done === null ? 1 : 0))
        if (done !== null) expect(await done(input)).toBe(1)
      }
      expect(isCut).toBeGreaterThan(positions / 2)
    })

    async function inputOf() {
      return { ...(await prepare()), memberCode: member.memberCode }
    }

    /** The bytes of a change in one round trip. */
    async function lengthOf(way: Direction): Promise<number> {
      // The first change reads the session, and the second one finds the member.
      for (const _ of [1, 2]) await send(endpoint, randomUUID(), await inputOf())
      const input = await inputOf()
      counted.length = 0
      const bytes = await knife.measure(() => send(endpoint, randomUUID(), input))
      expect(counted).toEqual([true])
      return bytes[way]
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
        expect(await answeredAtOnce(one, redeemCoupon)).toBe(1)
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
