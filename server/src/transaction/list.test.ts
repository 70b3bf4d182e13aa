import { getCustomerCoupons } from '@tillside/contract/coupon'
import { listTransactions } from '@tillside/contract/transaction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCompany } from '../company/find.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testCoupon } from '../testing/factories/coupon.ts'
import { testMember } from '../testing/factories/member.ts'
import { type Line, receipt } from '../testing/factories/receipt.ts'
import type { TransactionInput } from './input.ts'
import { record } from './record.ts'

type Member = { id: string; memberCode: string }
let company: TestCompany
let token: string
let member: Member
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  member = await testMember(company)
})
afterAll(() => company.close())

/** Records a receipt and returns its invoice number. */
async function sale(
  at: string,
  changes: Partial<TransactionInput> = {},
  { of = member, lines = [['TEA', '12.50', 2]] as Line[], in: where = company } = {},
): Promise<string> {
  const found = await findCompany(where.database, where.identifier)
  if (found === null) throw new Error('the company is gone')
  const input = receipt(lines, { occurredAt: at, ...changes })
  const done = await where.database.transaction(where.id, (tx) => record(tx, found, of.id, input))
  expect(done.outcome).toBe('created')
  return input.invoiceNumber
}

const ask = (memberCode: string) => call(company, listTransactions, { memberCode }, { token })
const written = (cursor: unknown) => Buffer.from(JSON.stringify(cursor)).toString('base64url')
const shift = (instant: string, seconds: number) =>
  `${new Date(Date.parse(instant) + seconds * 1000).toISOString().slice(0, 19)}Z`

const list = (input: object, of = member) =>
  ok(company, listTransactions, { memberCode: of.memberCode, ...input }, { token })
const numbers = async (input: object, of = member) =>
  (await list(input, of)).items.map((row) => row.invoiceNumber)

describe('the receipts of a member', () => {
  test('are found by part of the number, in any case, without wildcards', async () => {
    const buyer = await testMember(company)
    for (const invoiceNumber of ['HK-88213', 'hk-99', 'WEB%88_1']) {
      await sale('2026-03-10T04:05:06Z', { invoiceNumber }, { of: buyer })
    }
    const found = async (part: string) =>
      (await numbers({ invoiceNumber: part }, buyer)).toSorted((a, b) => a.localeCompare(b))
    expect(await found('hK-')).toEqual(['hk-99', 'HK-88213'].toSorted((a, b) => a.localeCompare(b)))
    expect(await found('88213')).toEqual(['HK-88213'])
    expect(await found('%')).toEqual(['WEB%88_1'])
    expect(await found('_')).toEqual(['WEB%88_1'])
    expect(await found('no such number')).toEqual([])
  })
  test('are listed in the contract’s form, newest first', async () => {
    const buyer = await testMember(company)
    await sale(
      '2026-03-10T04:05:06Z',
      { invoiceNumber: 'A-1', sales: 'Ms Wong', totalAmount: '27.00', orderDiscount: '2.00' },
      {
        of: buyer,
        lines: [
          ['TEA', '10.00', 2],
          ['CUP', '5.00', 1],
        ],
      },
    )
    await sale('2026-03-11T00:00:00Z', { invoiceNumber: 'A-2', storeCode: null }, { of: buyer })
    await sale(
      '2026-03-12T00:00:00Z',
      { invoiceNumber: 'A-3' },
      { of: buyer, lines: [['TEA', '12.50', -1]] },
    )
    const { items, nextCursor } = await list({}, buyer)
    expect(items.map((row) => row.invoiceNumber)).toEqual(['A-3', 'A-2', 'A-1'])
    expect(nextCursor).toBeNull()
    expect(items[2]).toEqual({
      invoiceNumber: 'A-1',
      date: '2026-03-10T04:05:06Z',
      totalAmount: '27.00',
      orderDiscount: '2.00',
      netSpend: '25.00',
      store: { code: 'S1', name: 'Harbour City' },
      sales: 'Ms Wong',
      status: 'completed',
      invoiceType: 'sale',
      source: 100000028,
      itemCount: 2,
      pointsEarned: 25,
    })
    expect(items[1]).toMatchObject({ store: null, sales: null })
    expect(items[0]).toMatchObject({ invoiceType: 'return', netSpend: '-12.50' })
  })

  test('are filtered by status', async () => {
    const buyer = await testMember(company)
    const at = '2026-03-10T04:00:00Z'
    for (const status of ['completed', 'cancelled', 'deposit'] as const) {
      await sale(at, { invoiceNumber: `ST-${status}`, status }, { of: buyer })
      expect(await numbers({ status }, buyer)).toEqual([`ST-${status}`])
    }
    expect(await numbers({}, buyer)).toHaveLength(3)
    const earned = (await list({}, buyer)).items.map((row) => [row.status, row.pointsEarned])
    expect(Object.fromEntries(earned)).toEqual({ completed: 25, cancelled: 0, deposit: 0 })
  })

  test('do not include other members’ receipts', async () => {
    const [one, two] = [await testMember(company), await testMember(company)]
    await sale('2026-03-10T04:00:00Z', {}, { of: one })
    expect(await numbers({}, two)).toEqual([])
  })

  test('are refused identically for an unknown member and another company’s', async () => {
    const other = await testCompany()
    const theirs = await testMember(other)
    await sale('2026-03-10T04:00:00Z', {}, { of: theirs, in: other })
    expect(await ask(theirs.memberCode)).toMatchObject({ code: 111102, data: null })
    expect(await ask(theirs.memberCode)).toEqual(await ask('NOBODY'))
    await other.close()
  })
})

describe('from and to are days of the company, both included', () => {
  test.each([
    // Hong Kong is eight hours ahead of UTC all year.
    ['Asia/Hong_Kong', '2026-03-10', '2026-03-09T16:00:00Z', '2026-03-10T15:59:59Z'],
    // Daylight saving time begins in New York: a day of 23 hours.
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59Z'],
    // Daylight saving time ends: a day of 25 hours.
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'],
  ])('in %s on %s', async (timeZone, day, first, last) => {
    const here = await testCompany({ timeZone })
    const of = await testMember(here)
    const at = { before: shift(first, -1), first, last, after: shift(last, 1) }
    const invoices: Record<string, string> = {}
    for (const [name, instant] of Object.entries(at)) {
      invoices[name] = await sale(instant, {}, { of, in: here })
    }
    const mine = await logIn(here)
    const days = async (input: object) => {
      const query = { memberCode: of.memberCode, ...input }
      const { items } = await ok(here, listTransactions, query, { token: mine })
      return items.map((row) => row.invoiceNumber)
    }
    const named = (...names: string[]) => names.map((name) => invoices[name])
    expect(await days({ from: day, to: day })).toEqual(named('last', 'first'))
    expect(await days({ from: day })).toEqual(named('after', 'last', 'first'))
    expect(await days({ to: day })).toEqual(named('last', 'first', 'before'))
    await here.close()
  })

  test('with distant days, and with `from` after `to`', async () => {
    await sale('2026-03-10T04:00:00Z')
    expect(await numbers({ from: '0001-01-01', to: '9999-12-31' })).toHaveLength(1)
    expect(await numbers({ from: '2026-03-11', to: '2026-03-09' })).toEqual([])
  })
})

describe('paging', () => {
  test('returns each receipt exactly once, also receipts of the same moment', async () => {
    const buyer = await testMember(company)
    for (let n = 0; n < 11; n++) {
      const at = n < 6 ? '2026-03-10T04:00:00Z' : `2026-03-1${n - 5}T04:00:00Z`
      await sale(at, {}, { of: buyer })
    }
    const whole = await numbers({ pageSize: 100 }, buyer)
    expect(whole).toHaveLength(11)
    for (const pageSize of [1, 2, 5, 11]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const more: object = cursor === null ? {} : { cursor }
        const page = await list({ pageSize, ...more }, buyer)
        seen.push(...page.items.map((row) => row.invoiceNumber))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(seen).toEqual(whole)
    }
  })

  test('refuses a cursor of another list and names the field', async () => {
    for (let n = 0; n < 2; n++) await testCoupon(company, member, n)
    const coupons = { memberCode: member.memberCode, pageSize: 1 }
    const theirs = (await ok(company, getCustomerCoupons, coupons, { token })).nextCursor ?? ''
    for (const cursor of [
      theirs,
      'AAAA',
      written(['2026-03-10T04:00:00.000000Z', 'no id']),
      written(['2026-13-40T04:00:00.000000Z', crypto.randomUUID()]),
      written(['0000-01-01T00:00:00.000000Z', crypto.randomUUID()]),
    ]) {
      const input = { memberCode: member.memberCode, cursor }
      const answer = await call(company, listTransactions, input, { token })
      expect(answer).toMatchObject({ code: 422 })
      expect(answer.data).toMatchObject({ fields: [{ path: 'cursor', reason: 'format' }] })
    }
  })
})
