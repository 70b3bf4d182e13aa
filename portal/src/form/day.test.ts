import { expect, test } from 'vitest'
import { dayDigits, dayOrder, dayTyped, isPartWhole, noDay, partsOfDay } from './day.ts'

test.each([
  [{ year: '1990', month: '6', day: '4' }, '1990-06-04'],
  [{ year: '2024', month: '02', day: '29' }, '2024-02-29'],
  [{ year: '2023', month: '02', day: '29' }, null],
  [{ year: '1990', month: '13', day: '01' }, null],
  [{ year: '1990', month: '00', day: '01' }, null],
  [{ year: '1990', month: '04', day: '31' }, null],
  [{ year: '90', month: '04', day: '30' }, null],
  [{ year: '0000', month: '00', day: '00' }, null],
  [{ year: '1990', month: '', day: '1' }, null],
  [noDay, null],
])('%j is %s', (typed, day) => expect(dayTyped(typed)).toBe(day))

test('the order follows the language', () => {
  expect(dayOrder('en-US')).toEqual(['day', 'month', 'year'])
  expect(dayOrder('zh-HK')).toEqual(['year', 'month', 'day'])
})

test('a part is complete when no further digit can follow', () => {
  expect(isPartWhole('1', 'month')).toBe(false)
  expect(isPartWhole('2', 'month')).toBe(true)
  expect(isPartWhole('3', 'day')).toBe(false)
  expect(isPartWhole('4', 'day')).toBe(true)
  expect(isPartWhole('199', 'year')).toBe(false)
  expect(isPartWhole('1990', 'year')).toBe(true)
  expect(isPartWhole('', 'day')).toBe(false)
})

test('accepts digits of any width, and only digits', () => {
  expect(dayDigits('１２', 'day')).toBe('12')
  expect(dayDigits('1a2345', 'year')).toBe('1234')
})

test('the zero date is not a day', () => {
  expect(partsOfDay('0000-00-00')).toEqual(noDay)
  expect(partsOfDay(null)).toEqual(noDay)
  expect(partsOfDay('1990-06-04')).toEqual({ year: '1990', month: '06', day: '04' })
})
