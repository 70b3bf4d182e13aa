import { emailPattern } from '@tillside/contract/rules/contact'
import { isCouponCode, readCouponCode } from '@tillside/contract/rules/coupon-code'
import { type LookUp, lookUpIn } from '../paths.ts'
import type { Mobile } from '../member/phones.ts'

// What a customer shows and a clerk types, pastes or scans, before anybody is asked. Everything
// that reads it stands here.

export const methods = ['mobile', 'card', 'code', 'email'] as const
export type Method = (typeof methods)[number]

/** What a text is; `customer`: a number that only systems know. */
export type Kind = Method | 'coupon' | 'customer'

/** One question to the server: whose look-up, or whose coupon it is. */
export type Candidate = LookUp | { coupon: string }

/** A text understood: what it most likely is, and all that it may be, the likeliest first. */
export type Parsed = { kind: Kind; candidates: readonly [Candidate, ...Candidate[]] }

/** Why what was typed names nobody; the texts are `search.<trouble>`. */
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

// What comes along when a text is copied from a chat: marks of direction, joiners, of byte order.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}]/gu

/** A text as it was meant, whatever the width of its characters. */
function normalise(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '').trim()
}

/** The ASCII characters of full width that a Chinese keyboard writes, as what they stand for. */
export function toHalfWidth(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
}

/** What the text of the field stands for under its method, or what is wrong with it. */
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

/** The text read as the method asks for, or null. */
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

/** What a text is that can hardly be anything else. */
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

/** Any text at all: from a scanner, a camera, or the one field that has no method. */
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

/** Digits, or a word, that may be of several kinds. */
function digitCandidates(compact: string): Candidate[] {
  const candidates: Candidate[] = /\d/.test(compact)
    ? [{ cardNumber: compact }, { code: compact }]
    : [{ code: compact }, { cardNumber: compact }]
  if (isCouponCode(compact)) candidates.push({ coupon: readCouponCode(compact) })
  return candidates
}

/** Codes of members and of coupons look alike; only ours say by themselves that they are one. */
function parseCode(compact: string, members: readonly [Candidate, ...Candidate[]]): Parsed {
  const coupon = { coupon: isCouponCode(compact) ? readCouponCode(compact) : compact }
  return isCouponCode(compact) && /[a-z]/i.test(compact)
    ? { kind: 'coupon', candidates: [coupon, ...members] }
    : { kind: 'code', candidates: [...members, coupon] }
}

/** The look-up in an address or in JSON; null: in none of them; undefined: it is neither. */
function parseLookUpText(typed: string): Parsed | null | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(typed)) {
    if (!URL.canParse(typed)) return null
    return read(Object.fromEntries(new URL(typed).searchParams))
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

/** A number too long for JSON has lost its last digits: better nobody than somebody else. */
function textOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value
}

/** Which kind of text a look-up is. */
export function kindOf(by: LookUp): Kind {
  if ('mobile' in by) return 'mobile'
  if ('cardNumber' in by) return 'card'
  if ('email' in by) return 'email'
  return 'code' in by ? 'code' : 'customer'
}

/** The method that a pasted text clearly belongs to; the present one whenever it could be that. */
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

/** Only what is written as one: a library finds a number in any text. */
function mobileIn(typed: string, readMobile: ReadMobile): Mobile | null {
  return /^[+\d\s().\p{Pd}]+$/u.test(typed) ? readMobile(typed) : null
}

/** Codes are printed in groups; the gaps are for the eye. */
function withoutGaps(text: string): string {
  return text.replaceAll(/[\s\p{Pd}]/gu, '')
}

function isCompactCode(text: string): boolean {
  return /^[a-z\d]{1,32}$/i.test(text)
}

/** Whether a text can be anybody's at all, before anything is known about numbers. */
export function isReadable(text: string): boolean {
  return parse(text, (mobile) => ({ countryCode: '1', mobile })) !== null
}
