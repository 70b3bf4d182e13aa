import { randomUUID } from 'node:crypto'
import { login } from '@tillside/contract/auth'
import { issueCoupon, redeemCoupon } from '@tillside/contract/coupon'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers, watchAtOnce } from '../testing/servers/two.ts'

// One clerk, logged in at two processes on one database.
let company: TestCompany
let sessions: { address: string; token: string }[]
let atOnce: Awaited<ReturnType<typeof watchAtOnce>>

beforeAll(async () => {
  company = await testCompany({
    allowances: {
      couponsRedeemed: { warn: 10, refuse: 20 },
      couponsIssued: { warn: 10, refuse: 27 },
    },
  })
  const addresses = await twoServers()
  sessions = await Promise.all(
    addresses.map(async (address) => {
      const input = { identifier: company.identifier, account: 'amy', password }
      const { data } = await post(address, login, input)
      return { address, token: z.object({ token: z.string() }).parse(data).token }
    }),
  )
  // Each process knows the session and the definition after it has issued a coupon.
  const { memberCode } = await testMember(company)
  for (const n of [0, 1]) {
    expect((await ask(n, issueCoupon, { memberCode, couponId: 'TREAT', quantity: 1 })).code).toBe(0)
  }
  atOnce = await watchAtOnce()
})
afterAll(async () => {
  await company.close()
})

function ask(n: number, endpoint: typeof issueCoupon | typeof redeemCoupon, input: object) {
  const { address, token } = sessions[n % 2] ?? { address: '', token: '' }
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID() }
  return post(address, endpoint, input, headers)
}

/** Sends the requests to both processes at once. @returns how many got each code */
async function tally(inputs: object[], endpoint: typeof issueCoupon | typeof redeemCoupon) {
  const answers = await Promise.all(inputs.map((input, n) => ask(n, endpoint, input)))
  const counts: Record<number, number> = {}
  for (const { code } of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

test('of 46 coupons of 46 members, exactly as many are redeemed as the limit allows', async () => {
  const inputs = await Promise.all(
    Array.from({ length: 46 }, async () => {
      const member = await testMember(company)
      return { couponCode: await testCoupon(company, member), memberCode: member.memberCode }
    }),
  )
  expect(await tally(inputs, redeemCoupon)).toEqual({ 0: 20, 117001: 26 })
})

test('of sixty requests for two coupons each, exactly as many are filled as fit', async () => {
  const { memberCode } = await testMember(company)
  const input = { memberCode, couponId: 'TREAT', quantity: 2 }
  const inputs = Array.from({ length: 60 }, () => input)
  expect(await tally(inputs, issueCoupon)).toEqual({ 0: 12, 117001: 48 })
})

test('of these, some were answered in one round trip', async () => {
  const { answered, wanted } = await atOnce([redeemCoupon, issueCoupon])
  expect(answered).toEqual(wanted)
})
