import { randomUUID } from 'node:crypto'
import { integrationBase } from '@tillside/contract/integration/endpoint'
import { testCoupon } from '@tillside/server/testing/factories/coupon'
import { testKey } from '@tillside/server/testing/factories/key'
import { testMember } from '@tillside/server/testing/factories/member'
import { receipt } from '@tillside/server/testing/factories/receipt'
import { type Shop, testShop } from '@tillside/server/testing/factories/shop'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTillside, ok, pages, TillsideProblem } from './tillside.ts'

let s: Shop
let baseUrl: string
let key: string
beforeAll(async () => {
  s = await testShop()
  baseUrl = `${await s.app.listen({ port: 0 })}${integrationBase}`
  key = (await testKey(s, { stores: ['S1'] })).key
})
afterAll(() => s.close())

async function redeemable() {
  const member = await testMember(s)
  const couponCode = await testCoupon(s, member)
  const params = { path: { couponCode }, header: { 'idempotency-key': randomUUID() } }
  return { member, call: { params, body: { memberCode: member.memberCode } } }
}

describe('a call', () => {
  it('whose answer is lost is repeated and has one effect', async () => {
    const { call } = await redeemable()
    let sent = 0
    const tillside = createTillside({
      baseUrl,
      key,
      fetch: async (request) => {
        const response = await fetch(request)
        sent += 1
        if (sent === 1) throw new TypeError('the connection was cut')
        return response
      },
    })
    const coupon = await ok(tillside.POST('/coupons/{couponCode}/redeem', call))
    expect([coupon.status, sent]).toEqual(['USED', 2])
    expect(await s.violations()).toEqual([])
  })

  it('is not repeated more often than asked for, nor after a final refusal', async () => {
    const { call } = await redeemable()
    let sent = 0
    const cut = async () => {
      sent += 1
      throw new TypeError('no network')
    }
    const away = createTillside({ baseUrl, key, retries: 1, fetch: cut })
    await expect(away.POST('/coupons/{couponCode}/redeem', call)).rejects.toThrow('no network')
    expect(sent).toBe(2)

    const counted: string[] = []
    const tillside = createTillside({
      baseUrl,
      key,
      fetch: async (request) => {
        counted.push(request.url)
        return fetch(request)
      },
    })
    await ok(tillside.POST('/coupons/{couponCode}/redeem', call))
    const again = { ...call, params: { ...call.params, header: { 'idempotency-key': 'other' } } }
    const refused = ok(tillside.POST('/coupons/{couponCode}/redeem', again))
    await expect(refused).rejects.toMatchObject({
      name: 'TillsideProblem',
      status: 409,
      code: 'couponUsed',
      requestId: expect.any(String),
    })
    expect(counted).toHaveLength(2)
  })

  it('names invalid fields, in the language that was asked for', async () => {
    const tillside = createTillside({ baseUrl, key, language: 'zh-HK' })
    const wrong = ok(tillside.POST('/members/find', { body: {} }))
    const problem = await wrong.catch((error: unknown) => error)
    if (!(problem instanceof TillsideProblem)) throw new Error('no problem')
    expect([problem.code, problem.message]).toEqual(['invalid', '驗證失敗'])
    expect(problem.errors).toMatchObject([{ path: '', code: 'exactlyOne' }])
  })
})

it('pages reads a list to its end', async () => {
  const member = await testMember(s)
  for (let n = 0; n < 5; n++) await s.send(member.id, receipt([['A', '1.00', 1]]))
  const tillside = createTillside({ baseUrl, key })
  const numbers = new Set<string>()
  const read = (after?: string) => {
    const query = { limit: 2, ...(after === undefined ? {} : { after }) }
    const params = { path: { memberCode: member.memberCode }, query }
    return ok(tillside.GET('/members/{memberCode}/transactions', { params }))
  }
  for await (const { invoiceNumber } of pages(read)) numbers.add(invoiceNumber)
  expect(numbers.size).toBe(5)
})
