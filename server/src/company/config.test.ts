import { getOtherConfig } from '@tillside/contract/company'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addStaff } from '../staff/accounts.ts'
import { logIn, ok, password, testCompany, type TestCompany } from '../testing/factories/company.ts'
import { quickHash } from '../testing/quick-hash.ts'

let plain: TestCompany
let rich: TestCompany
beforeAll(async () => {
  plain = await testCompany()
  rich = await testCompany({
    currency: { code: 'HKD', shown: true },
    birthdayMinAge: 16,
    idleLockMinutes: 5,
    staticPage: {
      titles: { 'en-US': 'House rules', 'zh-HK': '守則' },
      bodies: { 'en-US': 'Smile.', 'zh-HK': '微笑。' },
    },
    points: {
      perUnit: '1',
      expiry: { kind: 'none' },
      names: {
        singular: { 'en-US': 'bean', 'zh-HK': '豆' },
        plural: { 'en-US': 'beans', 'zh-HK': '豆豆' },
      },
      exchange: { minimum: 100, maximum: 5000, increment: 50, pointValue: '0.01', maxShare: 0.5 },
    },
  })
})
afterAll(async () => {
  await plain.close()
  await rich.close()
})

test('missing settings are null', async () => {
  expect(await ok(plain, getOtherConfig, {}, { token: await logIn(plain) })).toEqual({
    timeZone: 'Asia/Hong_Kong',
    undoMinutes: 30,
    profileFields: { shown: ['gender', 'birthday'], editable: ['firstName'] },
    pointExchangeRule: null,
    pointNames: { singular: 'point', plural: 'points' },
    idleLockMinutes: null,
    staticPage: null,
    callingCodes: ['852', '86'],
    currency: { code: null, shown: false },
    birthdayMinAge: null,
    maskContacts: false,
  })
})

test('the calling code of the store’s own country is the first, in every language', async () => {
  const company = await testCompany({
    stores: [
      { code: 'S1', name: 'Harbour City' },
      { code: 'S2', name: 'Senado Square', country: 'MO' },
      { code: 'S3', name: 'Lisbon', country: 'PT' },
      { code: 'S9', name: 'Closed Store', active: false },
    ],
    callingCodes: ['852', '853', '86'],
  })
  const names = { firstName: 'Eve', lastName: 'Test', groupCode: 'full' }
  await company.database.transaction(company.id, async (tx) => {
    for (const storeCode of ['S2', 'S3']) {
      const passwordHash = quickHash(password)
      await addStaff(tx, company.id, { ...names, account: storeCode, storeCode, passwordHash })
    }
  })
  const codes = async (account: string, language: string) => {
    const token = await logIn(company, account)
    return (await ok(company, getOtherConfig, {}, { token, language })).callingCodes
  }
  for (const language of ['en-US', 'zh-HK']) {
    expect(await codes('amy', language)).toEqual(['852', '853', '86'])
    expect(await codes('S2', language)).toEqual(['853', '852', '86'])
    // A store in a country without members yet adds its own code.
    expect(await codes('S3', language)).toEqual(['351', '852', '853', '86'])
  }
  await company.close()
})

test('without permissions only the rule for points against a sale is missing', async () => {
  const all = await ok(rich, getOtherConfig, {}, { token: await logIn(rich) })
  const none = await ok(rich, getOtherConfig, {}, { token: await logIn(rich, 'dan') })
  expect(none).toEqual({ ...all, pointExchangeRule: null })
})

test('texts are in the caller’s language', async () => {
  const token = await logIn(rich)
  expect(await ok(rich, getOtherConfig, {}, { token, language: 'zh-HK' })).toMatchObject({
    pointExchangeRule: {
      minimum: 100,
      maximum: 5000,
      increment: 50,
      pointValue: '0.01',
      maxShare: 0.5,
    },
    pointNames: { singular: '豆', plural: '豆豆' },
    currency: { code: 'HKD', shown: true },
    idleLockMinutes: 5,
    staticPage: { title: '守則', body: '微笑。' },
    birthdayMinAge: 16,
  })
  const english = await ok(rich, getOtherConfig, {}, { token })
  expect(english.staticPage).toEqual({ title: 'House rules', body: 'Smile.' })
})
