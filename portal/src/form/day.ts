import { CalendarDay } from '@tillside/contract/wire/shapes'
import * as z from 'zod/mini'
import type { Language } from '@tillside/contract/wire/language'

/** A date as it is typed: three fields, each perhaps incomplete. */
export type DayTyped = { year: string; month: string; day: string }
export type DayPart = keyof DayTyped

export const noDay: DayTyped = { year: '', month: '', day: '' }

/** The order in which the language writes a date. */
export function dayOrder(language: Language): readonly DayPart[] {
  return language === 'en-US' ? ['day', 'month', 'year'] : ['year', 'month', 'day']
}

/** The number of digits of each part. */
export const dayLength = { year: 4, month: 2, day: 2 } as const

/** The digits of a part, including full-width ones. */
export function dayDigits(text: string, part: DayPart): string {
  return text.normalize('NFKC').replace(/\D/g, '').slice(0, dayLength[part])
}

/** Whether no further digit can follow: `4` cannot begin another month or day. */
export function isPartWhole(digits: string, part: DayPart): boolean {
  if (digits.length === dayLength[part]) return true
  if (part === 'year' || digits === '') return false
  return Number(digits) > (part === 'day' ? 3 : 1)
}

export function isNoDay({ year, month, day }: DayTyped): boolean {
  return year === '' && month === '' && day === ''
}

/** `1990-06-14`, or null if the calendar has no such day. */
export function dayTyped({ year, month, day }: DayTyped): string | null {
  if (year.length !== 4 || month === '' || day === '') return null
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return z.safeParse(CalendarDay, written).success ? written : null
}

/** The three parts of `1990-06-14`; an unknown date has none. */
export function partsOfDay(value: string | null): DayTyped {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value ?? '') ?? []
  return year === '0000' ? noDay : { year, month, day }
}
