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

// Much happens in each, and what else the machine does must not fail them.
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
    const nobody = await w.ask(getOneCustomer, { email: 'nobody@example.com' })
    expect(nobody).toMatchObject({ code: failures.memberUnknown.code })
  })

  test('moves value on one node, and touches the directory only for keys', async () => {
    const [first, second] = await memberPerNode(w)
    // The company's settings are read once by a process, and known from then on.
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

  // What a call asks of how many nodes: docs/growing.md has the same table.
  const table: Record<string, readonly [statements: number, entries: number]> = {
    // at most so many statements, all on one node; so many entries made or removed in the directory
    'member/createCustomer': [8, 5],
    'member/membershipInfo': [7, 0],
    'points/history': [5, 0],
    'points/explain': [6, 0],
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

  test('looks on every node only for what names no member', async () => {
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
    // Somebody else's coupon, on another node, is nobody's here.
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
      // Who has logged out, or has another password, can ask nothing more.
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

  test('knows of a login and a logout on every node when they are answered', async () => {
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

  test('records a receipt once, whoever it is said to be of', async () => {
    const [first, second] = await memberPerNode(w)
    const sale = receipt([['A', '60.00', 2]], { memberCode: first.memberCode })
    const told = async (...items: unknown[]) => (await w.sell(...items)).items.map(itemResult)
    expect(await told(sale, sale)).toEqual(['created', 'unchanged'])
    const [refused] = await told({ ...sale, memberCode: second.memberCode })
    expect(refused).toMatch(/^(changed|storeUnknown) /)
    const back = receipt([['A', '60.00', -1]], { original: nameOf(sale) })
    expect(await told(back)).toEqual(['created'])
    const { data } = await w.ask(explainPoints, { memberCode: first.memberCode })
    expect(data).toMatchObject({ balance: 1_060 })
  })

  test('sells no more of a gift than there are, each node its share', async () => {
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

  test('redeems a coupon once, however many ask on however many connections', async () => {
    for (const { memberCode } of await memberPerNode(w)) {
      const [couponCode] = await couponsOf(w, memberCode, 1)
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => w.ask(redeemCoupon, { couponCode, memberCode })),
      )
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    }
  })

  test('takes over, or sweeps, what a machine left that died between its two commits', async () => {
    const { email, ...rest } = newForm()
    const leave = async (kind: string, value: string, home: string) => {
      const bucket = bucketOf(w.company.id, kind, value)
      // As the trigger writes it, on whichever node has this part.
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

  // What all of the above has left.
  test('keeps every invariant on every node, and a directory of just what there is', async () => {
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

  test('serves the members of one node while another is gone', async () => {
    const [first, second] = await findable()
    const [couponCode] = await couponsOf(w, first.memberCode, 1)
    await w.nodes.halt('b')
    okData(await w.ask(getOneCustomer, { code: first.memberCode }))
    okData(await w.ask(redeemCoupon, { couponCode, memberCode: first.memberCode }))
    const gone = await w.ask(getOneCustomer, { code: second.memberCode })
    expect(gone).toMatchObject({ status: 503 })
  })
})

/** A member of `a` and one of `b`, whose codes stand in parts of the directory that `b` has not. */
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
