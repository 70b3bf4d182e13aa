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
export type Ask = LookUp | { coupon: string }

/** A text understood: what it most likely is, and all that it may be, the likeliest first. */
export type Understood = { kind: Kind; asks: readonly [Ask, ...Ask[]] }

/** Why what was typed names nobody; the texts are `search.<trouble>`. */
export type Trouble =
  | 'mobileReq'
  | 'cardReq'
  | 'codeReq'
  | 'emailReq'
  | 'mobileBad'
  | 'codeBad'
  | 'emailBad'
  | 'notMember'

export type ReadMobile = (text: string) => Mobile | null

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
// What comes along when a text is copied from a chat: marks of direction, joiners, of byte order.
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cc}]/gu

/** A text as it was meant, whatever the width of its characters. */
function plain(text: string): string {
  return text.normalize('NFKC').replaceAll(invisible, '').trim()
}

/** The ASCII characters of full width that a Chinese keyboard writes, as what they stand for. */
export function narrow(text: string): string {
  return text
    .replaceAll(/[\uff01-\uff5e]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
}

/** What the text of the field stands for under its method, or what is wrong with it. */
export function understandAs(
  method: Method,
  text: string,
  readMobile: ReadMobile,
): Understood | Trouble {
  const typed = plain(text)
  if (typed === '') return `${method}Req`
  return asMethod(method, typed, readMobile) ?? clearly(typed, readMobile) ?? badOf(method)
}

function badOf(method: Method): Trouble {
  if (method === 'card') return 'cardReq'
  return `${method}Bad`
}

/** The text read as the method asks for, or null. */
function asMethod(method: Method, typed: string, readMobile: ReadMobile): Understood | null {
  if (method === 'mobile') {
    const mobile = mobileIn(typed, readMobile)
    return mobile === null ? null : { kind: method, asks: [mobile] }
  }
  if (method === 'email') {
    return email.test(typed) ? { kind: method, asks: [{ email: typed }] } : null
  }
  const bare = withoutGaps(typed)
  if (!isBare(bare)) return null
  if (method === 'code') return withLetters(bare, [{ code: bare }])
  const asks: [Ask, ...Ask[]] = [{ cardNumber: bare }]
  if (isCouponCode(bare)) asks.push({ coupon: readCouponCode(bare) })
  return { kind: method, asks }
}

/** What a text is that can hardly be anything else. */
function clearly(typed: string, readMobile: ReadMobile): Understood | null {
  if (email.test(typed)) return { kind: 'email', asks: [{ email: typed }] }
  const written = inWriting(typed)
  if (written !== undefined) return written
  const bare = withoutGaps(typed)
  if (typed.startsWith('+')) return asMethod('mobile', typed, readMobile)
  if (/^\d{13,}$/.test(bare)) return { kind: 'card', asks: [{ cardNumber: bare }, { code: bare }] }
  const isCode = isBare(bare) && /\d/.test(bare) && /[a-z]/i.test(bare)
  return isCode ? withLetters(bare, [{ code: bare }, { cardNumber: bare }]) : null
}

/** Any text at all: from a scanner, a camera, or the one field that has no method. */
export function understand(text: string, readMobile: ReadMobile): Understood | null {
  const typed = plain(text)
  const written = inWriting(typed)
  if (written !== undefined) return written
  const bare = withoutGaps(typed)
  const mobile = mobileIn(typed, readMobile)
  if (mobile === null) {
    const clear = clearly(typed, readMobile)
    if (clear !== null) return clear
    if (!isBare(bare)) return null
  }
  const asks: Ask[] = isBare(bare) ? numberAsks(bare) : []
  if (mobile !== null) return { kind: 'mobile', asks: [mobile, ...asks] }
  const [first, ...rest] = asks
  if (first === undefined) return null
  return { kind: /\d/.test(bare) ? 'card' : 'code', asks: [first, ...rest] }
}

/** Digits, or a word, that may be of several kinds. */
function numberAsks(bare: string): Ask[] {
  const asks: Ask[] = /\d/.test(bare)
    ? [{ cardNumber: bare }, { code: bare }]
    : [{ code: bare }, { cardNumber: bare }]
  if (isCouponCode(bare)) asks.push({ coupon: readCouponCode(bare) })
  return asks
}

/** Codes of members and of coupons look alike; only ours say by themselves that they are one. */
function withLetters(bare: string, members: readonly [Ask, ...Ask[]]): Understood {
  const coupon = { coupon: isCouponCode(bare) ? readCouponCode(bare) : bare }
  return isCouponCode(bare) && /[a-z]/i.test(bare)
    ? { kind: 'coupon', asks: [coupon, ...members] }
    : { kind: 'code', asks: [...members, coupon] }
}

/** The look-up in an address or in JSON; null: in none of them; undefined: it is neither. */
function inWriting(typed: string): Understood | null | undefined {
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

function read(fields: Record<string, unknown>): Understood | null {
  const by = lookUpIn(fields)
  return by === null ? null : { kind: kindOf(by), asks: [by] }
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
  const typed = plain(text)
  const clear = clearly(typed, readMobile)
  if (clear === null || clear.kind === 'customer') return present
  const kind = clear.kind === 'coupon' ? 'code' : clear.kind
  if (email.test(typed) || typed.startsWith('+') || inWriting(typed) !== undefined) return kind
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

function isBare(text: string): boolean {
  return /^[a-z\d]{1,32}$/i.test(text)
}

/** Whether a text can be anybody's at all, before anything is known about numbers. */
export function isReadable(text: string): boolean {
  return understand(text, (mobile) => ({ countryCode: '1', mobile })) !== null
}
