import { dayText } from '@tillside/contract/rules/day'
import { decimalText, negated, readDecimal, rounded } from '@tillside/contract/rules/decimal'
import type { Language } from '@tillside/contract/wire/language'

// Formats numbers, dates and codes (specification, sections 5 and 9). Money is text throughout,
// because floating-point numbers would lose cents.

export type DateKind = 'coupon' | 'short' | 'long' | 'long1'

const minus = '\u2212'

/**
 * `1286` → `1,286.00`. A text that is not a number is returned unchanged.
 * @param sign the sign of the currency, before the digits
 * @param places the decimals of the currency
 */
export function formatMoney(amount: string, sign = '', places = 2): string {
  const read = readDecimal(amount.trim().replace(/^\+/, ''))
  if (read === null) return amount
  const value = rounded(read, places)
  const isNegative = value.units < 0n
  const [whole = '', ...fraction] = decimalText(isNegative ? negated(value) : value).split('.')
  return (isNegative ? minus + sign : sign) + [thousands(whole), ...fraction].join('.')
}

/** The sign of a currency before an amount: `HK$`, or `CHF` with a space. */
export function currencySign(currency: string, language: Language): string {
  try {
    const parts = new Intl.NumberFormat(language, { style: 'currency', currency }).formatToParts(0)
    const digits = parts.findIndex(({ type }) => type === 'integer')
    return parts
      .slice(0, digits)
      .map(({ value }) => value)
      .join('')
  } catch {
    return `${currency}\u00a0`
  }
}

/** `12480` → `12,480`; with `signed`, gains have a plus sign. */
export function formatPoints(points: number, signed = false): string {
  const plus = signed && points > 0 ? '+' : ''
  return `${points < 0 ? minus : plus}${thousands(String(Math.abs(Math.trunc(points))))}`
}

function thousands(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/**
 * Whether a value is the zero date, which means no date; it is shown as 0000/00/00 in every
 * language (specification, section 9).
 */
export function isZeroDate(value: string): boolean {
  return value.startsWith('0000-00-00') || value.startsWith('0000/00/00')
}

/**
 * A date in the language's format. A value without a time is a day of the company's calendar, and
 * is not converted. An instant is shown in the given time zone, or in the device's.
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
  const date = dayText(parts.day, language, kind === 'long1' ? '-' : '/')
  const withTime = (kind === 'long' || kind === 'long1') && parts.time !== null
  return withTime ? `${date} ${parts.time}` : date
}

/** `day`: `YYYY-MM-DD`; `time`: null for a day of the calendar. */
type DateParts = { day: string; time: string | null }

function dayParts(value: string): DateParts | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) ? { day: value, time: null } : null
}

function instantParts(value: string, timeZone: string | undefined): DateParts | null {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return null
  return { day: dayOf(date, timeZone), time: formatTime(date, timeZone) }
}

/** `14:02:11`, in the given time zone or the device's. */
export function formatTime(date: Date, timeZone: string | undefined): string {
  const { hour, minute, second } = clock(date, timeZone)
  return `${hour}:${minute}:${second}`
}

/** The calendar day `YYYY-MM-DD`, in the given time zone or the device's. */
export function dayOf(date: Date, timeZone: string | undefined): string {
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

// Creating a formatter takes ten milliseconds on a slow phone, and a member's page shows many
// dates.
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

/** Whether this device knows the time zone; old devices lack the newest ones. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(writerOf(name))
  } catch {
    return false
  }
}

/** A period with an en dash: thin spaces in English, normal ones in Chinese. */
export function formatPeriod(from: string, to: string, language: Language): string {
  const dash = language === 'en-US' ? '\u2009\u2013\u2009' : ' \u2013 '
  return `${formatDate(from, 'coupon', language)}${dash}${formatDate(to, 'coupon', language)}`
}

/** `884200917735` → `8842 0091 7735`, so that it is easier to read aloud. */
export function formatCode(code: string): string {
  return code.replace(/(.{4})(?=.)/gu, '$1 ')
}
