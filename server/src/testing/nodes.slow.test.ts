import { logout } from '@tillside/contract/auth'
import {
  batchRedeemCoupons,
  cancelCouponRedeem,
  couponCodeDetail,
  getCustomerCoupons,
  issueCoupon,
  issueCouponByPoints,
  redeemCoupon,
} from '@tillside/contract/coupon'
import type { Endpoint } from '@tillside/contract/endpoint'
import { failures } from '@tillside/contract/failures'
import {
  createCustomer,
  getOneCustomer,
  membershipInfo,
  updateCustomer,
} from '@tillside/contract/member'
import { operationStatus } from '@tillside/contract/operation'
import { cancelPoints, explainPoints, pointHistory, redeemPoints } from '@tillside/contract/points'
import { listTransactions, transactionDetail } from '@tillside/contract/transaction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findViolations } from '../jobs/invariants.ts'
import { call, logIn } from './company.ts'
import { toldOf } from './key.ts'
import { testMember } from './member.ts'
import { companyOnNodes, type Cost } from './node-calls.ts'
import { couponsOf, good, newContact, newForm, oneOfEach } from './node-members.ts'
import { nameOf, receipt } from './receipt.ts'

type World = Awaited<ReturnType<typeof companyOnNodes>>
let w: World
beforeAll(async () => {
  w = await companyOnNodes({
    profileFields: { shown: [], editable: ['firstName', 'mobile', 'email'] },
    gifts: [
      { id: 'MUG', names: { 'en-US': 'Mug', 'zh-HK': '杯' }, points: 50 },
      { id: 'FEW', names: { 'en-US': 'Few', 'zh-HK': '少' }, points: 1, stock: 5 },
    ],
  })
}, 180_000)
afterAll(async () => w?.stop())

/** One of each call for a member. @returns what each cost */
async function everyCall(memberCode: string): Promise<[string, Cost][]> {
  const costs: [string, Cost][] = []
  const measure = async (name: string, endpoint: Endpoint, input: object) => {
    const { answer, cost } = await w.costOf(() => w.ask(endpoint, { memberCode, ...input }))
    costs.push([name, cost])
    return good(answer)
  }
  const joined = await w.costOf(() => w.ask(createCustomer, newForm()))
  costs.push(['member/createCustomer', joined.cost])
  const [one, two, three] = await couponsOf(w, memberCode, 3)
  await measure('member/membershipInfo', membershipInfo, {})
  await measure('points/history', pointHistory, {})
  await measure('points/explain', explainPoints, {})
  await measure('coupon/list', getCustomerCoupons, { status: 'ISSUED' })
  await measure('coupon/issue', issueCoupon, { couponId: 'TREAT', quantity: 1 })
  await measure('coupon/redeem', redeemCoupon, { couponCode: one })
  await measure('coupon/cancelRedeem', cancelCouponRedeem, { couponCode: one, reason: 'wrong' })
  await measure('coupon/batchRedeem', batchRedeemCoupons, { couponCodes: [two, three] })
  await measure('coupon/issueByPoints', issueCouponByPoints, { couponId: 'LATTE', quantity: 1 })
  const spent = await measure('points/redeem', redeemPoints, {
    kind: 'gift',
    giftId: 'MUG',
    quantity: 1,
  })
  const { entry } = z.object({ entry: z.object({ id: z.string() }) }).parse(spent)
  await measure('points/cancel', cancelPoints, {
    entryId: entry.id,
    reason: 'changed their mind',
  })
  const sale = receipt([['TEA', '12.50', 2]], { memberCode })
  const sold = await w.costOf(() =>
    w.database.about(w.company.id, { kind: 'code', value: memberCode }, () => w.sell(sale)),
  )
  expect(sold.answer.items.map(toldOf)).toEqual(['created'])
  costs.push(['integration/transactions', sold.cost])
  await measure('transaction/list', listTransactions, {})
  await measure('transaction/detail', transactionDetail, { invoiceNumber: sale.invoiceNumber })
  const email = newContact().email
  await measure('member/update', updateCustomer, { version: 1, changes: { email } })
  return costs
}

describe('a company on three PostgreSQL servers', () => {
  test('finds a member by every key with one probe and one statement', async () => {
    const members = await oneOfEach(w)
    for (const member of members) {
      const { memberCode, cardNumber, uniCustomerNo, countryCode, mobile, email } = member
      for (const query of [
        { code: memberCode },
        { cardNumber },
        { uniCustomerNo },
        { countryCode, mobile },
        { email },
      ]) {
        const { answer, cost } = await w.costOf(() => w.ask(getOneCustomer, query))
        expect(good(answer)).toMatchObject({ memberCode })
        expect(cost).toEqual({ probes: 1, nodes: 1, statements: 2, large: 1, entries: 0 })
      }
    }
    const nobody = await w.ask(getOneCustomer, { email: 'nobody@example.com' })
    expect(nobody).toMatchObject({ code: failures.memberUnknown.code })
  })

  test('touches one node for every call that moves value, and the directory only for keys', async () => {
    const [first, second] = await oneOfEach(w)
    // The company's settings are read once by a process, and known from then on.
    await everyCall(second.memberCode)
    const costs = await everyCall(first.memberCode)
    expect(costs.map(([name, cost]) => [name, ...Object.values(cost)].join(' '))).toEqual(table)
    const [other] = await oneOfEach(w)
    expect(await everyCall(other.memberCode)).toEqual(costs)
  })

  // What a call asks of how many nodes: docs/growing.md has the same table.
  const table = [
    // probes of the directory, nodes, statements, how many of them on large tables, entries
    'member/createCustomer 1 1 8 7 5',
    'member/membershipInfo 1 1 7 6 0',
    'points/history 1 1 5 4 0',
    'points/explain 1 1 6 5 0',
    'coupon/list 1 1 4 3 0',
    'coupon/issue 1 1 10 7 0',
    'coupon/redeem 1 1 5 4 0',
    'coupon/cancelRedeem 1 1 8 7 0',
    'coupon/batchRedeem 1 1 7 6 0',
    'coupon/issueByPoints 1 1 14 11 0',
    'points/redeem 1 1 16 13 0',
    'points/cancel 1 1 13 11 0',
    'integration/transactions 1 1 11 9 1',
    'transaction/list 1 1 3 2 0',
    'transaction/detail 1 1 7 6 0',
    'member/update 1 1 9 8 2',
  ]

  test('looks on every node only for what names no member', async () => {
    const [first, second] = await oneOfEach(w)
    const [code] = await couponsOf(w, first.memberCode, 1)
    const key = crypto.randomUUID()
    const redeem = { couponCode: code, memberCode: first.memberCode }
    const redeemed = await w.ask(redeemCoupon, redeem, { key })
    expect(await w.ask(redeemCoupon, redeem, { key })).toEqual(redeemed)
    const everywhere = (endpoint: Endpoint, input: object) =>
      Promise.all(
        w.nodes.homes.map(({ name }) =>
          w.database.on(name, () => call(w.company, endpoint, input, { token: w.token })),
        ),
      )
    const found = await everywhere(couponCodeDetail, { couponCode: code })
    expect(new Set(found.map(({ code: c }) => c))).toEqual(
      new Set([0, failures.couponUnknown.code]),
    )
    const states = await everywhere(operationStatus, { key })
    expect(states.map(({ data }) => data)).toContainEqual({
      state: 'done',
      answer: expect.anything(),
    })
    expect(states.map(({ data }) => data)).toContainEqual({ state: 'unknown', answer: null })
    // Somebody else's coupon, on another node, is nobody's here.
    const others = await w.ask(redeemCoupon, { ...redeem, memberCode: second.memberCode })
    expect(others).toMatchObject({ code: failures.couponUnknown.code })
  })

  test('knows of a login and a logout on every node when they are answered', async () => {
    const members = await oneOfEach(w)
    const codes = async (token: string) =>
      Promise.all(
        members.map(async ({ memberCode }) => {
          return (await w.ask(getOneCustomer, { code: memberCode }, { token })).code
        }),
      )
    for (let n = 0; n < 3; n++) {
      const token = await logIn(w.company)
      expect(await codes(token)).toEqual([0, 0])
      good(await w.ask(logout, {}, { token }))
      expect(await codes(token)).toEqual([401, 401])
    }
  })

  test('records a receipt once, whoever the till says it is of, and takes back what it gave', async () => {
    const [first, second] = await oneOfEach(w)
    const sale = receipt([['A', '60.00', 2]], { memberCode: first.memberCode })
    const told = async (...items: unknown[]) => (await w.sell(...items)).items.map(toldOf)
    expect(await told(sale, sale)).toEqual(['created', 'unchanged'])
    const [refused] = await told({ ...sale, memberCode: second.memberCode })
    expect(refused).toMatch(/^(changed|storeUnknown) /)
    const back = receipt([['A', '60.00', -1]], { original: nameOf(sale) })
    expect(await told(back)).toEqual(['created'])
    const { data } = await w.ask(explainPoints, { memberCode: first.memberCode })
    expect(data).toMatchObject({ balance: 1_060 })
  })

  test('sells no more of a gift than there are, each node its share', async () => {
    const members = await oneOfEach(w)
    const buy = { kind: 'gift', giftId: 'FEW', quantity: 1 }
    const answers = await Promise.all(
      members.flatMap(({ memberCode }) =>
        Array.from({ length: 6 }, () => w.ask(redeemPoints, { memberCode, ...buy })),
      ),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(5)
    const left = answers.filter(({ code }) => code === failures.giftOutOfStock.code)
    expect(left).toHaveLength(7)
  })

  test('lets one of many have an e-mail address, on whichever node they come', async () => {
    for (let round = 0; round < 3; round++) {
      const { email } = newContact()
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => w.ask(createCustomer, newForm({ email }))),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
      const taken = answers.filter(({ code }) => code === failures.contactTaken.code)
      expect(taken).toHaveLength(11)
      // Who has it is found by it, and who gives it up is not.
      const found = good(await w.ask(getOneCustomer, { email }))
      const { memberCode, version } = z
        .object({ memberCode: z.string(), version: z.int() })
        .parse(found)
      const changes = { email: newContact().email }
      good(await w.ask(updateCustomer, { memberCode, version, changes }))
      expect(await w.ask(getOneCustomer, { email })).toMatchObject({
        code: failures.memberUnknown.code,
      })
      good(await w.ask(getOneCustomer, { email: changes.email }))
    }
  })

  test('redeems a coupon once, however many ask on however many connections', async () => {
    for (const { memberCode } of await oneOfEach(w)) {
      const [couponCode] = await couponsOf(w, memberCode, 1)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => w.ask(redeemCoupon, { couponCode, memberCode })),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    }
  })

  // The last: what all of the above has left.
  test('keeps every invariant on every node, and a directory of exactly what there is', async () => {
    await testMember(w.company)
    const keys: unknown[] = []
    const listed: unknown[] = []
    for (const { name, ask } of w.nodes.all) {
      const found = await w.database.on(name, () =>
        w.database.reading(w.company.id, (tx) => findViolations(tx, w.company.id)),
      )
      expect(found).toEqual([])
      const own = `select kind, value, '${name}' as home from member_key union all
        select 'invoice', source || ' ' || invoice_number, '${name}' from transaction`
      keys.push(...(await ask(own)))
      listed.push(...(await ask(`select kind, value, home from directory_${name}`)))
    }
    expect(sorted(listed)).toEqual(sorted(keys))
    const atDesk = await w.nodes.desk.ask('select (select count(*)::int from member) as members')
    expect(atDesk).toEqual([{ members: 0 }])
  })
})

function sorted(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}
