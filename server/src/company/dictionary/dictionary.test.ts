import { dictionaryTypes, pointTypes } from '@tillside/contract/wire/codes'
import { getDictionary } from '@tillside/contract/company'
import { languages } from '@tillside/contract/wire/language'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../../testing/factories/company.ts'

let company: TestCompany
let token: string
beforeAll(async () => {
  company = await testCompany({
    languages: ['en-US', 'zh-HK'],
    sources: [{ code: 100000077, names: { 'en-US': 'Pop-up', 'zh-HK': '期間限定店' } }],
    callingCodes: ['852', '86', '423'],
    points: {
      perUnit: '1',
      expiry: { kind: 'none' },
      names: { singular: { 'en-US': 'bean' }, plural: { 'en-US': 'beans' } },
      typeNames: { earned: { 'en-US': 'Beans earned', 'zh-HK': '賺取豆豆' } },
    },
  })
  token = await logIn(company)
})
afterAll(() => company.close())

const ask = (types: unknown, language = 'en-US') =>
  ok(company, getDictionary, { types, parent: 'CN' }, { token, language })

describe('the dictionary', () => {
  test('returns only the requested types', async () => {
    expect(await ask(['gender', 'couponStatus'])).toEqual({
      gender: [
        { code: 'F', name: 'Female' },
        { code: 'M', name: 'Male' },
      ],
      couponStatus: [
        { code: 'ISSUED', name: 'Valid' },
        { code: 'USED', name: 'Redeemed' },
        { code: 'EXPIRED', name: 'Expired' },
      ],
    })
  })

  test('returns a type once when it is requested twice', async () => {
    expect(Object.keys(await ask(['tier', 'tier']))).toEqual(['tier'])
  })

  test('has the sixteen point types with the company’s own names', async () => {
    const { pointType = [] } = await ask(['pointType'])
    expect(pointType.map((entry) => entry.code)).toEqual(
      Object.values(pointTypes).map((type) => type.code),
    )
    const named = new Map(pointType.map((entry) => [entry.code, entry.name]))
    expect(named.get(100000000)).toBe('Beans earned')
    expect(named.get(100000012)).toBe('Expired')
    const inHongKong = await ask(['pointType'], 'zh-HK')
    expect(inHongKong.pointType).toContainEqual({ code: 100000000, name: '賺取豆豆' })
  })

  test('has the company’s own tiers, sources and calling codes', async () => {
    expect(await ask(['tier', 'transactionSource', 'callingCode'], 'zh-HK')).toEqual({
      tier: [
        { code: 'associate', name: 'Associate（港）' },
        { code: 'green', name: 'Green（港）' },
        { code: 'gold', name: 'Gold（港）' },
      ],
      transactionSource: [
        { code: 100000028, name: '實體分店' },
        { code: 100000029, name: '官方網站' },
        { code: 100000077, name: '期間限定店' },
      ],
      callingCode: [
        { code: '852', name: '香港' },
        { code: '86', name: '中國內地' },
        // A country without a name is shown by its code.
        { code: '423', name: '+423' },
      ],
    })
  })

  test('has names in each of the four languages', async () => {
    const female = []
    const completed = []
    for (const language of languages) {
      const dictionary = await ask(['gender', 'transactionStatus', 'invoiceType'], language)
      female.push(dictionary.gender?.[0]?.name)
      completed.push(dictionary.transactionStatus?.find((entry) => entry.code === 'deposit')?.name)
    }
    expect(female).toEqual(['Female', '女', '女', '女'])
    expect(completed).toEqual(['Deposit', '定金', '訂金', '訂金'])
  })

  test.each(languages)('has no empty name in %s', async (language) => {
    const dictionary = await ask(dictionaryTypes, language)
    expect(Object.keys(dictionary).sort()).toEqual([...dictionaryTypes].sort())
    for (const entries of Object.values(dictionary)) {
      expect(entries?.length).toBeGreaterThan(0)
      for (const { name } of entries ?? []) expect(name.trim()).not.toBe('')
    }
  })

  test.each([
    ['none', [], 'types', 'required'],
    ['an unknown type', ['gender', 'star'], 'types.1', 'notAllowed'],
    ['a text', 'gender', 'types', 'wrongType'],
    ['too many', Array.from({ length: 21 }, () => 'gender'), 'types', 'tooLong'],
  ])('refuses %s and names the field', async (_case, types, path, reason) => {
    const answer = await call(company, getDictionary, { types }, { token })
    expect(answer).toMatchObject({ code: 422, data: { fields: [{ path, reason }] } })
  })
})
