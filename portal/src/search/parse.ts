import { emailPattern } from '@tillside/contract/rules/contact'
import { isCouponCode, readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type LookUp, lookUpIn, queryIn } from '../paths.ts'
import type { Mobile } from '../member/phones.ts'

// Parses what a customer shows and a clerk types, pastes or scans, before the server is asked. All
// parsing of look-ups is in this file.

export const methods = ['mobile', 'card', 'code', 'email'] as const
export type Method = (typeof methods)[number]

/** The kind of a text; `customer`: a number that only other systems use. */
export type Kind = Method | 'coupon' | 'customer'

/** One possible meaning of a text: a member's look-up or a coupon's code. */
export type Candidate = LookUp | { coupon: string }

/** A parsed text: its most likely kind, and all candidates, likeliest first. */
export type Parsed = { kind: Kind; candidates: readonly [Candidate, ...Candidate[]] }

/** Why a text is no look-up; the texts are `search.<code>`. */
export type SearchErrorCode =
  | 'mobileReq'
  | 'cardReq'
  | 'codeReq'
  | 'emailReq'
  | 'mobileBad'
  | 'codeBad'
  | 'emailBad'
  | 'notMember'

export type ReadMobile = (text: string) => Mobile | null

// Invisible characters in text that was copied from a chat: direction marks, joiners, byte order
// marks.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}]/gu

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

/** Parses the text of the field under its method, or returns the error. */
export function parseAs(
  method: Method,
  text: string,
  readMobile: ReadMobile,
): Parsed | SearchErrorCode {
  const typed = normalise(text)
  if (typed === '') return `${method}Req`
  return (
    parseForMethod(method, typed, readMobile) ??
    parseUnambiguous(typed, readMobile) ??
    errorOf(method)
  )
}

function errorOf(method: Method): SearchErrorCode {
  if (method === 'card') return 'cardReq'
  return `${method}Bad`
}

/** Parses the text as the method expects, or returns null. */
function parseForMethod(method: Method, typed: string, readMobile: ReadMobile): Parsed | null {
  if (method === 'mobile') {
    const mobile = mobileIn(typed, readMobile)
    return mobile === null ? null : { kind: method, candidates: [mobile] }
  }
  if (method === 'email') {
    return emailPattern.test(typed) ? { kind: method, candidates: [{ email: typed }] } : null
  }
  const compact = withoutGaps(typed)
  if (!isCompactCode(compact)) return null
  if (method === 'code') return parseCode(compact, [{ code: compact }])
  const candidates: [Candidate, ...Candidate[]] = [{ cardNumber: compact }]
  if (isCouponCode(compact)) candidates.push({ coupon: readCouponCode(compact) })
  return { kind: method, candidates }
}

/** Parses a text that can hardly have another meaning, or returns null. */
function parseUnambiguous(typed: string, readMobile: ReadMobile): Parsed | null {
  if (emailPattern.test(typed)) return { kind: 'email', candidates: [{ email: typed }] }
  const written = parseLookUpText(typed)
  if (written !== undefined) return written
  const compact = withoutGaps(typed)
  if (typed.startsWith('+')) return parseForMethod('mobile', typed, readMobile)
  if (/^\d{13,}$/.test(compact))
    return { kind: 'card', candidates: [{ cardNumber: compact }, { code: compact }] }
  const isCode = isCompactCode(compact) && /\d/.test(compact) && /[a-z]/i.test(compact)
  return isCode ? parseCode(compact, [{ code: compact }, { cardNumber: compact }]) : null
}

/** Parses any text: from a scanner, the camera, or the field without a method. */
export function parse(text: string, readMobile: ReadMobile): Parsed | null {
  const typed = normalise(text)
  const written = parseLookUpText(typed)
  if (written !== undefined) return written
  const compact = withoutGaps(typed)
  const mobile = mobileIn(typed, readMobile)
  if (mobile === null) {
    const clear = parseUnambiguous(typed, readMobile)
    if (clear !== null) return clear
    if (!isCompactCode(compact)) return null
  }
  const candidates: Candidate[] = isCompactCode(compact) ? digitCandidates(compact) : []
  if (mobile !== null) return { kind: 'mobile', candidates: [mobile, ...candidates] }
  const [first, ...rest] = candidates
  if (first === undefined) return null
  return { kind: /\d/.test(compact) ? 'card' : 'code', candidates: [first, ...rest] }
}

/** Candidates for digits or a word without a clear kind. */
function digitCandidates(compact: string): Candidate[] {
  const candidates: Candidate[] = /\d/.test(compact)
    ? [{ cardNumber: compact }, { code: compact }]
    : [{ code: compact }, { cardNumber: compact }]
  if (isCouponCode(compact)) candidates.push({ coupon: readCouponCode(compact) })
  return candidates
}

/** Codes of members and coupons look alike; only our own coupon codes have a check character. */
function parseCode(compact: string, members: readonly [Candidate, ...Candidate[]]): Parsed {
  const coupon = { coupon: isCouponCode(compact) ? readCouponCode(compact) : compact }
  return isCouponCode(compact) && /[a-z]/i.test(compact)
    ? { kind: 'coupon', candidates: [coupon, ...members] }
    : { kind: 'code', candidates: [...members, coupon] }
}

/**
 * Parses a look-up in an address or in JSON. Null: the address or JSON has none; undefined: the
 * text is neither.
 */
function parseLookUpText(typed: string): Parsed | null | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) {
    if (!URL.canParse(typed)) return null
    return read(queryIn(new URL(typed).search))
  }
  if (!typed.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(typed)
    if (typeof parsed !== 'object' || parsed === null) return null
    const texts = Object.entries(parsed).map(([name, value]) => [name, textOf(value)])
    return read(Object.fromEntries(texts))
  } catch {
    return null
  }
}

function read(fields: Record<string, unknown>): Parsed | null {
  const by = lookUpIn(fields)
  return by === null ? null : { kind: kindOf(by), candidates: [by] }
}

/** A number beyond JSON's safe range has lost digits, and could find a different member. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
}

/** The kind of a look-up. */
export function kindOf(by: LookUp): Kind {
  if ('mobile' in by) return 'mobile'
  if ('cardNumber' in by) return 'card'
  if ('email' in by) return 'email'
  return 'code' in by ? 'code' : 'customer'
}

/** The method for a pasted text if it is clear; the present one if the text could belong to it. */
export function methodFor(text: string, present: Method, readMobile: ReadMobile): Method {
  const typed = normalise(text)
  const clear = parseUnambiguous(typed, readMobile)
  if (clear === null || clear.kind === 'customer') return present
  const kind = clear.kind === 'coupon' ? 'code' : clear.kind
  if (emailPattern.test(typed) || typed.startsWith('+') || parseLookUpText(typed) !== undefined)
    return kind
  if (present === 'mobile') return mobileIn(typed, readMobile) === null ? kind : present
  return present === 'email' ? kind : present
}

/** Only texts that look like a number, because the library finds numbers in any text. */
function mobileIn(typed: string, readMobile: ReadMobile): Mobile | null {
  return /^[+\d\s().\p{Pd}]+$/u.test(typed) ? readMobile(typed) : null
}

/** Removes the gaps with which codes are printed. */
function withoutGaps(text: string): string {
  return text.replaceAll(/[\s\p{Pd}]/gu, '')
}

function isCompactCode(text: string): boolean {
  return /^[a-z\d]{1,32}$/i.test(text)
}

/** Whether a text may be a look-up, before the phone number library is loaded. */
export function isReadable(text: string): boolean {
  return parse(text, (mobile) => ({ countryCode: '1', mobile })) !== null
}
