import { expect, test } from 'vitest'
import { endpoints } from './endpoints.ts'
import { type FailureName, failures, httpFailures, implicitFailures } from './failures.ts'

// The contract page's section 5, as far as it is served. A code is what a till's software was
// written against: once given it never changes and never means anything else.
const page: Record<FailureName, number> = {
  invalid: 422,
  noPermission: 10000,
  accountUnknown: 103001,
  storeInactive: 103002,
  passwordWrong: 103003,
  tooManyAttempts: 103005,
  identifierUnknown: 104001,
  languageUnsupported: 105001,
  memberUnknown: 111102,
  couponUnknown: 113001,
  couponUsed: 113002,
  couponExpired: 113003,
  couponNotStarted: 113004,
  couponOtherStore: 113005,
  couponOtherMember: 113006,
  keyReused: 116001,
}

test('every refusal has the code of the contract page', () => {
  const codes = Object.entries(failures).map(([name, failure]) => [name, failure.code])
  expect(Object.fromEntries(codes)).toEqual(page)
})

test('no code stands for two refusals, and none for success', () => {
  const codes = [...Object.values(failures).map((f) => f.code), ...Object.values(httpFailures)]
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).not.toContain(0)
})

test('every refusal is one that some endpoint gives', () => {
  const given = new Set<string>(implicitFailures)
  for (const { refusals } of Object.values(endpoints)) for (const name of refusals) given.add(name)
  expect(Object.keys(failures).filter((name) => !given.has(name))).toEqual([])
})
