import { login, noPasswordLogin } from '@tillside/contract/auth'
import { getCustomTheme } from '@tillside/contract/company'
import { getCustomerCoupons, redeemCoupon } from '@tillside/contract/coupon'
import type { Endpoint } from '@tillside/contract/wire/endpoint'
import { getOneCustomer, membershipInfo } from '@tillside/contract/member'
import { listTransactions } from '@tillside/contract/transaction'
import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeclared, type CallTargets, callTargets } from '../testing/hostile/calls.ts'
import { naughtyFor, naughtyStrings } from '../testing/hostile/naughty-strings.ts'
import {
  call,
  logIn,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'

// Every field that takes typed text is given the Big List of Naughty Strings.
let company: TestCompany
let token: string
let things: CallTargets
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  things = await callTargets(company)
})
afterAll(() => company.close())

const fields: [string, Endpoint, (text: string) => unknown][] = [
  ['identifier', login, (identifier) => ({ identifier, account: 'amy', password })],
  ['account', login, (account) => ({ identifier: company.identifier, account, password })],
  [
    'password',
    login,
    (secret) => ({ identifier: company.identifier, account: 'ben', password: secret }),
  ],
  ['accessToken', noPasswordLogin, (accessToken) => ({ accessToken })],
  ['email', sendEmailCaptcha, (email) => ({ email })],
  ['mobile', sendMobileCaptcha, (mobile) => ({ mobile, countryCode: '852' })],
  [
    'captcha',
    validateMobileCaptcha,
    (captcha) => ({ countryCode: '852', mobile: '51234567', captcha }),
  ],
  ['xcrmIdentifier', getCustomTheme, (xcrmIdentifier) => ({ xcrmIdentifier })],
  ['cardNumber', getOneCustomer, (cardNumber) => ({ cardNumber })],
  ['code', getOneCustomer, (code) => ({ code })],
  ['uniCustomerNo', getOneCustomer, (uniCustomerNo) => ({ uniCustomerNo })],
  ['email', getOneCustomer, (email) => ({ email })],
  ['mobile', getOneCustomer, (mobile) => ({ mobile, countryCode: '852' })],
  ['countryCode', getOneCustomer, (countryCode) => ({ mobile: '51234567', countryCode })],
  ['memberCode', membershipInfo, (memberCode) => ({ memberCode })],
  ['cursor', getCustomerCoupons, (cursor) => ({ memberCode: things.memberCode, cursor })],
  ['cursor', listTransactions, (cursor) => ({ memberCode: things.memberCode, cursor })],
  ['from', listTransactions, (from) => ({ memberCode: things.memberCode, from })],
  ['couponCode', redeemCoupon, (couponCode) => ({ memberCode: things.memberCode, couponCode })],
  [
    'invoiceNumber',
    redeemCoupon,
    (invoiceNumber) => ({
      memberCode: things.memberCode,
      couponCode: things.couponCode,
      invoiceNumber,
    }),
  ],
]

describe('the naughty strings', () => {
  test('are all present', () => expect(naughtyStrings).toHaveLength(515))

  const numbered = fields.map(([name, endpoint, inputOf], place) => ({
    name,
    endpoint,
    inputOf,
    place,
  }))
  test.each(numbered)('break nothing as a $name', async ({ endpoint, inputOf, place }) => {
    const strings = naughtyFor(place)
    for (let n = 0; n < strings.length; n += 20) {
      const some = strings.slice(n, n + 20)
      const answers = await Promise.all(
        some.map((text) => call(company, endpoint, inputOf(text), { token })),
      )
      answers.forEach((answer, i) => {
        expect([some[i], answer, isDeclared(endpoint, answer)]).toEqual([some[i], answer, true])
      })
    }
  })
})
