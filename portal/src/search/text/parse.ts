import { emailPattern } from '@tillside/contract/rules/contact'
import { isCouponCode, readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type LookUp, lookUpIn, queryIn } from '../../paths.ts'
import type { Mobile } from '../../member/phones.ts'
import { labelled, partsOf } from './labels.ts'

// Understands what a customer shows and a clerk types, pastes or scans, before the server is asked.
// The search page, the field in the header, the scanner and the camera all use this file.

export const methods = ['mobile', 'card', 'code', 'email'] as const
/** A way to search of the specification, by which a clerk may narrow one input. */
export type Method = (typeof methods)[number]

/** The kind of a text; `customer`: a number that only other systems use. */
export type Kind = Method | 'coupon' | 'customer'

/** One possible meaning of a text: a member's look-up or a coupon's code. */
export type Candidate = LookUp | { coupon: string }

/** At least one candidate; each is tried only if the previous ones found no member. */
export type Candidates = readonly [Candidate, ...Candidate[]]

/** An understood text: its likeliest kind, and everything that it can be, likeliest first. */
export type Parsed = {
  kind: Kind
  /** Whether the text hardly is of another kind, so that the portal may say its kind. */
  clear: boolean
  candidates: Candidates
}

/** Why a text is no look-up; the texts are `search.<code>`. */
export type SearchErrorCode =
  | 'anyReq'
  | 'mobileReq'
  | 'cardReq'
  | 'codeReq'
  | 'emailReq'
  | 'mobileBad'
  | 'codeBad'
  | 'emailBad'
  | 'notMember'
  | 'nameReq'

/** Every complete number that a text can be in the company's countries, likeliest first. */
export type ReadMobiles = (text: string) => readonly Mobile[]

// Invisible characters in text that was copied from a chat: direction marks, joiners, byte order
// marks. Line breaks separate the lines of an address book.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|(?![\n\r])\p{Cc}/gu

/** Converts full-width characters, and removes invisible ones and outer spaces. */
function normalise(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '').trim()
}

/** Converts full-width ASCII characters, which Chinese keyboards type, to plain ones. */
export function toHalfWidth(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
}

/**
 * Understands the text of a search field, or returns the error.
 * @param narrow the kind that the clerk chose for this text; null: every kind
 */
export function understand(
  text: string,
  readMobiles: ReadMobiles,
  narrow: Method | null = null,
): Parsed | SearchErrorCode {
  if (normalise(text).replaceAll(/[\s\p{Pd}]/gu, '') === '') return `${narrow ?? 'any'}Req`
  const parsed = parse(text, readMobiles)
  if (narrow === null) return parsed ?? errorOf(text)
  const kept = narrowed(parsed, narrow)
  if (kept !== null) return kept
  // An e-mail address in a search narrowed to mobile numbers is still an e-mail address.
  return parsed?.clear === true && parsed.kind !== narrow ? parsed : narrowError(narrow)
}

/** The candidates of one kind. A member's and a coupon's code look alike, so both are a code. */
function narrowed(parsed: Parsed | null, method: Method): Parsed | null {
  if (parsed === null) return null
  const [first, ...rest] = parsed.candidates.filter((one) => {
    const kind = kindOf(one)
    return kind === method || (method === 'code' && kind === 'coupon')
  })
  return first === undefined
    ? null
    : { kind: kindOf(first), clear: true, candidates: [first, ...rest] }
}

function narrowError(method: Method): SearchErrorCode {
  return method === 'card' ? 'cardReq' : `${method}Bad`
}

function errorOf(text: string): SearchErrorCode {
  return text.normalize('NFKC').includes('@') ? 'emailBad' : 'anyReq'
}

/** Understands any text: typed, pasted, from a scanner or the camera; null if it is no look-up. */
export function parse(text: string, readMobiles: ReadMobiles): Parsed | null {
  const typed = normalise(text)
  const written = parseLookUpText(typed)
  if (written !== undefined) return written
  const whole = parseLabelled(typed, readMobiles) ?? parseValue(typed, readMobiles)
  if (whole !== null) return whole
  // Several lines of an address book: the first labelled one that is a look-up.
  const parts = partsOf(typed)
  if (parts.length < 2) return null
  const read = parts.map((part) => parseLabelled(part, readMobiles))
  return read.find((part) => part !== null) ?? null
}

/** Parses the text after a label. The label's kind is tried first. */
function parseLabelled(typed: string, readMobiles: ReadMobiles): Parsed | null {
  const read = labelled(typed)
  if (read === null) return null
  const value = parseValue(read.text, readMobiles)
  if (value === null) return null
  const said = value.candidates.filter((one) => kindOf(one) === read.kind)
  const others = value.candidates.filter((one) => kindOf(one) !== read.kind)
  const [first, ...rest] = [...said, ...others]
  // "Tel: soon" is neither a number nor a code.
  if (first === undefined || (said.length === 0 && !/\d/.test(read.text))) return null
  const clear = value.clear || said.length > 0
  return { kind: kindOf(first), clear, candidates: [first, ...rest] }
}

/** Everything that a text without a label can be. */
function parseValue(typed: string, readMobiles: ReadMobiles): Parsed | null {
  if (emailPattern.test(typed))
    return { kind: 'email', clear: true, candidates: [{ email: typed }] }
  const mobiles = mobilesIn(typed, readMobiles)
  const compact = withoutGaps(typed)
  const codes = isCompactCode(compact) ? codesOf(compact) : []
  const [first, ...rest] = [...mobiles, ...codes]
  if (first === undefined) return null
  const isCode = /\d/.test(compact) && /[a-z]/i.test(compact)
  const clear = mobiles.length > 0 || isCode || /^\d{13,}$/.test(compact)
  return { kind: kindOf(first), clear, candidates: [first, ...rest] }
}

/**
 * The codes that digits and letters can be. Codes of members and coupons look alike; only our own
 * coupon codes have a check character. Another system's coupon is therefore asked last.
 */
function codesOf(compact: string): Candidate[] {
  const isOwnCoupon = isCouponCode(compact)
  const coupon = { coupon: isOwnCoupon ? readCouponCode(compact) : compact }
  const [card, code] = [{ cardNumber: compact }, { code: compact }]
  if (!/[a-z]/i.test(compact)) return [card, code, coupon]
  return isOwnCoupon && /\d/.test(compact) ? [coupon, code, card] : [code, card, coupon]
}

/**
 * Parses a look-up in an address or in JSON. Null: the address or JSON has none; undefined: the
 * text is neither.
 */
function parseLookUpText(typed: string): Parsed | null | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) {
    if (!URL.canParse(typed)) return null
    return lookUpOf(queryIn(new URL(typed).search))
  }
  if (!typed.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(typed)
    if (typeof parsed !== 'object' || parsed === null) return null
    const texts = Object.entries(parsed).map(([name, value]) => [name, textOf(value)])
    return lookUpOf(Object.fromEntries(texts))
  } catch {
    return null
  }
}

function lookUpOf(fields: Record<string, unknown>): Parsed | null {
  const by = lookUpIn(fields)
  return by === null ? null : { kind: kindOf(by), clear: true, candidates: [by] }
}

/** A number beyond JSON's safe range has lost digits, and could find a different member. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
}

/** The kind of a candidate. */
export function kindOf(by: Candidate): Kind {
  if ('mobile' in by) return 'mobile'
  if ('cardNumber' in by) return 'card'
  if ('email' in by) return 'email'
  if ('coupon' in by) return 'coupon'
  return 'code' in by ? 'code' : 'customer'
}

/** Only texts that look like a number, because the library finds numbers in any text. */
function mobilesIn(typed: string, readMobiles: ReadMobiles): readonly Mobile[] {
  return isNumber(typed) ? readMobiles(typed) : []
}

/** Whether a text has only the characters of a phone number, which are grouped while typing. */
export function isNumber(text: string): boolean {
  return /^[+\d\s().\p{Pd}]+$/u.test(text)
}

/** Removes the gaps with which codes are printed, and the marks with which numbers are grouped. */
function withoutGaps(text: string): string {
  return text.replaceAll(isNumber(text) ? /[\s().\p{Pd}]/gu : /[\s\p{Pd}]/gu, '')
}

function isCompactCode(text: string): boolean {
  return /^[a-z\d]{1,32}$/i.test(text)
}

/** Whether a text can be the beginning of a name: two letters or more, no digits. */
export function isName(text: string): boolean {
  const typed = normalise(text)
  const letters = typed.match(/\p{L}/gu)?.length ?? 0
  return letters > 1 && typed.length <= 60 && /^[\p{L}\p{M}\s.,'’·‧\p{Pd}]+$/u.test(typed)
}

/** Whether a text may be a look-up, before the phone number library is loaded. */
export function isReadable(text: string): boolean {
  return parse(text, (mobile) => [{ countryCode: '1', mobile }]) !== null
}
