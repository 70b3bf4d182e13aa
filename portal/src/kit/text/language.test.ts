import { languages } from '@tillside/contract/wire/language'
import { expect, test } from 'vitest'
import { fittingLanguage } from './language.ts'

test('a choice is kept while it is supported, and dropped when it is not', () => {
  expect(fittingLanguage(languages, ['zh-TW', 'en-US'], 'en-US')).toBe('zh-TW')
  expect(fittingLanguage(['zh-HK', 'en-US'], ['xx', null], 'zh-HK')).toBe('zh-HK')
  expect(fittingLanguage(['zh-CN', 'en-US'], ['fr-FR', 'en-US'], 'zh-CN')).toBe('en-US')
})

function near(wish: string) {
  return fittingLanguage(languages, [wish], 'en-US')
}

test('a near wish is better than the company’s own language', () => {
  expect(near('en-GB')).toBe('en-US')
  expect(near('zh')).toBe('zh-CN')
  expect(near('zh-SG')).toBe('zh-CN')
  expect(near('zh-Hant')).toBe('zh-TW')
  expect(near('zh-MO')).toBe('zh-HK')
  expect(near('zh-Hant-HK')).toBe('zh-HK')
  expect(fittingLanguage(['zh-TW', 'en-US'], ['zh-HK'], 'en-US')).toBe('zh-TW')
})
