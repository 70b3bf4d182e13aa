import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import { failures } from '@tillside/contract/wire/failures'
import { listTransactions } from '@tillside/contract/transaction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCompany } from '../company/find.ts'
import { addDays } from '@tillside/contract/rules/day'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import {
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { testCoupon, todayOf } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { receipt } from '../testing/factories/receipt.ts'
import { record } from '../transaction/record.ts'

type Member = { id: string; memberCode: string }
let company: TestCompany
let member: Member
let today: string
const tokens: Record<string, string> = {}

beforeAll(async () => {
  company = await testCompany()
  const passwordHash = await hashPassword(password)
  const names = { firstName: 'Eve', lastName: 'Test' }
  await company.database.transaction(company.id, (tx) =>
    addStaff(tx, company.id, {
      ...names,
      account: 'eve',
      groupCode: 'full',
      storeCode: 'S2',
      passwordHash,
    }),
  )
  for (const account of ['amy', 'ben', 'dan', 'eve'])
    tokens[account] = await logIn(company, account)
  today = await todayOf(company)
  member = await testMember(company)
})
afterAll(() => company.close())

const list = (input: object, account = 'amy') =>
  ok(
    company,
    getCustomerCoupons,
    { memberCode: member.memberCode, ...input },
    { token: tokens[account] ?? '' },
  )
const redeem = (couponCode: string, of = member, account = 'amy') =>
  call(
    company,
    redeemCoupon,
    { couponCode, memberCode: of.memberCode },
    { token: tokens[account] ?? '' },
  )

/** Every page of a list, by its cursors. */
async function pages(input: object, pageSize: number): Promise<string[][]> {
  const all: string[][] = []
  let cursor: string | null = null
  do {
    const page = await list({ ...input, pageSize, ...(cursor === null ? {} : { cursor }) })
    all.push(page.items.map((coupon) => coupon.code))
    cursor = page.nextCursor
  } while (cursor !== null)
  return all
}

describe('the coupons of a member', () => {
  test('of one who has none: nothing, and noughts', async () => {
    const nobody = await testMember(company)
    expect(await list({ memberCode: nobody.memberCode })).toEqual({
      items: [],
      nextCursor: null,
      counts: { ISSUED: 0, USED: 0, EXPIRED: 0 },
    })
  })

  test('ISSUED begin with the one that ends first; USED and EXPIRED with the latest', async () => {
    // Ends in 4, 29, 9, 0 days; 30 and 45 days ago: over since yesterday and two weeks.
    const issued = new Map<number, string>()
    for (const daysAgo of [25, 0, 20, 29, 30, 45, 1, 2, 3]) {
      issued.set(daysAgo, await testCoupon(company, member, daysAgo))
    }
    const codes = (...days: number[]) => days.map((day) => issued.get(day))
    for (const code of codes(2, 1, 3)) expect((await redeem(code ?? '')).code).toBe(0)

    const valid = await list({ status: 'ISSUED' })
    expect(valid.items.map((coupon) => coupon.code)).toEqual(codes(29, 25, 20, 0))
    expect(valid.items[0]).toMatchObject({
      status: 'ISSUED',
      startDate: addDays(today, -29),
      expiryDate: today,
      redeemDate: null,
      redeemStore: null,
      redeemable: true,
      notRedeemableReason: null,
    })
    const used = await list({ status: 'USED' })
    expect(used.items.map((coupon) => coupon.code)).toEqual(codes(3, 1, 2))
    const expired = await list({ status: 'EXPIRED' })
    expect(expired.items.map((coupon) => coupon.code)).toEqual(codes(30, 45))
    expect(expired.items[0]).toMatchObject({
      status: 'EXPIRED',
      expiryDate: addDays(today, -1),
      notRedeemableReason: 'couponExpired',
    })
    const all = await list({})
    expect(all.items.map((coupon) => coupon.code)).toEqual(codes(0, 1, 2, 3, 20, 25, 29, 30, 45))
    for (const answer of [valid, used, expired, all]) {
      expect(answer.counts).toEqual({ ISSUED: 4, USED: 3, EXPIRED: 2 })
    }
  })

  test('another member’s are not among them, and an unknown member has none to show', async () => {
    const other = await testMember(company)
    await testCoupon(company, other)
    expect((await list({ memberCode: other.memberCode })).counts.ISSUED).toBe(1)
    const answer = await call(
      company,
      getCustomerCoupons,
      { memberCode: 'NOBODY' },
      { token: tokens['amy'] ?? '' },
    )
    expect(answer).toMatchObject({ code: 111102, data: null })
  })
})

describe('page after page', () => {
  test.each([1, 2, 3, 4, 100])('of %i: nothing is lost and nothing comes twice', async (size) => {
    for (const status of ['ISSUED', 'USED', 'EXPIRED', undefined] as const) {
      const filter = status === undefined ? {} : { status }
      const [whole = []] = await pages(filter, 100)
      const parts = await pages(filter, size)
      expect(parts.flat()).toEqual(whole)
      for (const part of parts.slice(0, -1)) expect(part).toHaveLength(size)
      expect(parts.at(-1)?.length ?? 0).toBeGreaterThan(0)
    }
  })

  test('many that end on one day are told apart', async () => {
    const someone = await testMember(company)
    const codes = []
    for (let n = 0; n < 7; n++) codes.push(await testCoupon(company, someone, 3))
    const filter = { memberCode: someone.memberCode, status: 'ISSUED' }
    expect((await pages(filter, 2)).flat()).toEqual(codes.sort())
  })

  test('what comes meanwhile does not move the rest', async () => {
    const someone = await testMember(company)
    const codes = []
    for (const daysAgo of [9, 8, 7, 6]) codes.push(await testCoupon(company, someone, daysAgo))
    const filter = { memberCode: someone.memberCode, status: 'ISSUED' }
    const first = await list({ ...filter, pageSize: 2 })
    await testCoupon(company, someone, 20)
    await redeem(codes[0] ?? '', someone)
    const second = await list({ ...filter, pageSize: 2, cursor: first.nextCursor })
    expect([...first.items, ...second.items].map((coupon) => coupon.code)).toEqual(codes)
  })

  test('a cursor that is not this list’s is refused by name', async () => {
    const cursors = {
      issued: (await list({ status: 'ISSUED', pageSize: 1 })).nextCursor ?? '',
      all: (await list({ pageSize: 1 })).nextCursor ?? '',
      transactions: await transactionCursor(),
      nonsense: 'AAAA',
      'half a cursor': Buffer.from('["2026-01-01"]').toString('base64url'),
      'another type': Buffer.from('{"0":"2026-01-01","1":"x"}').toString('base64url'),
    }
    const wrong = [
      ['ISSUED', cursors.all],
      ['ISSUED', cursors.transactions],
      ['USED', cursors.issued],
      ['USED', cursors.transactions],
      ['EXPIRED', cursors.all],
      ['ISSUED', cursors.nonsense],
      ['ISSUED', cursors['half a cursor']],
      ['USED', cursors['another type']],
    ] as const
    for (const [status, cursor] of wrong) {
      const input = { memberCode: member.memberCode, status, cursor }
      const answer = await call(company, getCustomerCoupons, input, { token: tokens['amy'] ?? '' })
      expect(answer.code).toBe(422)
      expect(answer.data).toMatchObject({ fields: [{ path: 'cursor', reason: 'format' }] })
    }
  })
})

/** Where a list of receipts goes on. */
async function transactionCursor(): Promise<string> {
  const found = await findCompany(company.database, company.identifier)
  if (found === null) throw new Error('the company is gone')
  await company.database.transaction(company.id, async (tx) => {
    await record(tx, found, member.id, receipt([['TEA', '10.00', 1]]))
    await record(tx, found, member.id, receipt([['TEA', '10.00', 1]]))
  })
  const input = { memberCode: member.memberCode, pageSize: 1 }
  const page = await ok(company, listTransactions, input, { token: tokens['amy'] ?? '' })
  return page.nextCursor ?? ''
}

describe('whether a coupon can be redeemed here and now', () => {
  // For every kind of coupon and every clerk, redeeming does what the list says.
  const kinds: [string, number, string, Record<string, string | null>][] = [
    ['valid everywhere', 0, 'TREAT', { amy: null, ben: 'noPermission', eve: null }],
    ['ending today', 29, 'TREAT', { amy: null, ben: 'noPermission', eve: null }],
    [
      'beginning tomorrow',
      -1,
      'TREAT',
      { amy: 'couponNotStarted', ben: 'couponNotStarted', eve: 'couponNotStarted' },
    ],
    ['over', 30, 'TREAT', { amy: 'couponExpired', ben: 'couponExpired', eve: 'couponExpired' }],
    [
      'for the other store',
      0,
      'TEN',
      { amy: 'couponOtherStore', ben: 'couponOtherStore', eve: null },
    ],
    [
      'over, for the other store',
      30,
      'TEN',
      { amy: 'couponExpired', ben: 'couponExpired', eve: 'couponExpired' },
    ],
    [
      'not begun, for the other store',
      -1,
      'TEN',
      { amy: 'couponNotStarted', ben: 'couponNotStarted', eve: 'couponNotStarted' },
    ],
  ]
  const cases = kinds.flatMap(([kind, daysAgo, id, reasons]) =>
    Object.entries(reasons).map(([clerk, reason]) => ({ kind, daysAgo, id, clerk, reason })),
  )

  test.each(cases)('$kind, $clerk: $reason', async ({ daysAgo, id, clerk, reason }) => {
    const someone = await testMember(company)
    const code = await testCoupon(company, someone, daysAgo, id)
    const { items } = await list({ memberCode: someone.memberCode }, clerk)
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ redeemable: reason === null, notRedeemableReason: reason })

    const answer = await redeem(code, someone, clerk)
    // A missing permission is the first refusal, for every coupon.
    const mayRedeem = clerk !== 'ben'
    const expected = mayRedeem ? codeOf(reason) : failures.noPermission.code
    expect(answer.code).toBe(expected)
  })

  test('a used one says so to everybody', async () => {
    const someone = await testMember(company)
    await redeem(await testCoupon(company, someone), someone)
    for (const clerk of ['amy', 'ben', 'eve']) {
      const { items } = await list({ memberCode: someone.memberCode }, clerk)
      expect(items[0]).toMatchObject({ status: 'USED', notRedeemableReason: 'couponUsed' })
    }
  })
})

function codeOf(reason: string | null): number {
  if (reason === null) return 0
  const found = Object.entries(failures).find(([name]) => name === reason)
  if (found === undefined) throw new Error(`${reason} is no refusal`)
  return found[1].code
}
