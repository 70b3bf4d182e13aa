import { randomUUID } from 'node:crypto'
import { redeemCoupon } from '@tillside/contract/coupon'
import { operationStatus } from '@tillside/contract/wire/operation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'

let company: TestCompany
let token: string
let member: { id: string; memberCode: string }
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  member = await testMember(company)
})
afterAll(() => company.close())

const status = (key: string, by = token) => ok(company, operationStatus, { key }, { token: by })
const redeem = (couponCode: string, key: string, language = 'en-US') =>
  call(
    company,
    redeemCoupon,
    { couponCode, memberCode: member.memberCode },
    { token, key, language },
  )
const envelopeOf = ({ code, message, data }: Awaited<ReturnType<typeof call>>) => ({
  code,
  message,
  data,
})
const unknown = { state: 'unknown', answer: null }

describe('the status of a request', () => {
  test('that was never received is unknown, and asking changes nothing', async () => {
    const before = await contentsOf(company)
    const key = randomUUID()
    expect(await status(key)).toEqual(unknown)
    expect(await status(key)).toEqual(unknown)
    expect(await contentsOf(company)).toEqual(before)
    // Asking for the status does not use up the key.
    expect((await redeem(await testCoupon(company, member), key)).code).toBe(0)
  })

  test('that succeeded is the same envelope in the same language', async () => {
    const key = randomUUID()
    const answer = await redeem(await testCoupon(company, member), key, 'zh-HK')
    expect(answer.code).toBe(0)
    expect(await status(key)).toEqual({ state: 'done', answer: envelopeOf(answer) })
    expect(await status(key.toUpperCase())).toMatchObject({ state: 'done' })
  })

  test('that was refused is the refusal', async () => {
    const key = randomUUID()
    const answer = await redeem(await testCoupon(company, member, 30), key)
    expect(answer.code).toBe(113003)
    expect(await status(key)).toEqual({ state: 'done', answer: envelopeOf(answer) })
  })

  test('that was invalid is unknown: it may be sent again', async () => {
    const key = randomUUID()
    expect((await call(company, redeemCoupon, {}, { token, key })).code).toBe(422)
    expect(await status(key)).toEqual(unknown)
  })

  test('that still runs in any process is running', async () => {
    const couponCode = await testCoupon(company, member)
    const key = randomUUID()
    const lock = statement(
      `select coupon_code from coupon
       where company_id = $1 and member_id = $3 and coupon_code = $2 for update`,
      z.unknown(),
    )
    // A lock on the coupon makes the redemption wait while it holds its key.
    let running: ReturnType<typeof redeem> | undefined
    const seen = await company.database.transaction(company.id, async (tx) => {
      await tx.all(lock, [company.id, couponCode, member.id])
      running = redeem(couponCode, key)
      const started = Date.now()
      for (;;) {
        const now = await status(key)
        if (now.state !== 'unknown' || Date.now() - started > 8_000) return now
      }
    })
    expect(seen).toEqual({ state: 'running', answer: null })
    const answer = await running
    if (answer === undefined) throw new Error('nothing was sent')
    expect(answer.code).toBe(0)
    expect(await status(key)).toEqual({ state: 'done', answer: envelopeOf(answer) })
  })

  test('of another clerk is unknown, and so is another company’s', async () => {
    const key = randomUUID()
    await redeem(await testCoupon(company, member), key)
    expect(await status(key, await logIn(company, 'ben'))).toEqual(unknown)
    const other = await testCompany()
    const theirs = await ok(other, operationStatus, { key }, { token: await logIn(other) })
    expect(theirs).toEqual(unknown)
    await other.close()
  })

  test.each([
    ['empty', ''],
    ['no UUID', 'abc'],
    ['missing', undefined],
  ])('cannot be asked with a key that is %s', async (_case, key) => {
    const input = key === undefined ? {} : { key }
    const answer = await call(company, operationStatus, input, { token })
    expect(answer).toMatchObject({ code: 422, data: { fields: [{ path: 'key' }] } })
  })
})
