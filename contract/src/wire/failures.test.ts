import { expect, test } from 'vitest'
import { type FailureName, failures, httpFailures } from './failures.ts'

// Tills are programmed against these codes, so a code never changes its meaning.
const codesInUse: Record<FailureName, number> = {
  invalid: 422,
  noPermission: 10000,
  accountUnknown: 103001,
  storeInactive: 103002,
  passwordWrong: 103003,
  linkInvalid: 103004,
  tooManyAttempts: 103005,
  identifierUnknown: 104001,
  languageUnsupported: 105001,
  memberUnknown: 111102,
  contactTaken: 111103,
  memberChanged: 111104,
  lookUpChallenge: 111105,
  nameTooShort: 111106,
  nameNotSearchable: 111107,
  captchaWrong: 112001,
  captchaMissing: 112002,
  captchaTooOften: 112003,
  couponUnknown: 113001,
  couponUsed: 113002,
  couponExpired: 113003,
  couponNotStarted: 113004,
  couponOtherStore: 113005,
  couponOtherMember: 113006,
  couponOutOfStock: 113007,
  couponLimit: 113008,
  couponCost: 113009,
  couponsRefused: 113010,
  pointsNotConfigured: 114001,
  pointsBelowMinimum: 114002,
  pointsAboveMaximum: 114003,
  pointsNotMultiple: 114004,
  pointsAboveBalance: 114005,
  pointsAboveShare: 114006,
  giftUnknown: 114007,
  giftOutOfStock: 114008,
  giftLimit: 114009,
  balanceChanged: 114010,
  notCancellable: 114011,
  transactionUnknown: 115001,
  keyReused: 116001,
  allowanceUsedUp: 117001,
}

test('the code of each refusal never changes', () => {
  const codes = Object.entries(failures).map(([name, failure]) => [name, failure.code])
  expect(Object.fromEntries(codes)).toEqual(codesInUse)
})

test('no two refusals have the same code, and none has the code of success', () => {
  const codes = [...Object.values(failures).map((f) => f.code), ...Object.values(httpFailures)]
  expect(new Set(codes).size).toBe(codes.length)
  expect(codes).not.toContain(0)
})
