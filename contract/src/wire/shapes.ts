import * as z from 'zod/mini'
import { callingCodePattern, nationalNumberPattern } from '../rules/contact.ts'

// The small values that all messages consist of.

/**
 * Characters that a text must not contain: controls, line and paragraph separators, bidirectional
 * overrides, unpaired surrogates.
 */
const unprintable = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/u
/** A visible character: not a space, joiner, filler, variation selector or empty Braille cell. */
const visible = /[^\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

function isPrintable(value: string): boolean {
  return value.isWellFormed() && !unprintable.test(value)
}

/**
 * An invisible character: zero-width, joiner, filler. Variation selectors and the joiner of accents
 * (U+034F) change how a character looks.
 */
const invisible =
  /(?![\p{Variation_Selector}\u034f])[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u
/** A joiner that makes one emoji of two. */
const emojiJoiner =
  /(\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})/gu

/**
 * Whether a value has only visible characters and spaces. Otherwise two names could look alike and
 * differ, and a clerk could not type a password that was pasted.
 */
export function isVisible(value: string): boolean {
  return isPrintable(value) && !invisible.test(value.replaceAll(emojiJoiner, '$1'))
}

/**
 * One line of text typed by a person: trimmed, Unicode NFC, without control characters.
 * @param max in UTF-16 units, after trimming
 */
export function text(max: number) {
  return lineOf(max, 'NFC')
}

/** A name: a line of text without invisible characters. @param max as for `text` */
export function name(max: number) {
  return z.pipe(
    text(max),
    z.string().check(z.refine(isVisible, { error: 'text', params: { reason: 'text' } })),
  )
}

/**
 * Several lines of text typed by a person: trimmed, Unicode NFC, with `\n` between lines and no
 * other control or invisible character.
 * @param max in characters (Unicode code points), after trimming
 */
export function lines(max: number) {
  return z.pipe(
    z.pipe(
      z.string().check(z.maxLength(max * 4)),
      z.transform((s: string) => (s.isWellFormed() ? typedLines(s.normalize('NFC')) : s)),
    ),
    z.string().check(
      z.minLength(1),
      z.maxLength(max),
      z.refine((s) => s.split('\n').every(isVisible), { params: { reason: 'text' } }),
    ),
  )
}

function typedLines(typedText: string): string {
  const ended = typedText.replaceAll(/\r\n?/g, '\n').split('\n')
  return ended
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Trims a line. A line without visible or forbidden characters becomes empty. */
function typed(line: string): string {
  return visible.test(line) || unprintable.test(line.trim()) ? line.trim() : ''
}

function lineOf(max: number, form: 'NFC' | 'NFKC') {
  return z.pipe(
    z.pipe(
      z.string().check(z.maxLength(max * 4)),
      z.transform((s: string) => (s.isWellFormed() ? typed(s.normalize(form)) : s)),
    ),
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(max),
        z.refine(isPrintable, { error: 'text', params: { reason: 'text' } }),
      ),
  )
}

/** `YYYY-MM-DD`, a day in an input. PostgreSQL's calendar has no year 0. */
export const CalendarDay = z.iso.date().check(z.regex(/^(?!0000)/))
/** A day in an answer; some systems write `0000-00-00` for a missing one. */
export const Day = z.union([CalendarDay, z.literal('0000-00-00')])
/** RFC 3339 in UTC, to the second: `2026-11-20T03:04:05Z`. */
export const Instant = z.iso.datetime()
/**
 * A decimal string in major units with the decimals of the company's currency, two for most; never
 * a JSON number.
 */
export const Money = z.string().check(z.regex(/^-?\d{1,15}(\.\d{2,3})?$/))
/** Whole points. */
export const Points = z.int()

export const MemberCode = text(32).check(z.regex(/^[A-Za-z0-9]+$/))
/** Digits without `+`; full-width digits of an input method are accepted. */
export const CallingCode = lineOf(4, 'NFKC').check(z.regex(callingCodePattern))
/** The national number, digits only. */
export const NationalNumber = lineOf(20, 'NFKC').check(z.regex(nationalNumberPattern))
/** A new number, or the masked one from an answer, which means no change. */
export const NumberOrMask = lineOf(20, 'NFKC').check(z.regex(/^(\d{4,15}|•{4}\d{4})$/))
/**
 * An address that every mail program reads as exactly one address. RFC 5321 allows the excluded
 * characters only in quotes, which are not used in practice.
 */
export const Email = text(254).check(
  z.regex(/^[^\s@"(),:;<>[\]\\]+@[^\s@"(),:;<>[\]\\]+\.[^\s@"(),:;<>[\]\\]+$/),
)
export const Place = z.object({ code: z.string(), name: z.string() })
/** The parts of an address that have region codes. */
export const regionLevels = ['province', 'city', 'district'] as const
export type RegionLevel = (typeof regionLevels)[number]
export const CodeName = z.object({
  code: z.union([z.string(), z.int()]),
  name: z.string(),
  /** For regions only. */
  level: z.optional(z.enum(regionLevels)),
})

/**
 * The query of a list: an opaque cursor from the previous answer, and the maximum number of rows.
 */
export const page = {
  cursor: z.optional(text(512)),
  pageSize: z._default(wholeNumber(1, 100), 20),
}

/** A whole number, also as digits in a query string. */
export function wholeNumber(least: number, most: number) {
  return z.pipe(
    z.union([z.int(), z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number))]),
    z.int().check(z.minimum(least), z.maximum(most)),
  )
}

/** A page of a list, newest first; `nextCursor` is null on the last page. */
export function list<T extends z.ZodMiniType>(item: T) {
  return { items: z.array(item), nextCursor: z.nullable(z.string()) }
}
