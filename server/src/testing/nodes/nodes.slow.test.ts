import { couponCodeDetail, redeemCoupon } from '@tillside/contract/coupon'
import { createCustomer, getOneCustomer, updateCustomer } from '@tillside/contract/member'
import { explainPoints, redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { endpoints } from '@tillside/contract/endpoints'
import { failures } from '@tillside/contract/wire/failures'
import { logout } from '@tillside/contract/auth'
import { operationStatus } from '@tillside/contract/wire/operation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findViolations } from '../../jobs/invariants.ts'
import { mobileKey } from '../../values/contact.ts'
import { validInputs } from '../hostile/calls.ts'
import { call, logIn } from '../factories/company.ts'
import { itemResult } from '../factories/key.ts'
import { testMember } from '../factories/member.ts'
import { companyOnNodes, type World } from './node-calls.ts'
import { everyCall } from './node-costs.ts'
import { bucketOf, holderOf } from './node-layout.ts'
import { couponsOf, okData, namedOn, newContact, newForm, memberPerNode } from './node-members.ts'
import { nameOf, receipt } from '../factories/receipt.ts'
import { testClerk } from '../factories/staff.ts'

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

// Each test does much work, and other load on the machine must not make it fail.
describe('a company on three PostgreSQL servers', { timeout: 120_000 }, () => {
  test('finds a member by every key with one probe and one statement', async () => {
    const members = await memberPerNode(w)
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
        expect(okData(answer)).toMatchObject({ memberCode })
        expect(cost).toEqual({ probes: 1, nodes: 1, statements: 2, large: 1, entries: 0 })
      }
    }
    const unknown = await w.ask(getOneCustomer, { email: 'nobody@example.com' })
    expect(unknown).toMatchObject({ code: failures.memberUnknown.code })
  })

  test('moves value on one node, and touches the directory only for keys', async () => {
    const [first, second] = await memberPerNode(w)
    // A process reads the company's settings once and then caches them.
    await everyCall(w, second.memberCode)
    const costs = await everyCall(w, first.memberCode)
    expect(costs.map(([name]) => name)).toEqual(Object.keys(table))
    for (const [name, { probes, nodes, statements, entries }] of costs) {
      const [most = 0, wanted] = table[name] ?? []
      expect({ name, probes, nodes, entries }).toEqual({
        name,
        probes: 1,
        nodes: 1,
        entries: wanted,
      })
      expect(statements, name).toBeLessThanOrEqual(most)
    }
    const [other] = await memberPerNode(w)
    expect(await everyCall(w, other.memberCode)).toEqual(costs)
  })

  // The cost of each call; docs/growing.md has the same table.
  const table: Record<string, readonly [statements: number, entries: number]> = {
    // The maximum of statements, all on one node, and the number of directory entries added or
    // removed
    // Two of them keep the keys of the name, where a group may search by name.
    'member/createCustomer': [10, 5],
    'member/membershipInfo': [7, 0],
    'points/history': [5, 0],
    'points/explain': [7, 0],
    'coupon/list': [4, 0],
    'coupon/issue': [10, 0],
    'coupon/redeem': [5, 0],
    'coupon/cancelRedeem': [8, 0],
    'coupon/batchRedeem': [7, 0],
    'coupon/issueByPoints': [14, 0],
    'points/redeem': [16, 0],
    'points/cancel': [13, 0],
    'integration/transactions': [11, 1],
    'transaction/list': [3, 0],
    'transaction/detail': [7, 0],
    'member/update': [9, 2],
  }

  test('queries every node only for calls that name no member', async () => {
    const [first, second] = await memberPerNode(w)
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
    // A coupon of a member on another node is unknown here.
    const others = await w.ask(redeemCoupon, { ...redeem, memberCode: second.memberCode })
    expect(others).toMatchObject({ code: failures.couponUnknown.code })
  })

  test('answers every endpoint of the contract, for a member of either node', async () => {
    for (const { memberCode, home } of await memberPerNode(w)) {
      const token = await logIn(w.company, 'amy')
      const named = await namedOn(w, memberCode)
      const inputs = Object.entries(validInputs(named))
      const every = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({
        name,
        endpoint,
        input: {
          ...inputs.find(([known]) => known === name)?.[1],
          ...(name === 'createCustomer' ? newContact() : {}),
        },
      }))
      expect(every.length).toBeGreaterThan(40)
      // After logout and changePassword the token is invalid, so they are called last.
      for (const { name, endpoint, input } of every) {
        if (name === 'logout' || name === 'changePassword') continue
        const look = () => call(w.company, endpoint, input, { token })
        const nameless = name === 'couponCodeDetail'
        const asked = nameless ? w.database.on(home, look) : w.ask(endpoint, input, { token })
        expect({ name, ...(await asked) }).toMatchObject({ name, code: 0 })
      }
      okData(await w.ask(logout, {}, { token }))
      const other = { token: await testClerk(w.company, `clerk-${home}`) }
      okData(await w.ask(endpoints.changePassword, validInputs(named).changePassword, other))
    }
  })

  test('applies a login and a logout on every node before answering', async () => {
    const members = await memberPerNode(w)
    const codes = async (token: string) =>
      Promise.all(
        members.map(async ({ memberCode }) => {
          return (await w.ask(getOneCustomer, { code: memberCode }, { token })).code
        }),
      )
    for (let n = 0; n < 3; n++) {
      const token = await logIn(w.company)
      expect(await codes(token)).toEqual([0, 0])
      okData(await w.ask(logout, {}, { token }))
      expect(await codes(token)).toEqual([401, 401])
    }
  })

  test('records a receipt once, also if it is sent again for another member', async () => {
    const [first, second] = await memberPerNode(w)
    const sale = receipt([['A', '60.00', 2]], { memberCode: first.memberCode })
    const results = async (...items: unknown[]) => (await w.sell(...items)).items.map(itemResult)
    expect(await results(sale, sale)).toEqual(['created', 'unchanged'])
    const [refused] = await results({ ...sale, memberCode: second.memberCode })
    expect(refused).toMatch(/^(changed|storeUnknown) /)
    const back = receipt([['A', '60.00', -1]], { original: nameOf(sale) })
    expect(await results(back)).toEqual(['created'])
    const { data } = await w.ask(explainPoints, { memberCode: first.memberCode })
    expect(data).toMatchObject({ balance: 1_060 })
  })

  test('redeems no more gifts than the stock, each node its share', async () => {
    const members = await memberPerNode(w)
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

  test('gives an e-mail address to one of many concurrent registrations on all nodes', async () => {
    for (let round = 0; round < 3; round++) {
      const { email } = newContact()
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => w.ask(createCustomer, newForm({ email }))),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
      const taken = answers.filter(({ code }) => code === failures.contactTaken.code)
      expect(taken).toHaveLength(11)
      // The member with the address is found by it; after the change it no longer finds them.
      const found = okData(await w.ask(getOneCustomer, { email }))
      const { memberCode, version } = z
        .object({ memberCode: z.string(), version: z.int() })
        .parse(found)
      const changes = { email: newContact().email }
      okData(await w.ask(updateCustomer, { memberCode, version, changes }))
      expect(await w.ask(getOneCustomer, { email })).toMatchObject({
        code: failures.memberUnknown.code,
      })
      okData(await w.ask(getOneCustomer, { email: changes.email }))
    }
  })

  test('redeems a coupon once under concurrent requests', async () => {
    for (const { memberCode } of await memberPerNode(w)) {
      const [couponCode] = await couponsOf(w, memberCode, 1)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => w.ask(redeemCoupon, { couponCode, memberCode })),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    }
  })

  test('takes over or sweeps entries of a machine that failed between two commits', async () => {
    const { email, ...rest } = newForm()
    const leave = async (kind: string, value: string, home: string) => {
      const bucket = bucketOf(w.company.id, kind, value)
      // Inserted as the trigger does, on the node that has this part.
      await w.nodes.desk.ask(
        `insert into directory values ($1, $2, $3, $4, $5, now() - interval '2 hours')`,
        [w.company.id, kind, value, bucket, home],
      )
    }
    await leave('mobile', mobileKey(rest.countryCode, rest.mobile), 'b')
    expect(await w.ask(createCustomer, rest)).toMatchObject({ code: 0 })
    await leave('email', email, 'a')
    const onB = () =>
      w.database.on('b', () =>
        call(w.company, createCustomer, { ...newForm(), email }, { token: w.token }),
      )
    expect(await onB()).toMatchObject({ code: failures.contactTaken.code })
    const swept = await Promise.all(
      w.nodes.all.map(({ ask }) => ask(`select sweep_directory('1 hour')::int as n`)),
    )
    expect(swept.flat().reduce((sum, { n }) => sum + Number(n), 0)).toBe(1)
    expect(await onB()).toMatchObject({ code: 0 })
  })

  // Checks the state after all tests above.
  test('keeps every invariant on every node, and one directory entry for each key', async () => {
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

  test('serves the members of one node while another is down', async () => {
    const [first, second] = await findable()
    const [couponCode] = await couponsOf(w, first.memberCode, 1)
    await w.nodes.halt('b')
    okData(await w.ask(getOneCustomer, { code: first.memberCode }))
    okData(await w.ask(redeemCoupon, { couponCode, memberCode: first.memberCode }))
    const gone = await w.ask(getOneCustomer, { code: second.memberCode })
    expect(gone).toMatchObject({ status: 503 })
  })
})

/** A member on `a` and one on `b` whose codes are in directory parts that `b` does not have. */
async function findable() {
  for (;;) {
    const [x, y] = await memberPerNode(w)
    const parts = [x, y].map(({ memberCode }) => bucketOf(w.company.id, 'code', memberCode))
    const onB = parts.filter((bucket) => w.nodes.all[holderOf(bucket, 3)]?.name === 'b')
    if (onB.length === 0) return x.home === 'a' ? ([x, y] as const) : ([y, x] as const)
  }
}

function sorted(rows: readonly unknown[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}
