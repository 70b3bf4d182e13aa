import {
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { statement } from '../database/database.ts'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { post } from '../testing/servers/process.ts'
import { twoServers } from '../testing/servers/two.ts'
import { sentCode, testMobile, waitingCode } from '../testing/verification.ts'
import { consumeProof } from './proof.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const validate = (input: object) => call(company, validateMobileCaptcha, input, { token })
const age = (mobile: string, seconds: number) =>
  company.database.transaction(company.id, (tx) =>
    tx.run(
      statement(
        `update contact_code set expires_at = expires_at - make_interval(secs => $3)
         where company_id = $1 and value = $2`,
        z.unknown(),
      ),
      [company.id, `+852${mobile}`, seconds],
    ),
  )
const headers = () => ({ authorization: `Bearer ${token}` })
/** A code other than the correct one. */
const wrong = (captcha: string, n = 1) => String((Number(captcha) + n) % 1_000_000).padStart(6, '0')

describe('the correct code', () => {
  test('gives a proof of that contact only', async () => {
    const { mobile, email } = await sentCode(company)
    const proofs = {
      mobile: (await ok(company, validateMobileCaptcha, mobile, { token })).verification,
      email: (await ok(company, validateEmailCaptcha, email, { token })).verification,
    }
    const { database, id } = company
    const use = (contact: 'mobile' | 'email', value: string, reference: string) =>
      database.transaction(id, (tx) =>
        consumeProof(tx, company, { purpose: 'register', contact, value }, reference),
      )
    expect(await use('mobile', `+852${mobile.mobile}`, proofs.email)).toBe(false)
    expect(await use('mobile', '+85266666666', proofs.mobile)).toBe(false)
    expect(await use('mobile', `+852${mobile.mobile}`, proofs.mobile)).toBe(true)
    expect(await use('email', email.email, proofs.email)).toBe(true)
  })

  test('may be typed with full-width digits and spaces', async () => {
    const { mobile } = await sentCode(company)
    const wide = Array.from(mobile.captcha, (digit) =>
      String.fromCodePoint(0xff10 + Number(digit)),
    ).join(' ')
    expect((await validate({ ...mobile, captcha: wide })).code).toBe(0)
  })

  test('works once', async () => {
    const { mobile } = await sentCode(company)
    expect((await validate(mobile)).code).toBe(0)
    expect(await validate(mobile)).toMatchObject({
      code: 112002,
      message: 'Please send the verification code',
      data: { field: 'mobile' },
    })
  })

  test('is valid for five minutes', async () => {
    const { mobile } = await sentCode(company)
    // Twenty seconds are left for this test on a busy machine.
    await age(mobile.mobile, 280)
    expect((await validate({ ...mobile, captcha: wrong(mobile.captcha) })).code).toBe(112001)
    await age(mobile.mobile, 20)
    expect((await validate(mobile)).code).toBe(112002)
  })

  test('is valid in its company only', async () => {
    const { mobile } = await sentCode(company)
    const other = await testCompany()
    const answer = await call(other, validateMobileCaptcha, mobile, { token: await logIn(other) })
    expect(answer.code).toBe(112002)
    await other.close()
    expect((await validate(mobile)).code).toBe(0)
  })
})

describe('a wrong code', () => {
  test('is refused, and allows five attempts', async () => {
    const { mobile } = await sentCode(company)
    for (let left = 4; left >= 0; left--) {
      expect(await validate({ ...mobile, captcha: wrong(mobile.captcha) })).toMatchObject({
        code: 112001,
        message: 'Please enter valid verification Code',
        data: { attemptsLeft: left },
      })
    }
    expect((await validate(mobile)).code).toBe(112002)
  })

  test('for a number without a code is refused as missing', async () => {
    const answer = await validate({ ...testMobile(), captcha: '123456' })
    expect(answer).toMatchObject({ code: 112002, data: { field: 'mobile' } })
  })
})

describe('two server processes', () => {
  let addresses: string[]
  beforeAll(async () => {
    addresses = await twoServers()
  })
  const onBoth = <T>(count: number, one: (address: string, n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => one(addresses[n % 2] ?? '', n)))

  test('compare only five of thirty concurrent guesses', async () => {
    const { mobile } = await sentCode(company)
    const answers = await onBoth(30, (address, n) => {
      const captcha = wrong(mobile.captcha, n + 1)
      return post(address, validateMobileCaptcha, { ...mobile, captcha }, headers())
    })
    const looked = answers.filter(({ code }) => code === 112001)
    expect(looked.map(({ data }) => data)).toEqual(
      expect.arrayContaining([0, 1, 2, 3, 4].map((attemptsLeft) => ({ attemptsLeft }))),
    )
    expect(looked).toHaveLength(5)
    expect(answers.filter(({ code }) => code === 112002)).toHaveLength(25)
    expect((await validate(mobile)).code).toBe(112002)
  })

  test('give one proof for one code', async () => {
    const { mobile } = await sentCode(company)
    const answers = await onBoth(5, (address) =>
      post(address, validateMobileCaptcha, mobile, headers()),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 112002)).toHaveLength(4)
  })

  test('send one code for fifty concurrent requests', async () => {
    const number = testMobile()
    const answers = await onBoth(50, (address) =>
      post(address, sendMobileCaptcha, number, headers()),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 112003)).toHaveLength(49)
    const captcha = await waitingCode(company, `+852${number.mobile}`)
    expect((await validate({ ...number, captcha })).code).toBe(0)
  })
})
