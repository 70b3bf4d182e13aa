import { listTiers } from '@tillside/contract/tier'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'

let company: TestCompany
beforeAll(async () => {
  company = await testCompany({
    languages: ['zh-HK', 'en-US'],
    // As text, 1,000 would sort before 800.
    tiers: [
      {
        code: 'leaf',
        names: { 'zh-HK': '綠葉', 'en-US': 'Leaf' },
        threshold: '0',
        renewThreshold: '0',
      },
      {
        code: 'jade',
        names: { 'zh-HK': '翡翠', 'en-US': 'Jade' },
        threshold: '800.5',
        renewThreshold: '700',
        benefits: { 'zh-HK': ['生日禮遇'] },
      },
      { code: 'pearl', names: { 'zh-HK': '明珠' }, threshold: '1000', renewThreshold: '1000' },
    ],
  })
})
afterAll(() => company.close())

test('lists the tiers, lowest first, with amounts as decimal strings', async () => {
  const { items } = await ok(company, listTiers, {}, { token: await logIn(company) })
  expect(items).toEqual([
    {
      code: 'leaf',
      name: 'Leaf',
      level: 1,
      threshold: '0.00',
      renewThreshold: '0.00',
      benefits: [],
    },
    // Benefits and names in one language only are shown in the company's first one.
    {
      code: 'jade',
      name: 'Jade',
      level: 2,
      threshold: '800.50',
      renewThreshold: '700.00',
      benefits: ['生日禮遇'],
    },
    {
      code: 'pearl',
      name: '明珠',
      level: 3,
      threshold: '1000.00',
      renewThreshold: '1000.00',
      benefits: [],
    },
  ])
})

test('in a language that the company does not have, uses its first one', async () => {
  const token = await logIn(company)
  const { items } = await ok(company, listTiers, {}, { token, language: 'zh-CN' })
  expect(items.map((tier) => tier.name)).toEqual(['綠葉', '翡翠', '明珠'])
})

test('without the permission it is refused', async () => {
  const token = await logIn(company, 'dan')
  expect(await call(company, listTiers, {}, { token })).toMatchObject({ code: 10000, data: null })
})
