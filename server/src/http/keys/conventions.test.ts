import { randomUUID } from 'node:crypto'
import { readCoupons, redeemOneCoupon } from '@tillside/contract/integration/coupons'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { listMembers, readMember, updateMember } from '@tillside/contract/integration/members'
import { readPointHistory } from '@tillside/contract/integration/points'
import { readTransactions } from '@tillside/contract/integration/transactions'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import * as pg from 'pg'
import * as z from 'zod/mini'
import { createApp } from '../../app.ts'
import { waitersOf } from '../../testing/cluster/lane.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { shortcuts } from '../../testing/factories/company.ts'
import { callWithKey, type KeyAnswer, testKey } from '../../testing/factories/key.ts'
import { testMember } from '../../testing/factories/member.ts'

import { receipt } from '../../testing/factories/receipt.ts'
import { type Shop, testShop } from '../../testing/factories/shop.ts'

let s: Shop
let owner: pg.Client
let key: string
beforeAll(async () => {
  s = await testShop()
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [s.id])
  key = (await testKey(s)).key
})
afterAll(async () => {
  await owner.end()
  await s.close()
})

async function redeemWith(operation: string | null, input: object): Promise<KeyAnswer> {
  const headers = operation === null ? {} : { 'idempotency-key': operation }
  return callWithKey(s, redeemOneCoupon, input, key, headers)
}

describe('Idempotency-Key', () => {
  it('repeats the answer byte for byte, and has no second effect', async () => {
    const member = await testMember(s)
    const couponCode = await testCoupon(s, member)
    const input = { couponCode, memberCode: member.memberCode }
    const first = await redeemWith('"till 7"'.replace(' ', '-'), input)
    expect(first).toMatchObject({ status: 200, code: 0 })
    const again = await redeemWith('"till-7"', input)
    expect([again.status, again.text]).toEqual([200, first.text])
    // Another key is another action.
    expect(await redeemWith(null, input)).toMatchObject({ status: 409, code: 'couponUsed' })
  })

  it('repeats a refusal that is final', async () => {
    const member = await testMember(s)
    const input = { couponCode: 'NONE', memberCode: member.memberCode }
    const operation = randomUUID()
    const first = await redeemWith(operation, input)
    expect(first).toMatchObject({ status: 404, code: 'couponUnknown' })
    expect((await redeemWith(operation, input)).problem).toEqual({
      ...first.problem,
      requestId: expect.not.stringMatching(String(first.problem?.requestId)),
    })
  })

  it('with another body is refused', async () => {
    const member = await testMember(s)
    const [one, two] = [await testCoupon(s, member), await testCoupon(s, member)]
    const { memberCode } = member
    await redeemWith('once', { couponCode: one, memberCode })
    const other = await redeemWith('once', { couponCode: two, memberCode })
    expect(other).toMatchObject({ status: 422, code: 'keyReused' })
  })

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('is refused as %j', async (operation) => {
    const answer = await redeemWith(operation, { couponCode: 'X', memberCode: 'M1' })
    expect(answer).toMatchObject({ status: 400, code: 'keyRequired' })
  })

  it('is refused at once while the first request runs', async () => {
    const member = await testMember(s)
    const couponCode = await testCoupon(s, member)
    const input = { couponCode, memberCode: member.memberCode }
    await owner.query('begin')
    await owner.query(
      'select from coupon where company_id = $1 and member_id = $2 and coupon_code = $3 for update',
      [s.id, member.id, couponCode],
    )
    const first = redeemWith('slow', input)
    await expect.poll(await waitersOf(owner)).toBe(1)
    const second = await redeemWith('slow', input)
    expect(second).toMatchObject({ status: 409, code: 'keyRunning' })
    expect(second.headers['retry-after']).toBe('1')
    await owner.query('commit')
    expect(await first).toMatchObject({ status: 200 })
    expect((await redeemWith('slow', input)).text).toBe((await first).text)
  })
})

/** The result of a list of coupons with a key for these stores. */
async function askIn(stores: string[] | null, store: string) {
  const { key: own } = await testKey(s, { stores })
  const { memberCode } = await testMember(s)
  const headers = { 'tillside-store': store }
  return (await callWithKey(s, readCoupons, { memberCode }, own, headers)).code
}

describe('Tillside-Store', () => {
  it('is needed by a key of several stores and no other', async () => {
    expect(await askIn(null, 'S1')).toBe(0)
    expect(await askIn(['S1', 'S2'], 'S2')).toBe(0)
    const { key: till } = await testKey(s, { stores: ['S1'] })
    const { memberCode } = await testMember(s)
    const url = `${integrationBase}/members/${memberCode}/coupons`
    const without = (k: string) => s.app.inject({ url, headers: { authorization: `Bearer ${k}` } })
    expect((await without(till)).statusCode).toBe(200)
    expect((await without(key)).json()).toMatchObject({ status: 400, code: 'storeRequired' })
  })
  it('is one of the company and of the key', async () => {
    expect(await askIn(null, 'NONE')).toBe('storeUnknown')
    expect(await askIn(['S1'], 'S2')).toBe('storeNotAllowed')
  })
})

describe('a page', () => {
  it('leads to the next one, for the same key and list only', async () => {
    const member = await testMember(s)
    const { memberCode } = member
    for (let n = 0; n < 5; n++) await s.send(member.id, receipt([['A', '1.00', 1]]))
    const seen: unknown[] = []
    let after: string | null | undefined
    const Page = z.object({ items: z.array(z.unknown()), next: z.nullable(z.string()) })
    let cursor = ''
    do {
      const input = { memberCode, limit: 2, ...(after === undefined ? {} : { after }) }
      const page = Page.parse((await callWithKey(s, readTransactions, input, key)).data)
      seen.push(...page.items)
      after = page.next
      cursor = page.next ?? cursor
    } while (after !== null)
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(5)

    const { key: another } = await testKey(s)
    const { memberCode: elsewhere } = await testMember(s)
    const refused = { status: 422, problem: { errors: [{ path: 'after', code: 'format' }] } }
    const tries = [
      callWithKey(s, readTransactions, { memberCode, after: cursor }, another),
      callWithKey(s, readTransactions, { memberCode: elsewhere, after: cursor }, key),
      callWithKey(s, readPointHistory, { memberCode, after: cursor }, key),
      callWithKey(s, listMembers, { after: cursor }, key),
      callWithKey(s, readTransactions, { memberCode, after: 'x' }, key),
    ]
    for (const answer of await Promise.all(tries)) expect(answer).toMatchObject(refused)
    for (const limit of [0, 101, 'x']) {
      const answer = await callWithKey(s, readTransactions, { memberCode, limit }, key)
      expect(answer.problem?.errors).toMatchObject([{ path: 'limit' }])
    }
    // The counter's names are unknown here.
    const counters = await callWithKey(s, readTransactions, { memberCode, pageSize: 2 }, key)
    expect(counters.problem?.errors).toMatchObject([{ path: 'pageSize', code: 'unknownField' }])
  })
})

describe('ETag', () => {
  it('spares an unchanged answer and guards a change', async () => {
    const { memberCode } = await testMember(s)
    const first = await callWithKey(s, readMember, { memberCode }, key)
    const etag = String(first.headers['etag'])
    const unchanged = await callWithKey(s, readMember, { memberCode }, key, {
      'if-none-match': etag,
    })
    expect([unchanged.status, unchanged.text]).toEqual([304, ''])
    const rename = (firstName: string, headers: Record<string, string>) =>
      callWithKey(s, updateMember, { memberCode, firstName }, key, headers)
    expect(await rename('Wong', { 'if-match': etag })).toMatchObject({ status: 200 })
    expect(await rename('Lam', { 'if-match': etag })).toMatchObject({
      status: 412,
      code: 'memberChanged',
    })
    const neither = await rename('Lam', {})
    expect(neither.problem?.errors).toMatchObject([{ path: 'version', code: 'required' }])
    const changed = await callWithKey(s, readMember, { memberCode }, key, {
      'if-none-match': etag,
    })
    expect(changed).toMatchObject({ status: 200, data: { member: { firstName: 'Wong' } } })
  })
})

describe('the rate of a key', () => {
  it('is limited for itself, and each answer says how much is left', async () => {
    const app = await createApp(s.database, pino({ level: 'silent' }), {
      ...shortcuts,
      requestsPerMinute: 3,
    })
    const [{ key: one }, { key: two }] = [await testKey(s), await testKey(s)]
    const ask = (k: string) => callWithKey({ app }, readMember, { memberCode: 'NONE' }, k)
    for (const left of [2, 1, 0]) {
      const { status, headers } = await ask(one)
      expect([status, headers['ratelimit-policy']]).toEqual([404, '"key";q=3;w=60'])
      expect(headers['ratelimit']).toMatch(new RegExp(`^"key";r=${left};t=\\d+$`))
    }
    const refused = await ask(one)
    expect(refused).toMatchObject({ status: 429, code: 'tooManyRequests' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask(two)).status).toBe(404)
    // An unknown key is not counted.
    expect((await ask(`tillside_${'A'.repeat(64)}`)).headers['ratelimit']).toBeUndefined()
    await app.close()
  })
})
