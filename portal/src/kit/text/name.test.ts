import { expect, test } from 'vitest'
import { fullName, maskedEmail, maskedMobile, maskedName } from './name.ts'

test.each([
  ['美玲', '陈', '陈美玲'],
  ['Mei Ling', 'chan', 'Mei Ling Chan'],
  ['grace', 'lee', 'Grace Lee'],
  ['jean-luc', "o'brien", "Jean-Luc O'Brien"],
  ['Ronald', 'McDonald', 'Ronald McDonald'],
  ['Peter', '陳', '陳Peter'],
  ['élodie', '', 'Élodie'],
  ['  Ana ', ' ruiz ', 'Ana Ruiz'],
  ['', '', ''],
])('%s and %s are called %s', (firstName, lastName, shown) =>
  expect(fullName({ firstName, lastName })).toBe(shown),
)

test.each([
  ['美玲', '陳', '陳•玲'],
  ['玲', '陳', '陳•'],
  ['美玲', '歐陽', '歐••玲'],
  ['Grace', 'Lee', 'G•••e'],
  ['', '陳', '陳•'],
  ['', '', '•'],
])('%s and %s are hidden as %s', (firstName, lastName, shown) =>
  expect(maskedName({ firstName, lastName })).toBe(shown),
)

test('a mobile number keeps its country and its end', () => {
  expect(maskedMobile('852', '51234567')).toBe('+852 •••• 4567')
  expect(maskedMobile(null, '51234567')).toBe('•••• 4567')
  expect(maskedMobile('1', '12345')).toBe('+1 •••• 45')
})

test('an e-mail address keeps its first letter and its domain', () => {
  expect(maskedEmail('meiling.chan@example.com')).toBe('m•••@example.com')
  expect(maskedEmail('nobody')).toBe('•••')
})
