import { randomUUID } from 'node:crypto'
import { type EndpointName, endpoints } from '@tillside/contract/endpoints'
import { postTransactions } from '@tillside/contract/integration/transactions'
import { redeemPoints } from '@tillside/contract/points'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import pino from 'pino'
import { afterAll, afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '../../database/database.ts'
import { runJob } from '../../jobs/job.ts'
import { jobs } from '../../jobs/runner.ts'
import { takePhases } from '../../testing/cluster/phases.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'
import { callWithKey, testKey } from '../../testing/factories/key.ts'
import { testRegister } from '../../testing/factories/register-form.ts'
import { newForm } from '../../testing/factories/registration.ts'
import { nameOf, receipt } from '../../testing/factories/receipt.ts'
import { money } from '../../testing/factories/spending.ts'
import { callTargets, prepareInput, validInputs } from '../../testing/hostile/calls.ts'
import {
  counterNameOf,
  keyCalls,
  keyInputOf,
  validKeyInputs,
} from '../../testing/hostile/key-calls.ts'
import { testMergeShop } from '../../testing/merge-shop.ts'

// Every call of the contract, every job and every command that joins members: a change commits in
// two phases on each node where it has written. The table of inputs has every endpoint, so a new
// one is here too.

let company: TestCompany
let till: string
const owner = openDatabase(inject('ownerUrl'), 1)
// The codes that an account may send are counted.
beforeEach(async () => {
  company = await testCompany({ register: testRegister })
  till = (await testKey(company)).key
})
afterEach(() => company.close())
afterAll(() => owner.close())

/** Of two nodes, a change that writes two places misses the second one in half of the attempts. */
const attempts = 20

type Sending = () => Promise<unknown>

/** Makes a change until it has committed on several nodes. @returns how often it was made */
async function untilOnSeveral(prepare: () => Promise<Sending>): Promise<number> {
  for (let made = 1; made <= attempts; made++) {
    const send = await prepare()
    takePhases()
    await send()
    const { several, inOnePhase } = takePhases()
    expect(inOnePhase).toEqual([])
    if (several > 0) return made
  }
  throw new Error(`it has written on one node at a time, in ${attempts} attempts`)
}

const isName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name)
const names = Object.keys(endpoints).filter(isName)
const keyed = names.filter((name) => endpoints[name].needsKey)

test.each(keyed)('%s', async (name) => {
  const endpoint: Endpoint = endpoints[name]
  await untilOnSeveral(async () => {
    const input = await prepareInput(company, name, await callTargets(company))
    const token = await logIn(company)
    return async () => expect((await call(company, endpoint, input, { token })).code).toBe(0)
  })
})

/** The password of the others is the old one. */
const last = (name: EndpointName) => Number(name === 'changePassword')

test('the calls of clerks that move no value', async () => {
  const inputs = validInputs(await callTargets(company))
  const rest = names.filter((name) => !keyed.includes(name)).sort((a, b) => last(a) - last(b))
  for (const name of rest) {
    const endpoint: Endpoint = endpoints[name]
    const token = await logIn(company)
    takePhases()
    const { status } = await call(company, endpoint, inputs[name], { token })
    expect([name, status, takePhases().inOnePhase]).toEqual([name, 200, []])
  }
})

/** Calls of tills that write nothing, or only rows of the member. */
const onOneNode = new Set(['previewSpending', 'checkCoupon', 'calculateTransaction', 'postPoints'])
const changing = keyCalls.filter(
  ([name, { method, scope }]) =>
    method !== 'GET' && !onOneNode.has(name) && scope !== 'test:clock' && !scope.endsWith(':read'),
)

test.each(changing)('%s of a till', async (name, endpoint) => {
  await untilOnSeveral(async () => {
    const of = await callTargets(company)
    const counter = counterNameOf(endpoint)
    const input =
      counter === null
        ? { ...validKeyInputs(of)[name] }
        : keyInputOf(endpoint, await prepareInput(company, counter, of))
    if (name === 'postMembers') {
      const memberCode = randomUUID().replaceAll('-', '').slice(0, 20)
      const [uniCustomerNo, cardNumber] = [`U${memberCode}`, `C${memberCode}`]
      const { firstName, countryCode, mobile } = newForm()
      const terms = { firstName, countryCode, mobile, registrationStore: 'S1' }
      input['items'] = [{ memberCode, uniCustomerNo, cardNumber, ...terms }]
    }
    return async () => {
      const { problem, text } = await callWithKey(company, endpoint, input, till)
      // An item of a list is refused by itself.
      expect([problem, text]).toEqual([null, expect.not.stringContaining('"refused",')])
    }
  })
})

const post = (items: readonly object[]) => async () =>
  expect((await callWithKey(company, postTransactions, { items }, till)).problem).toBeNull()

test('a return, a sale without a member, and a spending on a sale', async () => {
  await untilOnSeveral(async () => {
    const { memberCode } = await callTargets(company)
    const sale = receipt([['TEA', '12.50', 2]], { memberCode, invoiceNumber: randomUUID() })
    await post([sale])()
    const original = nameOf(sale)
    return post([
      receipt([['TEA', '12.50', -1]], { memberCode, invoiceNumber: randomUUID(), original }),
    ])
  })
  await untilOnSeveral(async () =>
    post([receipt([['TEA', '12.50', 2]], { invoiceNumber: randomUUID() })]),
  )
})

test('a merge, its end, and a spending of points on a sale', async () => {
  const t = await testMergeShop()
  await untilOnSeveral(async () => {
    const { memberCode } = await t.busy()
    const invoiceNumber = randomUUID()
    const input = money(memberCode, { points: 1, invoiceNumber })
    return () => ok(t.shop, redeemPoints, input, { token: t.token })
  })
  await untilOnSeveral(async () => {
    const [survivor, merged] = [await t.busy(), await t.busy()]
    return async () => expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
  })
  await untilOnSeveral(async () => {
    const [survivor, merged] = await t.two()
    expect(await t.merge(survivor, merged)).toMatchObject({ code: 0 })
    return async () => expect(await t.unmerge(merged)).toMatchObject({ code: 0 })
  })
  expect(await t.shop.violations()).toEqual([])
  await t.shop.close()
})

test.each(Object.values(jobs))('the job $name', async (job) => {
  const database = job.asOwner === true ? owner : company.database
  takePhases()
  await runJob(database, company.id, job, pino({ level: 'silent' }), { now: true })
  expect(takePhases().inOnePhase).toEqual([])
})
