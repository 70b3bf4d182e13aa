import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import * as z from 'zod/mini'
import { isDeclared, type Named, named } from '../testing/hostile/calls.ts'
import {
  call,
  logIn,
  password,
  testCompany,
  type TestCompany,
} from '../testing/factories/company.ts'
import { projectRoot } from '../process/config.ts'

// The Big List of Naughty Strings in every field that takes a person's typing. It is public data
// that lies beside the project and not in it.
const file = join(projectRoot, '../shared/data/blns.json')
const there = existsSync(file)
if (!there) console.warn(`skipped: the naughty strings are not there (${file})`)
const strings = there ? z.array(z.string()).parse(JSON.parse(readFileSync(file, 'utf8'))) : []

let company: TestCompany
let token: string
let things: Named
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
  things = await named(company)
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

describe.skipIf(!there)('the naughty strings', () => {
  test('are all there', () => expect(strings.length).toBeGreaterThan(500))

  test.each(fields)('break nothing as a %s', async (_name, endpoint, inputOf) => {
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
