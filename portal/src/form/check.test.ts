import { expect, test } from 'vitest'
import { fieldFixture } from '../company/fieldFixture.ts'
import { fieldErrorOf } from './check.ts'
import { partsOfDay } from './day.ts'
import { emptyValues } from './values.ts'

test.each([
  // A member born on 29 February reaches the minimum age on 28 February.
  ['2026-02-27', '2008-02-29', 'tooYoung'],
  ['2026-02-28', '2008-02-29', null],
  ['2026-11-20', '2008-11-20', null],
  ['2026-11-20', '2008-11-21', 'tooYoung'],
  ['2026-11-20', '2026-11-21', 'dayFuture'],
  // 130 years to the day, and a day more.
  ['2026-11-20', '1896-11-20', null],
  ['2026-11-20', '1896-11-19', 'dayBad'],
])('on %s the birthday %s is %s', (today, birthday, expected) => {
  const field = fieldFixture('birthday', 'date')
  const values = { ...emptyValues([field], '852'), day: { birthday: partsOfDay(birthday) } }
  const rules = { today, minAge: 18, readMobile: () => null }
  expect(fieldErrorOf(field, values, rules)).toBe(expected)
})

test.each([
  [['tea'], 'minSelect'],
  [['tea', 'jam'], null],
  // The field is optional, so no selection at all is allowed.
  [[], null],
])('of at least two selections, %j is %s', (likes, expected) => {
  const field = { ...fieldFixture('likes', 'multiSelect'), minSelections: 2 }
  const values = { ...emptyValues([field], '852'), many: { likes } }
  const rules = { today: '2026-11-20', minAge: null, readMobile: () => null }
  expect(fieldErrorOf(field, values, rules)).toBe(expected)
})
