import { validateEmailCaptcha, validateMobileCaptcha } from '@tillside/contract/verification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { signUp, memberIn } from '../testing/factories/registration.ts'
import { testRegister } from '../testing/factories/register-form.ts'
import { sentCode } from '../testing/verification.ts'
import { createProof } from '../verification/proof.ts'

const missing = (contact: string) => ({ code: 112002, data: { field: contact } })

describe('a proof', () => {
  let strict: TestCompany
  let clerk: string
  beforeAll(async () => {
    strict = await testCompany({
      register: { ...testRegister, verification: { mobile: true, email: true } },
    })
    clerk = await logIn(strict)
  })
  afterAll(() => strict.close())

  const proof = (contact: 'mobile' | 'email', value: string) =>
    strict.database.transaction(strict.id, async (tx) =>
      createProof(tx, strict, { purpose: 'register', contact, value }),
    )
  const proven = async (mobile: string) => ({
    mobile,
    mobileVerification: await proof('mobile', `+852${mobile}`),
  })

  test('is required for each given contact if the company requires it', async () => {
    expect(await signUp(strict, clerk)).toMatchObject(missing('mobile'))
    const email = { email: 'mei@example.com' }
    expect(await signUp(strict, clerk, { ...(await proven('51230001')), ...email })).toMatchObject(
      missing('email'),
    )
    expect((await signUp(strict, clerk, await proven('51230002'))).code).toBe(0)
    const emailVerification = await proof('email', 'mei@example.com')
    const both = { ...(await proven('51230003')), email: 'MEI@example.com', emailVerification }
    expect((await signUp(strict, clerk, both)).code).toBe(0)
  })

  test('is given for the code that the customer reads out', async () => {
    const { mobile, email } = await sentCode(strict)
    const proofs = {
      mobile: await ok(strict, validateMobileCaptcha, mobile, { token: clerk }),
      email: await ok(strict, validateEmailCaptcha, email, { token: clerk }),
    }
    const answer = await signUp(strict, clerk, {
      mobile: mobile.mobile,
      mobileVerification: proofs.mobile.verification,
      email: email.email,
      emailVerification: proofs.email.verification,
    })
    expect(memberIn(answer)).toMatchObject({ mobile: mobile.mobile, email: email.email })
  })

  test('used many times at once creates one member', async () => {
    const one = await proven('51230031')
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(strict, clerk, one)))
    const codes = answers.map(({ code }) => code)
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(codes.filter((code) => code === 112002 || code === 111103)).toHaveLength(19)
  })

  test('is valid once, and only for its own number', async () => {
    const one = await proven('51230011')
    expect((await signUp(strict, clerk, { ...one, mobile: '51230012' })).code).toBe(112002)
    const another = { mobile: '51230011', mobileVerification: 'x'.repeat(43) }
    expect((await signUp(strict, clerk, another)).code).toBe(112002)
    expect((await signUp(strict, clerk, one)).code).toBe(0)
    expect((await signUp(strict, clerk, { ...one, mobile: '51230011' })).code).toBe(112002)
  })

  test('is not consumed by a refusal', async () => {
    const one = await proven('51230021')
    expect((await signUp(strict, clerk, { ...one, gender: 'X' })).code).toBe(422)
    await signUp(strict, clerk, {
      ...(await proven('51230022')),
      ...(await withEmail('b@example.com')),
    })
    const taken = await signUp(strict, clerk, {
      ...one,
      ...(await withEmail('b@example.com')),
    })
    expect(taken).toMatchObject({ code: 111103, data: { field: 'email' } })
    expect((await signUp(strict, clerk, one)).code).toBe(0)
  })

  const withEmail = async (email: string) => ({
    email,
    emailVerification: await proof('email', email),
  })
})
