import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passwordProblem } from './problem.ts'

const context = ['aurora', 'Aurora Coffee', '極光咖啡', 'Bryant Park', 'NY001', 'KAYAN.wong', 'Amy']

test.each([
  ['Counter#2026', null],
  ['Teapot#2026', null],
  ['密码密码密码', 'format'],
  ['密码一二三四五六', null],
  ['83920174', null],
  ['short#7', 'format'],
  ['seventeen#chars#1', 'format'],
  ['with space1', 'format'],
  ['with\u3000space', 'format'],
  ['e\u0301'.repeat(4), 'format'],
  ['half\ud800half', 'format'],
  ['zero\u200bwidth', 'format'],
  ['bell\u0007bell', 'format'],
  ['joi\u200dner12', 'format'],
  ['12345678', 'tooCommon'],
  ['Password123', 'tooCommon'],
  ['QWERTYUIOP', 'tooCommon'],
  ['1QAZ2wsx', 'tooCommon'],
  ['woaini1314', 'tooCommon'],
  ['ＰａｓｓｗｏｒｄＩ', null],
  ['Ｐａｓｓｗｏｒｄ１', 'tooCommon'],
  ['Password#2026', 'tooCommon'],
  ['2026Dragon!', 'tooCommon'],
  ['Welcome2026', 'tooCommon'],
  ['P@ssw0rd2026', 'tooCommon'],
  ['aaaaaaaaaaaa', 'tooCommon'],
  ['21212121', 'tooCommon'],
  ['Tillside2026', 'tooCommon'],
  ['tillside-aurora', 'tooCommon'],
  ['Aurora#2026', 'tooCommon'],
  ['ＡＵＲＯＲＡ２０２６', 'tooCommon'],
  ['AuroraCoffee1', 'tooCommon'],
  ['極光咖啡2026', 'tooCommon'],
  ['BryantPark#1', 'tooCommon'],
  ['NY001ny001', 'tooCommon'],
  ['2025-2026', 'tooCommon'],
  ['kayan.wong', 'tooCommon'],
  ['KaYan.Wong', 'tooCommon'],
  ['Amy20262026', 'tooCommon'],
  ['aurora-teapot', null],
])('the password %s', (password, problem) => {
  expect(passwordProblem(password, context)).toBe(problem)
})

test('the list has at least 10,000 passwords of 8 to 16 characters, folded', () => {
  const words = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
  const long = words.filter((word) => word.length >= 8 && word.length <= 16)
  expect(new Set(long).size).toBeGreaterThan(10_000)
  expect(words.filter((word) => word !== word.normalize('NFKC').toLowerCase())).toEqual([])
})
