import { getCustomRegisterConfig } from '@tillside/contract/company'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { testRegister } from '../testing/factories/register-form.ts'
import { memberIn, refusedFields, signUp } from '../testing/factories/registration.ts'

// A field that asks for at least two selections (specification, section 5).
let company: TestCompany
let token: string
beforeAll(async () => {
  const fields = testRegister.fields.map((field) =>
    field.name === 'likes' ? { ...field, minSelections: 2 } : field,
  )
  company = await testCompany({ register: { ...testRegister, fields } })
  token = await logIn(company)
})
afterAll(() => company.close())

test('the form names the minimum', async () => {
  const { fields } = await ok(company, getCustomRegisterConfig, {}, { token })
  expect(fields.find(({ name }) => name === 'likes')?.minSelections).toBe(2)
  expect(fields.find(({ name }) => name === 'size')?.minSelections).toBeNull()
})

test('fewer selections are refused; none is allowed where the field is optional', async () => {
  for (const likes of [['tea'], ['tea', 'tea']]) {
    expect(refusedFields(await signUp(company, token, { likes }))).toEqual(['likes:tooFew'])
  }
  const likes = ['tea', 'jam']
  expect(memberIn(await signUp(company, token, { likes })).customFields?.['likes']).toEqual(likes)
  expect(memberIn(await signUp(company, token, { likes: [] })).firstName).toBe('Mei')
})
