import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CalendarDay, Day, MemberCode, Money, name, page, text, wholeNumber } from './shapes.ts'

const read = (schema: z.ZodMiniType, value: unknown): unknown => {
  const parsed = z.safeParse(schema, value)
  return parsed.success ? parsed.data : 'refused'
}

describe('a text', () => {
  test.each([
    ['is trimmed', '  Ann ', 'Ann'],
    ['is brought to NFC', 'Cafe\u0301', 'Café'],
    ['may have the maximum length', 'x'.repeat(10), 'x'.repeat(10)],
    ['keeps a paired surrogate', '😀', '😀'],
    ['keeps right-to-left words', 'שלום', 'שלום'],
    [
      'keeps a joiner between visible characters',
      '\u0915\u094d\u200d\u0937',
      '\u0915\u094d\u200d\u0937',
    ],
    ['keeps a variation selector after an emoji', '\u2764\ufe0f', '\u2764\ufe0f'],
    ['is refused if it has only zero-width spaces', '\u200b \u200b', 'refused'],
    ['is refused if it has only a joiner', '\u200d', 'refused'],
    ['is refused if it has only a Hangul filler', '\u3164', 'refused'],
    ['is refused if it has only a soft hyphen', '\u00ad', 'refused'],
    ['is refused if it has only an empty Braille cell', '\u2800', 'refused'],
    ['is refused if it has only a tag', '\u{e0041}', 'refused'],
    ['is refused if it has only a line separator', '\u2028', 'refused'],
    ['is refused with a line separator inside', 'a\u2028b', 'refused'],
    ['is refused with a paragraph separator inside', 'a\u2029b', 'refused'],
    ['is refused if it is empty after trimming', '   ', 'refused'],
    ['is refused when it is longer', 'x'.repeat(11), 'refused'],
    ['is refused when it is far longer before trimming', ' '.repeat(41), 'refused'],
    ['is refused with a NUL', 'a\0b', 'refused'],
    ['is refused with a line feed inside', 'a\nb', 'refused'],
    ['is refused with C1 controls', 'a\u0085b', 'refused'],
    ['is refused with a bidirectional override', 'a\u202eb', 'refused'],
    ['is refused with an unpaired surrogate', 'a\ud800', 'refused'],
    ['is refused when it is a number', 7, 'refused'],
  ])('%s', (_case, value, expected) => {
    expect(read(text(10), value)).toBe(expected)
  })
})

test.each([
  ['is trimmed like a text', ' Mei Chan ', 'Mei Chan'],
  ['may have an emoji of two', 'Amy 👩\u200d🚀', 'Amy 👩\u200d🚀'],
  ['is refused with a zero-width space inside', 'Mei\u200bChan', 'refused'],
  ['is refused with a joiner between letters', 'Mei\u200dChan', 'refused'],
])('a name %s', (_, value, expected) => {
  expect(read(name(60), value)).toBe(expected)
})

describe('a day', () => {
  test.each([
    ['2026-02-28', true],
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2026-13-01', false],
    ['2026-1-1', false],
    ['2026-01-01T00:00:00Z', false],
    ['0001-01-01', true],
    ['0000-01-01', false],
  ])('%s: %s', (value, good) => {
    expect(read(CalendarDay, value) === value).toBe(good)
  })

  test('of an answer may be the zero date of some systems', () => {
    expect(read(Day, '0000-00-00')).toBe('0000-00-00')
    expect(read(CalendarDay, '0000-00-00')).toBe('refused')
  })
})

test.each([
  ['1234.50', true],
  ['-0.01', true],
  ['1234.5', false],
  ['1,234.50', false],
  ['.50', false],
  ['1e3', false],
])('money %s: %s', (value, good) => {
  expect(read(Money, value) === value).toBe(good)
})

test.each([
  [5, 5],
  ['5', 5],
  ['05', 5],
  [0, 'refused'],
  [101, 'refused'],
  ['1.5', 'refused'],
  [1.5, 'refused'],
  ['', 'refused'],
  ['١', 'refused'],
  [['5'], 'refused'],
])('a whole number from 1 to 100: %j', (value, expected) => {
  expect(read(wholeNumber(1, 100), value)).toBe(expected)
})

const wrong = (value: string) => z.safeParse(text(10), value).error?.issues[0]?.code
test('a text without visible characters is missing, like one of spaces', () => {
  expect([wrong('\u200b'), wrong('  '), wrong('\u202e')]).toEqual([
    'too_small',
    'too_small',
    'custom',
  ])
})

test('a page has twenty rows by default', () => {
  expect(read(z.object(page), {})).toEqual({ pageSize: 20 })
})

test.each([
  ['AUR10001', true],
  ['aur10001', true],
  ['ＡＵＲ１', false],
  ['AUR-1', false],
  ['AUR 1', false],
])('a member code is letters and digits: %s %s', (value, good) => {
  expect(read(MemberCode, value) === value).toBe(good)
})
