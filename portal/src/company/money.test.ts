import { expect, test } from 'vitest'
import { signOfAmounts } from './money.ts'

test.each([
  [undefined, 'en-US', ''],
  [{ code: null, shown: false }, 'zh-CN', ''],
  [{ code: 'HKD', shown: false }, 'en-US', ''],
  [{ code: 'HKD', shown: true }, 'en-US', 'HK$'],
  [{ code: null, shown: true }, 'en-US', '$'],
  [{ code: null, shown: true }, 'zh-CN', '¥'],
  [{ code: null, shown: true }, 'zh-HK', 'CN¥'],
] as const)('amounts with the currency %j in %s have the sign %j', (currency, language, sign) => {
  expect(signOfAmounts(currency, language)).toBe(sign)
})
