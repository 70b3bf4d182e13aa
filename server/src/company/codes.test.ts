import { getByCodes } from '@tillside/contract/company'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany({ idleLockMinutes: 15 })
  token = await logIn(company)
})
afterAll(() => company.close())

test('returns the rules with these codes, as the company set them', async () => {
  const codes = [
    'points.perUnit',
    'points.pendingDays',
    'points.expiry',
    'points.refundPolicy',
    'points.exchange',
    'tier.window',
    'tier.validityMonths',
    'tier.atEnd',
    'undoMinutes',
    'idleLockMinutes',
  ]
  expect(await ok(company, getByCodes, { codes }, { token })).toEqual({
    'points.perUnit': '1',
    'points.pendingDays': 0,
    'points.expiry': { kind: 'months', months: 12 },
    'points.refundPolicy': 'debt',
    'points.exchange': null,
    'tier.window': 'rolling12Months',
    'tier.validityMonths': 12,
    'tier.atEnd': 'stepDown',
    undoMinutes: 30,
    idleLockMinutes: 15,
  })
})

test('an unknown code is null', async () => {
  const codes = ['points', 'menus', 'constructor', 'toString', 'points.perUnit.x']
  expect(await ok(company, getByCodes, { codes }, { token })).toEqual(
    Object.fromEntries(codes.map((code) => [code, null])),
  )
})

test.each([
  [[]],
  [Array.from({ length: 51 }, (_, n) => `c${n}`)],
  [['']],
  [[null]],
  ['undoMinutes'],
])('invalid codes are refused: %j', async (codes) => {
  expect((await call(company, getByCodes, { codes }, { token })).code).toBe(422)
})
