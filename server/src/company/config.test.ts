import { getOtherConfig } from '@tillside/contract/company'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, ok, testCompany, type TestCompany } from '../testing/factories/company.ts'

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
