import { cents } from '@tillside/contract/rules/decimal'
import type { Language } from '@tillside/contract/wire/language'

// How numbers, dates and codes are written (ux.md 3.9). Money stays text from end to end:
// a float would invent or lose cents.

export type DateKind = 'coupon' | 'short' | 'long' | 'long1'

const minus = '\u2212'

/** `1286` → `1,286.00`. A text that is no number is shown as it came. */
export function formatMoney(amount: string): string {
  const value = cents(amount.trim().replace(/^\+/, ''))
  if (value === null) return amount
  const digits = String(value < 0n ? -value : value).padStart(3, '0')
  const sign = value < 0n ? minus : ''
  return `${sign}${thousands(digits.slice(0, -2))}.${digits.slice(-2)}`
}

/** `12480` → `12,480`; with `signed`, a gain also carries its sign. */
export function formatPoints(points: number, signed = false): string {
  const plus = signed && points > 0 ? '+' : ''
  return `${points < 0 ? minus : plus}${thousands(String(Math.abs(Math.trunc(points))))}`
}

function thousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** What a system without a date writes; every language shows it the same way. */
export function isZeroDate(value: string): boolean {
  return value.startsWith('0000-00-00') || value.startsWith('0000/00/00')
}

/**
 * A date as the language writes it.
 * A value without a time is a day of the company's calendar, so no time zone touches it;
 * an instant is shown by the clock of the zone, or of the device where none is given.
 */
export function formatDate(
  value: string,
  kind: DateKind,
  language: Language,
  timeZone?: string,
): string {
  if (isZeroDate(value)) return '0000/00/00'
  const parts = dayParts(value) ?? instantParts(value, timeZone)
  if (!parts) return value
  const separator = kind === 'long1' ? '-' : '/'
  const order =
    language === 'en-US'
      ? [parts.day, parts.month, parts.year]
      : [parts.year, parts.month, parts.day]
  const date = order.join(separator)
  const withTime = (kind === 'long' || kind === 'long1') && parts.time !== null
  return withTime ? `${date} ${parts.time}` : date
}

type DateParts = { year: string; month: string; day: string; time: string | null }

function dayParts(value: string): DateParts | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  return { year, month, day, time: null }
}

function instantParts(value: string, timeZone?: string): DateParts | null {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return null
  const [year = '', month = '', day = ''] = dayOf(date, timeZone).split('-')
  return { year, month, day, time: formatTime(date, timeZone) }
}

/** `14:02:11`, by the clock of the zone or of the device. */
export function formatTime(date: Date, timeZone?: string): string {
  const { hour, minute, second } = clock(date, timeZone)
  return `${hour}:${minute}:${second}`
}

/** The calendar day of the zone or of the device, as `YYYY-MM-DD`. */
export function dayOf(date: Date, timeZone?: string): string {
  const { year, month, day } = clock(date, timeZone)
  return `${year}-${month}-${day}`
}

type ClockPart = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

function clock(date: Date, timeZone: string | undefined): Record<ClockPart, string> {
  const shown = writerOf(timeZone).formatToParts(date)
  const part = (type: ClockPart) => shown.find((one) => one.type === type)?.value ?? ''
  return {
    year: part('year').padStart(4, '0'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

// Making one takes a slow phone ten milliseconds, and a member's page writes many days.
const writers = new Map<string | undefined, Intl.DateTimeFormat>()

function writerOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const writer =
    writers.get(timeZone) ??
    new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  writers.set(timeZone, writer)
  return writer
}

/** Whether this device has heard of the zone: an old one does not know the newest. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(writerOf(name))
  } catch {
    return false
  }
}

/** From one day to another with an en dash: thin spaces in English, plain ones in Chinese. */
export function formatPeriod(from: string, to: string, language: Language): string {
  const dash = language === 'en-US' ? '\u2009\u2013\u2009' : ' \u2013 '
  return `${formatDate(from, 'coupon', language)}${dash}${formatDate(to, 'coupon', language)}`
}

/** `884200917735` → `8842 0091 7735`, so that a person can read it aloud. */
export function formatCode(code: string): string {
  return code.replace(/(.{4})(?=.)/gu, '$1 ')
}
