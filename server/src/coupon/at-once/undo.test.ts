import { randomUUID } from 'node:crypto'
import { cancelCouponRedeem, couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { basePath } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import * as pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../../database/database.ts'
import { contentsOf } from '../../testing/contents.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { testCoupon } from '../../testing/factories/coupon.ts'
import { noAllowances } from '../../testing/factories/definition.ts'
import { testMember } from '../../testing/factories/member.ts'

// An undo in one round trip has the same answer and rows as an undo in several.

let company: TestCompany
let owner: pg.Client
let token: string
let member: { id: string; memberCode: string }
const counted: [string, boolean][] = []

beforeAll(async () => {
  const allowances = { ...noAllowances, undone: { warn: 90, refuse: 95 } }
  const database = openDatabase(inject('databaseUrl'))
  company = await testCompany({ undoMinutes: 20, allowances }, database, (path, isAnswered) => {
    if (path === cancelCouponRedeem.path) counted.push([path, isAnswered])
  })
  owner = new pg.Client({ connectionString: inject('ownerUrl') })
  await owner.connect()
  await owner.query(`select set_config('app.company_id', $1, false)`, [company.id])
  member = await testMember(company)
})
afterAll(async () => {
  await owner.end()
  await company.close()
})
beforeEach(async () => {
  token = await logIn(company)
  await redeemed()
  counted.length = 0
})

/** A coupon that was redeemed at this store a moment ago. */
async function redeemed(): Promise<string> {
  const couponCode = await testCoupon(company, member)
  await ok(company, redeemCoupon, { couponCode, memberCode: member.memberCode }, { token })
  return couponCode
}
type Options = { key?: string; language?: string; token?: string }
const undo = (couponCode: string, options: Options = {}) => {
  const input = { couponCode, memberCode: member.memberCode, reason: 'wrong % one' }
  return call(company, cancelCouponRedeem, input, { token, ...options })
}
const answers = () => counted.map(([, isAnswered]) => isAnswered)

/** The rows of an undo, without the values that differ between two of them. */
async function stored(code: string): Promise<unknown> {
  const { rows } = await owner.query(
    `select r.store_code, r.staff_id, r.cancelled_reason, r.cancelled_at = o.created_at as now,
       c.used, a.action, a.store_code as place, a.staff_id as clerk,
       a.member_id = c.member_id as same, a.details - 'couponCode' as details,
       a.request_id is null as nameless, o.endpoint, o.staff_id as holder,
       replace(o.answer::text, coupon_code, 'CODE')::jsonb as answer
     from coupon c join coupon_redemption r using (company_id, coupon_code)
       join audit a on a.company_id = c.company_id and a.details ->> 'couponCode' = coupon_code
         and a.action = 'coupon.cancelRedeem'
       join operation o on o.answer #>> '{data,code}' = coupon_code
         and o.endpoint = '${cancelCouponRedeem.path}'
     where coupon_code = $1`,
    [code],
  )
  expect(rows).toHaveLength(1)
  return rows[0]
}

describe('an undo in one round trip', () => {
  test('answers the coupon as it is read afterwards', async () => {
    for (const language of ['en-US', 'zh-HK', 'zh-CN']) {
      const couponCode = await redeemed()
      const answer = await undo(couponCode, { language })
      const input = { couponCode }
      const { member: _, ...read } = await ok(company, couponCodeDetail, input, { token, language })
      expect(answer).toMatchObject({ code: 0 })
      expect(JSON.stringify(answer.data)).toBe(JSON.stringify(read))
    }
    expect(answers()).toEqual([true, true, true])
  })

  test('leaves the same rows as one of several: redemption, key and audit row', async () => {
    const [first, second] = [await redeemed(), await redeemed()]
    await undo(first)
    await undo(second, { token: await logIn(company) })
    expect(answers()).toEqual([true, false])
    expect(await stored(first)).toEqual(await stored(second))
  })

  test('answers a repeat byte for byte, and undoes once', async () => {
    const [key, couponCode] = [randomUUID(), await redeemed()]
    const texts: string[] = []
    for (const language of ['zh-HK', 'zh-HK', 'en-US']) {
      const { body } = await company.app.inject({
        method: 'POST',
        url: basePath + cancelCouponRedeem.path,
        headers: {
          authorization: `Bearer ${token}`,
          'user-language': language,
          'idempotency-key': key,
        },
        payload: { couponCode, memberCode: member.memberCode, reason: 'x' },
      })
      texts.push(body)
    }
    expect(texts[0]).toContain('"code":0')
    expect(new Set(texts).size).toBe(1)
    expect((await undo(couponCode)).code).toBe(failures.notCancellable.code)
    expect((await undo(await redeemed(), { key })).code).toBe(failures.keyReused.code)
  })

  test('races a second undo: one succeeds', async () => {
    const couponCode = await redeemed()
    const both = await Promise.all([undo(couponCode), undo(couponCode)])
    expect(both.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([
      0,
      failures.notCancellable.code,
    ])
    expect(answers().filter((isAnswered) => isAnswered)).toHaveLength(1)
  })
})

describe('an undo that the function does not handle', () => {
  test('is refused the long way and changes nothing', async () => {
    const couponCode = await redeemed()
    const own = [company.id, couponCode]
    const where = 'where company_id = $1 and coupon_code = $2'
    const before = await contentsOf(company, ['operation', 'coupon_redemption'])
    for (const sql of [
      `update coupon_redemption set redeemed_at = now() - interval '21 minutes' ${where}`,
      `update coupon_redemption set redeemed_at = now(), store_code = 'S2' ${where}`,
    ]) {
      await owner.query(sql, own)
      expect((await undo(couponCode)).code).toBe(failures.notCancellable.code)
    }
    expect(answers()).toEqual([false, false])
    expect(await contentsOf(company, ['operation', 'coupon_redemption'])).toEqual(before)
  })

  test('is one of a coupon that can no longer be redeemed here', async () => {
    const couponCode = await redeemed()
    const where = `where company_id = $1 and coupon_id = 'TREAT'`
    await owner.query(`update coupon_definition set redeem_stores = '{S2}' ${where}`, [company.id])
    try {
      expect(await undo(couponCode)).toMatchObject({
        code: 0,
        data: { redeemable: false, notRedeemableReason: 'couponOtherStore' },
      })
      expect(answers()).toEqual([false])
    } finally {
      await owner.query(`update coupon_definition set redeem_stores = null ${where}`, [company.id])
    }
  })

  test('is one at the limit of the clerk, which alerts the company', async () => {
    const couponCode = await redeemed()
    await owner.query(
      `update given_today set used = 89 where company_id = $1 and kind = 'undone'`,
      [company.id],
    )
    expect(await undo(couponCode)).toMatchObject({ data: { allowance: { used: 90, limit: 95 } } })
    expect(answers()).toEqual([false])
  })
})
