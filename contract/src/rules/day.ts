// Days of the company's calendar, `YYYY-MM-DD`. They have no hours and no time zone, and so no
// daylight saving time. The portal predicts with the functions that the server decides by.

import type { Language } from '../wire/language.ts'

const dayMs = 86_400_000

/** @param count may be negative */
export function addDays(day: string, count: number): string {
  return format(Date.parse(`${day}T00:00:00Z`) + count * dayMs)
}

/**
 * The same day of the month `count` months later, or the month's last day: 31 January + 1 month is
 * 28 or 29 February.
 */
export function addMonths(day: string, count: number): string {
  const [year, month, date] = parts(day)
  const last = daysIn(year, month + count)
  return format(Date.UTC(year, month - 1 + count, Math.min(date, last)))
}

/** Whole days from one day to another; negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs
}

/**
 * A day as a person reads it: `22/11/2026` in English, `2026/11/22` in Chinese (specification,
 * section 9).
 */
export function dayText(day: string, language: Language, separator = '/'): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const order = language === 'en-US' ? [date, month, year] : [year, month, date]
  return order.join(separator)
}

const firstEndlessYear = 2099

/**
 * Whether a last day means that there is no end: other systems write the year 2099 or a later one
 * where a date is required.
 */
export function hasNoEnd(day: string): boolean {
  return Number(day.slice(0, 4)) >= firstEndlessYear
}

/** The last day of the day's month. */
export function endOfMonth(day: string): string {
  const [year, month] = parts(day)
  return format(Date.UTC(year, month, 0))
}

/**
 * The first of these yearly days after `day`; 29 February is the 28th in other years.
 * @param dates `MM-DD`, at least one
 */
export function nextYearly(day: string, dates: readonly string[]): string {
  const [year] = parts(day)
  const coming = [year, year + 1].flatMap((y) => dates.map((date) => yearly(y, date)))
  const next = coming.filter((candidate) => candidate > day).sort()[0]
  if (next === undefined) throw new Error('no yearly day is given')
  return next
}

const maxAgeMonths = 130 * 12

/**
 * The problem of a member's birthday, or null. A person born on 29 February becomes a year older on
 * 28 February if the year has no 29th. A birthday more than 130 years ago is not allowed.
 * @param today the company's day
 * @param minAge in years; null: any age
 */
export function birthdayProblem(
  birthday: string,
  today: string,
  minAge: number | null,
): 'future' | 'notAllowed' | 'tooYoung' | null {
  if (birthday > today) return 'future'
  if (birthday < addMonths(today, -maxAgeMonths)) return 'notAllowed'
  return minAge === null || addMonths(birthday, minAge * 12) <= today ? null : 'tooYoung'
}

function yearly(year: number, date: string): string {
  const [month = 1, of = 1] = date.split('-').map(Number)
  return format(Date.UTC(year, month - 1, Math.min(of, daysIn(year, month))))
}

/** @param month 1 is January; 0 is December of the year before, 13 January of the next year */
function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

function parts(day: string): [number, number, number] {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) {
    throw new Error(`not a day: ${day}`)
  }
  return [year, month, date]
}

function format(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
