import { expect, test } from 'vitest'
import { fullName, greetingName, maskedEmail, maskedMobile, maskedName } from './person.ts'

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
  ['amy', 'chan', 'A•••n'],
  ['小小明', '歐陽', '歐•••明'],
  ['O', '', 'O•'],
  ['Jo', '', 'J•'],
  ['👨‍👩‍👧', 'Ng', '👨‍👩‍👧•••g'],
])('%s and %s are hidden as %s', (firstName, lastName, shown) =>
  expect(maskedName({ firstName, lastName })).toBe(shown),
)

test.each([
  ['51234567', '••••4567'],
  ['1234567', '••••4567'],
  ['123456', '••••56'],
])('the number %s is masked as %s', (mobile, shown) => expect(maskedMobile(mobile)).toBe(shown))

test.each([
  ['grace', 'Lee', 'Grace'],
  ['Mei Ling', 'Chan', 'Mei Ling'],
  ['小敏', '陳', '陳•敏'],
  ['Peter', '陳', '陳••••r'],
  ['', 'Lee', 'L•••e'],
])('%s and %s are greeted as %s', (firstName, lastName, shown) =>
  expect(greetingName({ firstName, lastName })).toBe(shown),
)

test('an e-mail address keeps its first letter and its domain', () => {
  expect(maskedEmail('meiling.chan@example.com')).toBe('m•••@example.com')
  expect(maskedEmail('nobody')).toBe('•••')
})
