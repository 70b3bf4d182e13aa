import { createCustomer, updateCustomer } from '@tillside/contract/member'
import { getCustomerCoupons } from '@tillside/contract/coupon'
import { postMembers } from '@tillside/contract/integration/members'
import { postPoints } from '@tillside/contract/integration/points'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { pointHistory } from '@tillside/contract/points'
import { listTransactions } from '@tillside/contract/transaction'
import { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { memberIn, newForm } from '../testing/factories/registration.ts'
import { sendItems, testKey, itemResult } from '../testing/factories/key.ts'
import { newTestMember, testMember } from '../testing/factories/member.ts'
import { givePoints } from '../testing/factories/points.ts'
import { receipt, testSale } from '../testing/factories/receipt.ts'
import { testMobile } from '../testing/verification.ts'

// Two companies may use the same contact, key or number. It is free for one company although the
// other uses it; a refusal would reveal the other's data. A cursor works only in its own company.
let company: TestCompany
let other: TestCompany
let token: string
let key: string
let theirKey: string
beforeAll(async () => {
  const editable = ['mobile', 'email']
  company = await testCompany({ profileFields: { shown: editable, editable } })
  other = await testCompany()
  token = await logIn(company)
  key = (await testKey(company)).key
  theirKey = (await testKey(other)).key
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const contact = () => ({ ...testMobile(), email: `${crypto.randomUUID()}@example.com` })

describe('a contact of another company’s member', () => {
  test('is free for a new member', async () => {
    const theirs = contact()
    await testMember(other, theirs)
    const before = await contentsOf(other)
    const answer = await call(company, createCustomer, newForm(theirs), { token })
    expect(memberIn(answer)).toMatchObject(theirs)
    expect(await contentsOf(other)).toEqual(before)
  })

  test('is free for a member who changes', async () => {
    const theirs = contact()
    await testMember(other, theirs)
    const { memberCode } = await testMember(company)
    const answer = await call(
      company,
      updateCustomer,
      { memberCode, version: 1, changes: theirs },
      { token },
    )
    expect(memberIn(answer)).toMatchObject(theirs)
  })

  test('is sent a code', async () => {
    const { email, ...number } = contact()
    await testMember(other, { email, ...number })
    expect((await call(company, sendMobileCaptcha, number, { token })).code).toBe(0)
    expect((await call(company, sendEmailCaptcha, { email }, { token })).code).toBe(0)
  })
})

describe('a number that another company’s till has sent', () => {
  test('is free for our members', async () => {
    const { memberCode, uniCustomerNo, cardNumber, firstName } = newTestMember()
    const item = { memberCode, uniCustomerNo, cardNumber, firstName, ...contact() }
    for (const [at, by] of [
      [other, theirKey],
      [company, key],
    ] as const) {
      expect((await sendItems(at, postMembers, [item], by)).items.map(itemResult)).toEqual([
        'created',
      ])
    }
  })

  test('is free for our receipts and points', async () => {
    const sale = receipt([['TEA', '1.00', 1]])
    const points = { operationId: 'SAME', type: 'adjustmentUp', points: 1, reason: 'why' }
    for (const [at, by] of [
      [other, theirKey],
      [company, key],
    ] as const) {
      const { memberCode } = await testMember(at)
      const told = await sendItems(at, postTransactions, [{ ...sale, memberCode }], by)
      expect(told.items.map(itemResult)).toEqual(['created'])
      const moved = await sendItems(at, postPoints, [{ ...points, memberCode }], by)
      expect(moved.items.map(itemResult)).toEqual(['created'])
    }
  })
})

describe('a cursor of another company’s list', () => {
  const lists = [getCustomerCoupons, listTransactions, pointHistory] as const

  test.each(lists.map((endpoint) => [endpoint.path, endpoint] as const))(
    'shows nothing of theirs: %s',
    async (_path, endpoint) => {
      const [mine, theirs] = [await full(company), await full(other)]
      const their = { token: await logIn(other) }
      const { nextCursor: cursor } = await ok(other, endpoint, theirs, their)
      expect(cursor).not.toBeNull()
      const everything = await ok(company, endpoint, { ...mine, pageSize: 100 }, { token })
      const shown = await ok(company, endpoint, { ...mine, pageSize: 100, cursor }, { token })
      const own = new Set(everything.items.map((item) => JSON.stringify(item)))
      expect(shown.items.filter((item) => !own.has(JSON.stringify(item)))).toEqual([])
    },
  )
})

/** A member with three rows in every list. */
async function full(at: TestCompany) {
  const member = await testMember(at)
  for (let n = 0; n < 3; n++) {
    await givePoints(at, member, 10)
    await testCoupon(at, member)
    await testSale(at, member)
  }
  return { memberCode: member.memberCode, pageSize: 1 }
}
