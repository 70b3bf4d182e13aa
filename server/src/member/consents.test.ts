import type { Language } from '@tillside/contract/wire/language'
import { getOneCustomer, listConsents, resignTnc } from '@tillside/contract/member'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { refusedFields } from '../testing/factories/registration.ts'
import { testMember } from '../testing/factories/member.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany()
  token = await logIn(company)
})
afterAll(() => company.close())

const before = { staffId: null, storeCode: 'S2', at: '2024-05-06T03:04:05Z' } as const
const former = () =>
  testMember(company, {
    consent: { version: '1', language: 'zh-HK', ...before },
    marketingOptIn: true,
  })
const history = async (memberCode: string) =>
  (await ok(company, listConsents, { memberCode }, { token })).items

describe('terms', () => {
  test('are accepted again, with a row for each answer', async () => {
    const { memberCode } = await former()
    const find = () => ok(company, getOneCustomer, { code: memberCode }, { token })
    expect((await find()).tnc).toMatchObject({ acceptedVersion: '1', needsResign: true })
    const input = { memberCode, tncVersion: '2', marketingOptIn: false }
    const after = await ok(company, resignTnc, input, { token, language: 'zh-HK' })
    expect(after).toMatchObject({
      tnc: { acceptedVersion: '2', currentVersion: '2', needsResign: false },
      marketingOptIn: false,
      version: 1,
    })
    expect((await find()).tnc).toEqual(after.tnc)
    const [terms, marketing, ...older] = await history(memberCode)
    const now = { version: '2', language: 'zh-HK', store: { code: 'S1', name: 'Harbour City' } }
    expect(terms).toMatchObject({ kind: 'terms', agreed: true, ...now })
    expect(marketing).toMatchObject({ kind: 'marketing', agreed: false, ...now })
    expect(terms?.at).toBe(after.tnc?.acceptedAt)
    const then = {
      version: '1',
      language: 'zh-HK',
      at: '2024-05-06T03:04:05Z',
      store: { code: 'S2', name: 'Times Square' },
    }
    expect(older).toEqual([
      { kind: 'terms', agreed: true, ...then },
      { kind: 'marketing', agreed: true, ...then },
    ])
  })

  test('are stored with the language that the customer read, one of the company’s', async () => {
    const { memberCode } = await former()
    const input = { memberCode, tncVersion: '2', marketingOptIn: true }
    const read = (consentLanguage: Language) =>
      call(company, resignTnc, { ...input, consentLanguage }, { token, language: 'en-US' })
    expect(refusedFields(await read('zh-CN'))).toEqual(['consentLanguage:notAllowed'])
    expect((await read('zh-HK')).code).toBe(0)
    const [terms, marketing] = await history(memberCode)
    expect([terms?.language, marketing?.language]).toEqual(['zh-HK', 'zh-HK'])
  })

  test('sent twice with one idempotency key are two rows, not four', async () => {
    const { memberCode } = await former()
    const [input, key] = [
      { memberCode, tncVersion: '2', marketingOptIn: true },
      crypto.randomUUID(),
    ]
    await Promise.all(
      Array.from({ length: 5 }, () => ok(company, resignTnc, input, { token, key })),
    )
    expect(await history(memberCode)).toHaveLength(4)
  })

  test('of another version are refused', async () => {
    const { memberCode } = await former()
    const input = { memberCode, tncVersion: '1', marketingOptIn: true }
    expect(refusedFields(await call(company, resignTnc, input, { token }))).toEqual([
      'tncVersion:outdated',
    ])
    expect(await history(memberCode)).toHaveLength(2)
  })
})
