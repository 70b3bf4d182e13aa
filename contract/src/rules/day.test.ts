import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  birthdayProblem,
  daysBetween,
  dayText,
  endOfMonth,
  hasNoEnd,
  nextYearly,
} from './day.ts'

const days = fc
  .date({ min: new Date('1999-12-01'), max: new Date('2101-02-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
}

describe('days of the calendar', () => {
  it.each([
    ['2026-12-31', false],
    ['2098-12-31', false],
    ['2099-01-01', true],
    ['2999-12-31', true],
    ['0000-00-00', false],
  ])('the end %s means no end: %s', (day, endless) => {
    expect(hasNoEnd(day)).toBe(endless)
  })

  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-10-31', 4, '2027-02-28'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2100-01-31', 1, '2100-02-28'],
    ['2000-01-31', 1, '2000-02-29'],
  ])('%s and %i months are %s', (day, count, expected) => {
    expect(addMonths(day, count)).toBe(expected)
  })

  it.each([
    ['en-US', '/', '22/11/2026'],
    ['en-US', '-', '22-11-2026'],
    ['zh-CN', '/', '2026/11/22'],
    ['zh-HK', '-', '2026-11-22'],
  ] as const)('is read in %s with "%s" as %s', (language, separator, expected) => {
    expect(dayText('2026-11-22', language, separator)).toBe(expected)
  })

  it.each([
    ['2026-02-01', '2026-02-28'],
    ['2024-02-29', '2024-02-29'],
    ['2026-12-31', '2026-12-31'],
  ])('the month of %s ends on %s', (day, expected) => {
    expect(endOfMonth(day)).toBe(expected)
  })

  it.each([
    ['2026-12-30', ['12-31'], '2026-12-31'],
    ['2026-12-31', ['12-31'], '2027-12-31'],
    ['2026-05-01', ['12-31', '06-30'], '2026-06-30'],
    ['2026-07-01', ['06-30', '12-31'], '2026-12-31'],
    ['2026-01-01', ['02-29'], '2026-02-28'],
    ['2027-03-01', ['02-29'], '2028-02-29'],
  ])('after %s the next of %j is %s', (day, dates, expected) => {
    expect(nextYearly(day, dates)).toBe(expected)
  })

  it('adds the exact number of months and keeps the day unless the month is too short', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -60, max: 60 }), (day, count) => {
        const moved = addMonths(day, count)
        expect(monthOf(moved) - monthOf(day)).toBe(count)
        if (moved.slice(8) !== day.slice(8)) {
          expect(moved.slice(8) < day.slice(8)).toBe(true)
          expect(moved).toBe(endOfMonth(moved))
        }
      }),
    )
  })

  it('ends a month on the day before the next one begins', () => {
    fc.assert(
      fc.property(days, (day) => {
        const end = endOfMonth(day)
        expect(monthOf(end)).toBe(monthOf(day))
        expect(addDays(end, 1).slice(8)).toBe('01')
        expect(monthOf(addDays(end, 1))).toBe(monthOf(day) + 1)
      }),
    )
  })

  it('adds and subtracts days', () => {
    fc.assert(
      fc.property(days, fc.integer({ min: -800, max: 800 }), (day, count) => {
        expect(addDays(addDays(day, count), -count)).toBe(day)
      }),
    )
  })
})

it.each([
  ['2026-03-28', '2026-03-30', 2],
  ['2026-11-20', '2026-11-20', 0],
  ['2026-11-20', '2026-11-19', -1],
  ['2024-01-01', '2025-01-01', 366],
])('from %s to %s is %i days', (from, to, expected) => {
  expect(daysBetween(from, to)).toBe(expected)
})

describe('a birthday', () => {
  it.each([
    ['2026-11-20', '2010-11-20', 16, null],
    ['2026-11-20', '2010-11-21', 16, 'tooYoung'],
    ['2026-11-20', '2026-11-20', null, null],
    ['2026-11-20', '2026-11-21', null, 'future'],
    // Of age on 28 February, since the year has no 29th.
    ['2026-02-27', '2008-02-29', 18, 'tooYoung'],
    ['2026-02-28', '2008-02-29', 18, null],
    ['2028-02-28', '2008-02-29', 20, 'tooYoung'],
    ['2028-02-29', '2008-02-29', 20, null],
    // 130 years ago today is allowed, the day before is not.
    ['2026-11-20', '1896-11-20', 16, null],
    ['2026-11-20', '1896-11-19', 16, 'notAllowed'],
    ['2028-02-29', '1898-02-28', null, null],
    ['2028-02-29', '1898-02-27', null, 'notAllowed'],
  ])('on %s, %s from %s years on: %s', (today, birthday, minAge, expected) => {
    expect(birthdayProblem(birthday, today, minAge)).toBe(expected)
  })
})
