import type { LookUp } from '../paths.ts'
import type { Mobile } from '../member/phones.ts'

// What a clerk typed, pasted or scanned into the search field, before anybody is asked.

export const methods = ['mobile', 'card', 'code', 'email'] as const
export type Method = (typeof methods)[number]

/** Why what was typed names nobody; the texts are `search.<trouble>`. */
export type Trouble =
  | 'mobileReq'
  | 'cardReq'
  | 'codeReq'
  | 'emailReq'
  | 'mobileBad'
  | 'codeBad'
  | 'emailBad'

const email = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** No country writes a national number with more digits than this; a card does. */
const longestMobile = 12

/** The look-up that the text stands for, or what is wrong with it. */
export function lookUpOf(
  method: Method,
  text: string,
  readMobile: (text: string) => Mobile | null,
): LookUp | Trouble {
  const typed = text.trim()
  if (typed === '') return `${method}Req`
  if (method === 'mobile') return readMobile(typed) ?? 'mobileBad'
  if (method === 'email') return email.test(typed) ? { email: typed } : 'emailBad'
  const plain = withoutGaps(typed)
  if (method === 'card') return plain === '' ? 'cardReq' : { cardNumber: plain }
  if (plain === '') return 'codeReq'
  return /^[a-zA-Z0-9]+$/.test(plain) ? { code: plain } : 'codeBad'
}

/** The look-up of a text that may be any of the four, or null when it is none. */
export function anyLookUp(
  text: string,
  readMobile: (text: string) => Mobile | null,
): LookUp | null {
  const method = methodFor(text, 'mobile')
  const found = lookUpOf(method, text, readMobile)
  if (typeof found !== 'string') return found
  // Digits that are nobody's number may still be a short card.
  const card =
    method === 'mobile' && /^[\d\s-]+$/.test(text) ? lookUpOf('card', text, readMobile) : null
  return card === null || typeof card === 'string' ? null : card
}

/** Codes are printed in groups; the gaps are for the eye. */
function withoutGaps(text: string): string {
  return text.replace(/[\s-]/g, '')
}

/** A number without the library's rules: its digits, if they could be one at all. */
export function plainMobile(text: string, callingCode: string): Mobile | null {
  const mobile = text.replace(/[\s().-]/g, '')
  return /^\d{4,15}$/.test(mobile) ? { countryCode: callingCode, mobile } : null
}

/** The method that a pasted text clearly belongs to; the present one whenever it could be that. */
export function methodFor(text: string, present: Method): Method {
  const pasted = text.trim()
  if (email.test(pasted)) return 'email'
  const plain = withoutGaps(pasted).replace(/[().]/g, '')
  if (/^\+\d{6,15}$/.test(plain)) return 'mobile'
  const hasLetter = /^[a-zA-Z0-9]+$/.test(plain) && /[a-zA-Z]/.test(plain)
  if (hasLetter && (present === 'mobile' || present === 'email')) return 'code'
  if (present === 'mobile' && /^\d+$/.test(plain) && plain.length > longestMobile) return 'card'
  return present
}

/** The digits of a number, with the plus that begins it. */
export function ungrouped(text: string): string {
  return text.replace(/[^\d+]/g, '')
}

/**
 * What is meant when the field changes: deleting the mark that grouping has put behind the last
 * digit, as in `(555)`, means that digit, or the mark would come back for ever.
 */
export function unstuck(before: string, after: string): string {
  const onlyMark = after.length < before.length && ungrouped(after) === ungrouped(before)
  return onlyMark && before.startsWith(after) ? ungrouped(after).slice(0, -1) : after
}

/** Where the caret belongs after the digits were grouped anew: behind as many of them as before. */
export function caretBehind(grouped: string, digits: number): number {
  let seen = 0
  for (const [at, character] of Array.from(grouped).entries()) {
    if (seen === digits) return at
    if (/[\d+]/.test(character)) seen += 1
  }
  return grouped.length
}

/** How many digits stand before the caret. */
export function digitsBefore(text: string, caret: number): number {
  return ungrouped(text.slice(0, caret)).length
}
