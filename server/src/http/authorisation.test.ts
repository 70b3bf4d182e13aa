import { type Endpoint } from '@tillside/contract/wire/endpoint'
import { type EndpointName, endpoints } from '@tillside/contract/endpoints'
import { logout } from '@tillside/contract/auth'
import { addStaff } from '../staff/accounts.ts'
import { hashPassword } from '../staff/password.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallTargets, callTargets, validInputs } from '../testing/hostile/calls.ts'
import {
  call,
  logIn,
  ok,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { contentsOf } from '../testing/contents.ts'
import { badTokens, type BadToken } from '../testing/hostile/tokens.ts'
import { sentCode } from '../testing/verification.ts'

// Calls every endpoint without permission, without a session and with another company's ids. Each
// call must be refused and change nothing in either company.
let company: TestCompany
let other: TestCompany
let ours: CallTargets
let theirs: CallTargets
let inputs: Record<EndpointName, Record<string, unknown>>
let bad: BadToken[]
const tokens = { amy: '', dan: '' }

beforeAll(async () => {
  company = await testCompany()
  other = await testCompany()
  ours = await callTargets(company)
  theirs = await callTargets(other)
  inputs = validInputs(ours)
  bad = await badTokens(company, other)
  tokens.amy = await logIn(company)
  tokens.dan = await logIn(company, 'dan')
})
afterAll(async () => {
  await company.close()
  await other.close()
})

const both = async () => [await contentsOf(company), await contentsOf(other)]
/** All tables but `operation`: a refusal is stored under its idempotency key. */
const effects = async () => [
  await contentsOf(company, ['operation']),
  await contentsOf(other, ['operation']),
]
const all = Object.entries<Endpoint>(endpoints)
const guarded = all.filter(([, endpoint]) => endpoint.access !== 'public')
const inputOf = (name: string) =>
  Object.entries(inputs).find(([endpoint]) => endpoint === name)?.[1] ?? {}

test('every endpoint has an input in the table', () => {
  expect(Object.keys(inputs).sort()).toEqual(Object.keys(endpoints).sort())
})

test('the public endpoints are these and no others', () => {
  const open = all.filter(([, endpoint]) => endpoint.access === 'public').map(([name]) => name)
  expect(open).toEqual(['login', 'noPasswordLogin', 'getCustomTheme'])
})

test('every kind of invalid token is tested', () => expect(bad).toHaveLength(16))

test.each(guarded)('%s is refused without a valid token', async (name, endpoint) => {
  const before = await both()
  for (const { why, token } of bad) {
    const options = token === null ? {} : { token }
    const answer = await call(company, endpoint, inputOf(name), options)
    expect([why, answer.status, answer.code]).toEqual([why, 401, 401])
    expect(answer.data).toEqual({ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    // The answer is the same for invalid input.
    expect((await call(company, endpoint, { wrong: 1 }, options)).code).toBe(401)
  }
  expect(await both()).toEqual(before)
})

// dan's group has neither permissions nor the member module.
const permitted = guarded.filter(([, endpoint]) => endpoint.access !== 'staff')
test.each(permitted)('%s is refused without its permission', async (name, endpoint) => {
  const before = await both()
  const answer = await call(company, endpoint, inputOf(name), { token: tokens.dan })
  expect(answer).toMatchObject({ status: 200, code: 10000, message: 'NO_PERMISSION', data: null })
  expect(await both()).toEqual(before)
})

describe('an id of another company', () => {
  // null: the endpoint's input contains no id of a company's row.
  const foreign: Record<EndpointName, ((answer: unknown) => void) | null> = {
    login: null,
    logout: null,
    noPasswordLogin: null,
    changePassword: null,
    confirmPassword: null,
    getCustomTheme: null,
    getSupportedLanguages: null,
    setLanguage: null,
    getPermission: null,
    getDictionary: null,
    getOtherConfig: null,
    getCustomRegisterConfig: null,
    listStores: null,
    createCustomer: null,
    updateCustomer: refusedWith(111102),
    resignTnc: refusedWith(111102),
    listConsents: refusedWith(111102),
    revealContact: refusedWith(111102),
    // `names/search.test.ts`: a name of another company's member is not found.
    searchByName: null,
    listTiers: null,
    getByCodes: null,
    getRuleBook: null,
    staffActivity: null,
    storeActivity: null,
    listShiftNotes: null,
    writeShiftNote: null,
    // `notes.test.ts`: a note of another company is not confirmed.
    readShiftNote: null,
    searchHistoryKey: null,
    sendMobileCaptcha: null,
    validateMobileCaptcha: refusedWith(112002, { field: 'mobile' }),
    sendEmailCaptcha: null,
    validateEmailCaptcha: refusedWith(112002, { field: 'email' }),
    explainTier: refusedWith(111102),
    pointHistory: refusedWith(111102),
    explainPoints: refusedWith(111102),
    listGifts: refusedWith(111102),
    previewPoints: refusedWith(111102),
    redeemPoints: refusedWith(111102),
    cancelPoints: refusedWith(111102),
    getOneCustomer: refusedWith(111102),
    membershipInfo: refusedWith(111102),
    getCustomerCoupons: refusedWith(111102),
    getStoreAssignedCoupons: refusedWith(111102),
    couponCodeDetail: refusedWith(113001),
    issueCoupon: refusedWith(111102),
    issueCouponByPoints: refusedWith(111102),
    redeemCoupon: refusedWith(111102),
    cancelCouponRedeem: refusedWith(111102),
    batchRedeemCoupons: refusedWith(111102),
    listTransactions: refusedWith(111102),
    transactionDetail: refusedWith(111102),
    operationStatus: (answer) =>
      expect(answer).toMatchObject({ code: 0, data: { state: 'unknown', answer: null } }),
  }

  test.each(Object.entries(foreign).filter(([, check]) => check !== null))(
    'is unknown to %s',
    async (name, check) => {
      const endpoint = all.find(([known]) => known === name)?.[1]
      if (endpoint === undefined || check === null) throw new Error(`${name} is no endpoint`)
      const { amy: token } = tokens
      // The other company's clerk has used this key.
      if (name === 'operationStatus') {
        const redeem = { token: await logIn(other), key: theirs.key }
        await ok(other, endpoints.redeemCoupon, validInputs(theirs).redeemCoupon, redeem)
      }
      const before = await effects()
      const input = Object.entries(validInputs(theirs)).find(([known]) => known === name)?.[1]
      check(await call(company, endpoint, input, { token }))
      expect(await effects()).toEqual(before)
    },
  )

  test('cannot be combined: our member with their coupon, their member with ours', async () => {
    const { amy: token } = tokens
    const redeem = (input: object) => call(company, endpoints.redeemCoupon, input, { token })
    const before = await effects()
    const [mine, yours] = [validInputs(ours).redeemCoupon, validInputs(theirs).redeemCoupon]
    expect((await redeem({ ...mine, couponCode: yours['couponCode'] })).code).toBe(113001)
    expect((await redeem({ ...mine, memberCode: yours['memberCode'] })).code).toBe(111102)
    expect(await effects()).toEqual(before)
  })

  test('does not log in here: an account belongs to one company', async () => {
    await addClerk(other)
    const input = { identifier: company.identifier, account: 'only-theirs', password }
    expect((await call(company, endpoints.login, input)).code).toBe(103001)
    expect(
      (await call(company, endpoints.login, { ...input, identifier: other.identifier })).code,
    ).toBe(0)
  })
})

// The last test, because it ends the sessions and uses the coupon.
test('the same inputs work for a clerk with the permissions', async () => {
  // The codes in `ours` expire after some minutes, and the tests before can take longer.
  inputs = validInputs({ ...ours, codes: await sentCode(company) })
  const ending = new Set(['logout', 'changePassword'])
  for (const [name, endpoint] of all.filter(([known]) => !ending.has(known))) {
    const { amy: token } = tokens
    const answer = await call(company, endpoint, inputOf(name), { token })
    expect([name, answer.status, answer.code]).toEqual([name, 200, 0])
  }
  const answer = await call(company, logout, {}, { token: tokens.amy })
  expect(answer.code).toBe(0)
  const token = await logIn(company)
  await ok(company, endpoints.changePassword, inputs.changePassword, { token })
})

function refusedWith(code: number, data: object | null = null) {
  return (answer: unknown): void => expect(answer).toMatchObject({ status: 200, code, data })
}

async function addClerk(at: TestCompany): Promise<void> {
  const passwordHash = await hashPassword(password)
  await at.database.transaction(at.id, (tx) =>
    addStaff(tx, at.id, {
      account: 'only-theirs',
      firstName: 'Only',
      lastName: 'Theirs',
      groupCode: 'full',
      storeCode: 'S1',
      passwordHash,
    }),
  )
}
