import { describe, expect, test } from 'vitest'
import { type Language, languages } from '../wire/language.ts'
import { acceptedLanguages, fittingLanguage, nearestLanguage } from './language-fit.ts'

/** The first visit as the server sees it: an Accept-Language header, at a company. */
function firstVisit(header: string, supported: readonly Language[]): Language {
  return fittingLanguage(supported, acceptedLanguages(header), supported[0] ?? 'en-US')
}

test('a choice is kept while it is supported, and dropped when it is not', () => {
  expect(fittingLanguage(languages, ['zh-TW', 'en-US'], 'en-US')).toBe('zh-TW')
  expect(fittingLanguage(['zh-HK', 'en-US'], ['xx', null], 'zh-HK')).toBe('zh-HK')
  expect(fittingLanguage(['zh-CN', 'en-US'], ['fr-FR', 'en-US'], 'zh-CN')).toBe('en-US')
})

describe('a near wish is better than the company’s own language', () => {
  test.each([
    ['en-GB', 'en-US'],
    ['en', 'en-US'],
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-MY', 'zh-CN'],
    ['zh-Hans-CN', 'zh-CN'],
    // The script says more than the region.
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh-MO', 'zh-HK'],
    ['zh-HK', 'zh-HK'],
    ['ZH-hk', 'zh-HK'],
    ['zh-Hant-HK', 'zh-HK'],
    ['zh-Hant-MO', 'zh-HK'],
    ['yue', 'zh-HK'],
    ['yue-Hant-HK', 'zh-HK'],
  ])('%s is served by %s', (wish, expected) => {
    expect(fittingLanguage(languages, [wish], 'en-US')).toBe(expected)
  })
  test.each(['fr-FR', '', '*', 'zh_HK', 'x', 'e', '漢', '-', 'en--US'])('%j has none', (wish) => {
    expect(fittingLanguage(languages, [wish], 'zh-TW')).toBe('zh-TW')
  })
})

describe('a first visit', () => {
  const harbour = ['zh-HK', 'en-US'] as const
  const aurora = ['en-US', 'zh-CN', 'zh-TW'] as const
  test.each<[string, readonly Language[], Language]>([
    ['en-GB', harbour, 'en-US'],
    ['en-GB,en;q=0.9', harbour, 'en-US'],
    ['zh-MO', aurora, 'zh-TW'],
    ['zh-Hant', aurora, 'zh-TW'],
    ['zh-Hant-HK', aurora, 'zh-TW'],
    ['zh-SG', aurora, 'zh-CN'],
    ['zh-MO,zh;q=0.9', languages, 'zh-HK'],
    ['zh-MO,zh;q=0.9', harbour, 'zh-HK'],
    ['zh-MO,zh;q=0.9', aurora, 'zh-TW'],
    ['zh-Hant', ['en-US', 'zh-HK'], 'zh-HK'],
    // No Simplified Chinese for a reader of Traditional Chinese before the next wish is asked.
    ['zh-TW,en-US;q=0.8', ['zh-CN', 'en-US'], 'en-US'],
    ['zh-TW,zh;q=0.8,en;q=0.7', ['en-US', 'zh-CN'], 'zh-CN'],
    ['fr;q=1,en;q=0.1', harbour, 'en-US'],
    ['', harbour, 'zh-HK'],
  ])('with %j at a company with %j is in %s', (header, supported, expected) => {
    expect(firstVisit(header, supported)).toBe(expected)
  })
})

test('one wish has the nearest supported language, or none', () => {
  expect(nearestLanguage(['en-US', 'zh-TW'], 'zh-Hant-HK')).toBe('zh-TW')
  expect(nearestLanguage(['en-US', 'zh-TW'], 'zh-CN')).toBe('zh-TW')
  expect(nearestLanguage(['en-US', 'zh-CN'], 'zh-TW')).toBeNull()
  expect(nearestLanguage(languages, 'fr-FR')).toBeNull()
})

test.each([
  ['zh-MO,zh;q=0.9', ['zh-MO', 'zh']],
  ['en;q=0.2, zh-HK ; q=0.8,fr', ['fr', 'zh-HK', 'en']],
  ['en;Q=0.5,de;q=0,fr;q=x,it;q=7', ['en']],
  ['en;q=0.5,zh;q=0.5', ['en', 'zh']],
])('%s asks for %j', (header, expected) => {
  expect(acceptedLanguages(header)).toEqual(expected)
})
