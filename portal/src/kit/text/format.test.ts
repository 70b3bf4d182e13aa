import { currencyDecimals } from '@tillside/contract/rules/money'
import { describe, expect, test } from 'vitest'
import {
  currencySign,
  dayOf,
  formatCode,
  formatDate,
  formatMoney,
  formatPeriod,
  formatPoints,
  isTimeZone,
} from './format.ts'

describe('money', () => {
  test.each([
    ['0', '0.00'],
    ['1286', '1,286.00'],
    ['1286.5', '1,286.50'],
    ['999.995', '1,000.00'],
    ['-128.00', '\u2212128.00'],
    ['-0.001', '0.00'],
    ['+5', '5.00'],
    ['123456789012345.67', '123,456,789,012,345.67'],
    ['0.1', '0.10'],
    ['free', 'free'],
    ['', ''],
  ])('%s is shown as %s', (given, shown) => expect(formatMoney(given)).toBe(shown))

  test.each([
    ['HKD', 'zh-HK', 'HK$1,286.50', '\u2212HK$0.10'],
    ['TWD', 'zh-TW', '$1,286.50', '\u2212$0.10'],
    ['CNY', 'zh-CN', '¥1,286.50', '\u2212¥0.10'],
    ['CHF', 'en-US', 'CHF\u00a01,286.50', '\u2212CHF\u00a00.10'],
    ['JPY', 'en-US', '¥1,287', '¥0'],
    ['KWD', 'en-US', 'KWD\u00a01,286.500', '\u2212KWD\u00a00.100'],
  ] as const)('in %s and %s it is %s', (currency, language, shown, negative) => {
    const sign = currencySign(currency, language)
    const places = currencyDecimals(currency)
    expect(formatMoney('1286.5', sign, places)).toBe(shown)
    expect(formatMoney('-0.1', sign, places)).toBe(negative)
    expect(formatMoney('free', sign)).toBe('free')
  })
})

describe('points', () => {
  test.each([
    [12480, false, '12,480'],
    [1286, true, '+1,286'],
    [-1200, true, '\u22121,200'],
    [0, true, '0'],
    [999, false, '999'],
  ])('%i signed %s is %s', (points, signed, shown) =>
    expect(formatPoints(points, signed)).toBe(shown),
  )
})

describe('dates', () => {
  test.each([
    ['short', 'en-US', '31/12/2026'],
    ['coupon', 'en-US', '31/12/2026'],
    ['short', 'zh-HK', '2026/12/31'],
    ['coupon', 'zh-TW', '2026/12/31'],
    // A date has no time, so none is shown.
    ['long', 'en-US', '31/12/2026'],
    ['long1', 'en-US', '31-12-2026'],
    ['long1', 'zh-CN', '2026-12-31'],
  ] as const)('a day as %s in %s', (kind, language, shown) =>
    expect(formatDate('2026-12-31', kind, language)).toBe(shown),
  )

  test('an instant without a zone is shown in the device’s zone', () => {
    const at = new Date(2026, 10, 20, 14, 2, 11).toISOString()
    expect(formatDate(at, 'long', 'en-US')).toBe('20/11/2026 14:02:11')
    expect(formatDate(at, 'long1', 'zh-CN')).toBe('2026-11-20 14:02:11')
    expect(formatDate(at, 'short', 'zh-CN')).toBe('2026/11/20')
  })

  test.each([
    ['2026-11-20T15:59:59Z', 'Asia/Hong_Kong', '2026-11-20', '23:59:59'],
    ['2026-11-20T16:00:00Z', 'Asia/Hong_Kong', '2026-11-21', '00:00:00'],
    ['2026-11-21T04:59:59Z', 'America/New_York', '2026-11-20', '23:59:59'],
    ['2026-11-21T05:00:00Z', 'America/New_York', '2026-11-21', '00:00:00'],
    // Daylight saving time moves midnight by an hour.
    ['2026-07-21T04:00:00Z', 'America/New_York', '2026-07-21', '00:00:00'],
    ['2026-12-31T16:00:00Z', 'Asia/Taipei', '2027-01-01', '00:00:00'],
  ])('%s in %s is the day %s at %s', (at, zone, day, time) => {
    expect(dayOf(new Date(at), zone)).toBe(day)
    expect(formatDate(at, 'long1', 'zh-HK', zone)).toBe(`${day} ${time}`)
  })

  test('a calendar day is the same in every zone', () =>
    expect(formatDate('2026-11-20', 'short', 'zh-HK', 'America/New_York')).toBe('2026/11/20'))

  test('recognises supported time zones', () =>
    expect(['Asia/Taipei', 'UTC', 'Moon/Tranquility'].map(isTimeZone)).toEqual([true, true, false]))

  test.each(['0000-00-00', '0000-00-00 00:00:00', '0000/00/00'])('the zero date %s', (zero) => {
    expect(formatDate(zero, 'long1', 'en-US')).toBe('0000/00/00')
    expect(formatDate(zero, 'short', 'zh-TW')).toBe('0000/00/00')
  })

  test('a text that is not a date is returned unchanged', () =>
    expect(formatDate('soon', 'short', 'en-US')).toBe('soon'))

  test('formats a period', () => {
    expect(formatPeriod('2026-11-01', '2026-11-30', 'en-US')).toBe(
      '01/11/2026\u2009\u2013\u200930/11/2026',
    )
    expect(formatPeriod('2026-11-01', '2026-11-30', 'zh-HK')).toBe('2026/11/01 \u2013 2026/11/30')
  })

  test('counts calendar days, also across a clock change', () => {
    expect(dayOf(new Date(2026, 0, 5), undefined)).toBe('2026-01-05')
  })
})

describe('codes', () => {
  test.each([
    ['884200917735', '8842 0091 7735'],
    ['88420091773', '8842 0091 773'],
    ['ABC', 'ABC'],
    ['', ''],
  ])('%s in groups', (code, shown) => expect(formatCode(code)).toBe(shown))
})
