import { issueCouponByPoints } from '@tillside/contract/coupon'
import { type EndpointName, endpoints } from '@tillside/contract/endpoints'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createApp } from '../app.ts'
import { countBursts } from '../testing/bursts.ts'
import { type Answer, call, logIn, ok, testCompany } from '../testing/factories/company.ts'
import { testClerk } from '../testing/factories/staff.ts'
import { callTargets, validInputs } from '../testing/hostile/calls.ts'

// A call that only reads takes one round trip to PostgreSQL where the process remembers the
// session: a statement that waits for another one's answer makes this test fail.

/** Calls without a key that are not one round trip, each with its reason. */
const exempt: Partial<Record<EndpointName, string>> = {
  logout: 'a change',
  changePassword: 'a change',
  confirmPassword: 'compares a hash between two transactions',
  setLanguage: 'a change',
  resignTnc: 'a change',
  revealContact: 'a change: it counts against a limit',
  sendMobileCaptcha: 'a change',
  validateMobileCaptcha: 'a change',
  sendEmailCaptcha: 'a change',
  validateEmailCaptcha: 'a change',
  searchHistoryKey: 'a change: it makes the key',
  writeShiftNote: 'a change',
  readShiftNote: 'a change',
  getPermission: 'a change: the session then relies on the answer',
  operationStatus: 'looks for the request until it has ended',
  couponCodeDetail: 'finds the member of the code before the coupon',
  previewPoints: 'needs the exact time, and the lots that it would take',
  getRuleBook: 'asks for the points of an example, which the definition decides',
  storeActivity: 'names the clerks of the totals; it is about no member',
}

const isExempt = (name: string) => Object.hasOwn(exempt, name)
const reads = Object.entries<Endpoint>(endpoints).filter(
  ([name, { needsKey, access }]) => !needsKey && access !== 'public' && !isExempt(name),
)

const { restore, counted: countedOf } = countBursts()

let company: Awaited<ReturnType<typeof testCompany>>
let app: typeof company.app
let token: string
let inputs: ReturnType<typeof validInputs>
beforeAll(async () => {
  company = await testCompany()
  const log = pino({ level: 'silent' })
  app = await createApp(company.database, log, { remembersSessions: true })
  token = await logIn(company)
  const targets = await callTargets(company)
  inputs = validInputs(targets)
  const { memberCode } = targets
  // The history then names a coupon.
  await ok(company, issueCouponByPoints, { memberCode, couponId: 'LATTE', quantity: 1 }, { token })
})
afterAll(async () => {
  restore()
  await app.close()
  await company.close()
})

function counted(
  endpoint: Endpoint,
  input: object,
  as = token,
): Promise<{ answer: Answer; bursts: number }> {
  return countedOf(() => call({ app }, endpoint, input, { token: as }))
}

/** The first calls read the session, the settings and the tiers of the company. */
async function once(endpoint: Endpoint, input: object, as = token) {
  await counted(endpoint, input, as)
  return counted(endpoint, input, as)
}

const inputOf = (name: string) =>
  Object.entries(inputs).find(([known]) => known === name)?.[1] ?? {}

describe('a read takes one round trip', () => {
  test.each(reads)('%s', async (name, endpoint) => {
    const wide = name === 'pointHistory' ? { memberCode: inputs.pointHistory['memberCode'] } : null
    const { answer, bursts } = await once(endpoint, wide ?? inputOf(name))
    expect([answer.code, bursts]).toEqual([0, 1])
  })

  const ofMembers = reads.filter(([, { input }]) =>
    z.safeParse(input, {}).error?.issues.some(({ path }) => path[0] === 'memberCode'),
  )
  test('of nine calls that name a member', () => {
    expect(ofMembers.length).toBeGreaterThanOrEqual(9)
  })

  test.each(ofMembers)('%s of an unknown member', async (name, endpoint) => {
    const input = { ...inputOf(name), memberCode: 'NOBODY' }
    const { answer, bursts } = await once(endpoint, input)
    expect([answer.code, bursts]).toEqual([111102, 1])
  })

  test.each(ofMembers)('%s of a clerk without permissions', async (name, endpoint) => {
    const blind = await testClerk(company, `blind${name.toLowerCase()}`, { groupCode: 'viewer' })
    for (const memberCode of [inputs.membershipInfo['memberCode'], 'NOBODY']) {
      const long = await call(company, endpoint, { ...inputOf(name), memberCode }, { token: blind })
      const { answer } = await once(endpoint, { ...inputOf(name), memberCode }, blind)
      expect(answer).toEqual(long)
    }
  })
})
